// Statements that a session has seen before, parsed and planned, by their text.
#pragma once

#include <array>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "main/session/literal_parameters.hpp"
#include "main/statement/prepared_plan.hpp"

namespace scaup {

/// Returns whether the plan of a statement can run again as long as it fits the catalog and the settings: its
/// meaning depends on nothing else, and it is not too large to be kept.
bool DependsOnCatalogAlone(const ast::Statement& statement, const PreparedPlan& prepared);

/// A cached statement. Owned by the cache, and valid until its next call.
struct CachedStatement {
  ast::StatementPtr statement;
  PreparedPlan prepared;  ///< for one version of the catalog and one list of parameter types
  std::vector<LiteralParameter> literals = {};  ///< of a text that is kept by its shape
};

/// Caches the statements that were used last, so that a program that sends a text again and again pays for
/// parsing and planning once, as if it had prepared it. Owned by a session and guarded by its mutex.
///
/// A statement is found by its text and the declared types of its parameters, since binding depends on both.
/// A text is cached when it comes for the second time; most texts come once. Plans share ownership of tables,
/// so all plans are dropped when the version of the catalog changes. A dropped table thus lives until the
/// session's next lookup at the latest.
class StatementCache {
 public:
  explicit StatementCache(size_t most_statements = 128) : most_statements_(most_statements) {}

  /// Returns a cached statement, or null. Valid until the next call. `catalog_version` is that of the
  /// transaction that will run it, which has not changed the catalog.
  CachedStatement* Find(std::string_view sql, std::span<const LogicalType> parameter_types,
                        uint64_t catalog_version);
  /// Returns whether a text has come before.
  bool HasSeen(std::string_view sql, std::span<const LogicalType> parameter_types) const;
  /// Notes that a text has come. Returns whether it has come before.
  bool See(std::string_view sql, std::span<const LogicalType> parameter_types);
  /// Returns whether a plan can run again: it is that of this version of the catalog, and its meaning depends
  /// on the catalog alone.
  bool MayKeep(const ast::Statement& statement, const PreparedPlan& prepared) const;
  /// Returns whether Add is worth a copy of the plan: the text has come before, is short, and its meaning
  /// depends on the catalog alone. Notes a text that comes for the first time.
  bool WouldKeep(std::string_view sql, std::span<const LogicalType> parameter_types,
                 const ast::Statement& statement, const PreparedPlan& prepared);
  /// Caches the only statement of a text; a full cache drops the least recently used one. Returns it, valid
  /// until the next call.
  CachedStatement& Add(std::string_view sql, std::span<const LogicalType> parameter_types,
                       CachedStatement statement);
  void Clear();

  size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    uint64_t hash;
    std::string sql;
    std::vector<LogicalType> parameter_types;
    CachedStatement statement;
  };
  using Entries = std::list<Entry>;

  Entries::iterator FindEntry(uint64_t hash, std::string_view sql, std::span<const LogicalType> types);
  void Erase(Entries::iterator entry);

  size_t most_statements_;
  uint64_t catalog_version_ = 0;  // the catalog version of all entries
  Entries entries_;               // most recently used first
  std::unordered_multimap<uint64_t, Entries::iterator> by_hash_;
  /// Hashes of texts that came once, each at the position of its lowest bits. A collision only delays the
  /// caching of a text.
  std::array<uint64_t, 256> seen_{};
};

}  // namespace scaup
