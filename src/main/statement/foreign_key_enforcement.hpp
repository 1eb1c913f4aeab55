// Foreign keys at the end of a statement: what rows refer to is there, and nothing refers to what is not.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "execution/run/query_context.hpp"
#include "execution/write/key_changes.hpp"

namespace scaup {

/// Checks what was noted in the context's KeyChanges, and does what ON DELETE and ON UPDATE say, with
/// statements of its own, whose changes are noted and enforced in turn. What it finds is read under every
/// isolation level: of a row that comes and the row that it refers to, which goes in another transaction, one
/// fails with 40001. One thread. Borrows everything.
class ForeignKeyEnforcement {
 public:
  /// Runs SQL within the statement's transaction. Returns how many rows it gives.
  using RunSql = std::function<size_t(const std::string& sql, std::span<const Value> parameters)>;

  ForeignKeyEnforcement(QueryContext& context, RunSql run) : context_(context), run_(std::move(run)) {}
  /// Throws Error(kConstraint, 23503), and what actions may throw.
  void Run();
  /// Checks all rows of a table that gets a foreign key.
  void CheckAll(const TableEntry& table, const ForeignKey& key);

 private:
  /// The values of a key, and perhaps what it becomes.
  using KeyValues = std::vector<Value>;
  struct Removal {
    Catalog::Reference reference;
    std::vector<KeyValues> keys;
  };

  void Act(const KeyChanges::Removed& removed);
  void RunAction(const Catalog::Reference& reference, bool is_update, std::span<const KeyValues> keys);
  /// Throws if a row refers to one of the keys.
  void CheckUnreferenced(const Catalog::Reference& reference, std::span<const KeyValues> keys);
  void CheckReferences(const KeyChanges::Written& written);
  bool IsThere(const Catalog::Reference& reference, const KeyValues& key);
  bool HasRows(const TableEntry& table, const ForeignKey& key, std::span<const KeyValues> keys);
  /// Notes that rows with these keys were looked for.
  void LogSearch(const Catalog::Reference& reference, std::span<const KeyValues> keys);

  QueryContext& context_;
  RunSql run_;
  std::vector<Removal> to_check_;  // NO ACTION: once all actions are done.
};

}  // namespace scaup
