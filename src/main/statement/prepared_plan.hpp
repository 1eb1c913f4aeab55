// A statement after binding and planning, ready to be run again and again.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "binder/bound/bound_statement.hpp"
#include "binder/scope/bind_session.hpp"
#include "common/settings/settings.hpp"
#include "main/statement/generic_plan.hpp"
#include "planner/planner.hpp"
#include "scaup/result.hpp"
#include "scaup/value.hpp"

namespace scaup {

/// A statement after binding: a plan, or a bound statement that is executed directly. Owned by a prepared
/// statement, a named one or the cache. Movable; independent of the transaction in which it was bound, as
/// long as the catalog has the same version.
struct PreparedPlan {
  uint64_t catalog_version = 0;
  BoundStatementPtr direct;  ///< statements without a plan
  std::optional<LogicalPlan> plan;
  /// The plan that is run instead of `plan`, if there is one; otherwise null.
  std::shared_ptr<const GenericPlan> generic;
  bool generic_was_tried = false;
  std::vector<LogicalType> parameter_types;
  /// The types that were declared for the parameters before binding; kNull if none was.
  std::vector<LogicalType> declared_types;
  /// Whether the types of given values decide what the statement means: it reads paths of documents, or makes
  /// documents of values.
  bool follows_given_types = false;
  /// The statement as bound for values of other types, if follows_given_types.
  std::vector<PreparedPlan> by_types;
  // The settings of the session that binding depends on.
  std::string home;  ///< the database that names without one mean
  std::string search_path;
  std::string time_zone;
  UnknownKeys unknown_keys = UnknownKeys::kError;
  NullOrder null_order = NullOrder::kGreatest;
  uint64_t registry_version = 0;  ///< of the functions of the program
  std::vector<KnownAttributes> known_attributes;
  /// The columns of FETCH and EXECUTE when they were prepared, for drivers; their rows are planned elsewhere.
  std::vector<ResultColumn> columns;
  std::vector<uint64_t> locked_tables;  ///< ids of the tables whose rows FOR UPDATE or FOR SHARE locks

  /// Returns whether `transaction` sees the attributes of collections that the statement was bound for.
  /// Otherwise paths may have come or gone, or have other types.
  bool KnowsAttributes(const Transaction& transaction) const;
};

/// Returns the types of $1, $2, ... that given values declare; kNull for text.
std::vector<LogicalType> DeclaredTypes(std::span<const Value> parameters);

}  // namespace scaup
