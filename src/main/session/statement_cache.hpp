// Statements that a session has seen before, parsed and planned, by their text.
#pragma once

#include <array>
#include <list>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "main/statement/statement_execution.hpp"

namespace scaup {

/// A statement of the cache. Owned by it.
struct CachedStatement {
  ast::StatementPtr statement;
  PreparedPlan prepared;  ///< for its version of the catalog, and for parameters of the types it was made for
};

/// Keeps the statements that were used last, so that a program that sends the same text again and again pays
/// for parsing and planning once, as if it had prepared it. Owned by a session and guarded by its mutex.
///
/// A statement is found by its text and the types that its parameters are declared with, since binding
/// depends on them. A text that comes once is not kept: only that it came. Plans hold tables: when the
/// catalog has another version than it had, all of them go, so that a dropped table stays until the session's
/// next look at the latest.
class StatementCache {
 public:
  explicit StatementCache(size_t most_statements = 128) : most_statements_(most_statements) {}

  /// Null where it is not kept. Valid until the next call. REQUIRES: `catalog_version` was read before the
  /// transaction began that will run it, and that transaction has not changed the catalog.
  CachedStatement* Find(std::string_view sql, std::span<const LogicalType> parameter_types,
                        uint64_t catalog_version);
  /// Whether Add is worth a copy of the plan: the text came before, is not long, and what it means depends on
  /// the catalog alone. False where it is the first time, which is noted.
  bool WouldKeep(std::string_view sql, std::span<const LogicalType> parameter_types,
                 const ast::Statement& statement, const PreparedPlan& prepared);
  /// Keeps the only statement of a text, in the place of the one that was not used for longest.
  void Add(std::string_view sql, std::span<const LogicalType> parameter_types, CachedStatement statement);
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
  /// Hashes of texts that came once, each where its lowest bits say.
  std::array<uint64_t, 256> seen_{};
};

}  // namespace scaup
