// What the parts of the binder share while they bind one statement.
#pragma once

#include <cstddef>
#include <vector>

#include "catalog/catalog.hpp"
#include "common/settings.hpp"
#include "function/function_context.hpp"
#include "function/function_registry.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// What a statement is bound against. Borrowed; must outlive the binder.
struct BinderContext {
  const Catalog& catalog;
  const Transaction& transaction;
  const FunctionContext& functions;
  const FunctionRegistry& registry;
  const Settings& settings;
};

/// Counters and parameter types of one statement. One thread.
class BindSession {
 public:
  explicit BindSession(const BinderContext& context) : context_(context) {}
  const BinderContext& context() const { return context_; }

  /// An index that no other table of the statement has.
  size_t NewTableIndex() { return next_table_index_++; }
  size_t next_table_index() const { return next_table_index_; }

  /// Counts a query and refuses to go on (54001) when inlined CTEs have grown without bound.
  void CountQuery(size_t position);

  void ReserveParameters(size_t count) { parameter_types_.resize(count); }
  /// kNull while nothing has said what $index+1 is.
  LogicalType ParameterType(size_t index) const;
  /// The first to ask decides.
  void SetParameterType(size_t index, const LogicalType& type);
  /// What nothing gave a type is VARCHAR.
  void SettleParameters();
  const std::vector<LogicalType>& parameter_types() const { return parameter_types_; }

 private:
  const BinderContext& context_;
  size_t next_table_index_ = 0;
  size_t query_count_ = 0;
  std::vector<LogicalType> parameter_types_;
};

}  // namespace scaup
