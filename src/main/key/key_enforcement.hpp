// Key enforcement: checks and actions at the end of a statement, and checks at the commit.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "catalog/catalog_dependencies.hpp"
#include "catalog/database_views.hpp"
#include "execution/run/query_context.hpp"
#include "execution/write/key_changes.hpp"
#include "main/key/deferred_checks.hpp"

namespace scaup {

/// The keys that are checked.
enum class KeyChecks : uint8_t {
  kOfStatement,  ///< those that the statement has changed, at its end
  kNotDeferred,  ///< those that were put off and must be put off no longer, at SET CONSTRAINTS
  kDeferred,     ///< all that were put off, at the commit
};

/// Checks the key changes of a statement and runs the actions of ON DELETE and ON UPDATE. Actions are
/// statements of their own, whose key changes are enforced in turn. Checks of deferred constraints are put
/// off; actions and RESTRICT never are. Made for one statement; used by one thread; borrows everything.
///
/// Its reads are validated at every isolation level. If one transaction adds a row that refers to another
/// row, and a second one deletes that row, one of the two thus fails with 40001.
class KeyEnforcement {
 public:
  /// Runs SQL within the statement's transaction. Returns the number of its rows.
  using RunSql = std::function<size_t(const std::string& sql, std::span<const Value> parameters)>;

  /// `database` is that of the tables, in which `run` runs its SQL.
  KeyEnforcement(QueryContext& context, const DatabaseView& database, RunSql run)
      : context_(context), database_(database), run_(std::move(run)) {}
  /// Enforces all key changes. Checks of deferred constraints are added to `deferred`, with the storage that
  /// their keys may be spilled to, unless it is null. Throws Error(kConstraint, 23503 or 23505), and what the
  /// actions throw.
  void Run(DeferredChecks* deferred, const std::shared_ptr<TemporaryStorage>& storage);
  /// Runs pending checks: all, or those of constraints that are not deferred any more. Throws likewise.
  void RunDeferred(DeferredChecks& deferred, bool with_deferred);
  /// Checks all rows of a table that gets a foreign key.
  void CheckAll(const TableEntry& table, const ForeignKey& key);

 private:
  /// The values of a key, followed by the new values if the key was updated.
  using KeyValues = std::vector<Value>;
  /// Calls visit(keys) for some keys at a time that rows have lost.
  template <typename Visit>
  void ForEachRemoved(const KeyChanges::Removed& removed, const Visit& visit) const;
  void Act(std::unique_ptr<KeyChanges::Removed> removed);
  void Check(const DeferredCheck& check);
  void CheckUniques(const TableEntryRef& table, DeferredChecks* deferred);
  void CheckRemoved(const ForeignKeyReference& reference, const KeyChanges::Removed& removed);
  /// Returns the table as it is now, under whatever name.
  TableEntryRef Present(const TableEntryRef& table) const;
  void RunAction(const ForeignKeyReference& reference, bool is_update, std::span<const KeyValues> keys);
  /// Throws if a row refers to one of the keys.
  void CheckUnreferenced(const ForeignKeyReference& reference, std::span<const KeyValues> keys);
  void CheckReferences(const TableEntryRef& table, size_t foreign_key, const SpillableRows& written);
  bool IsThere(const ForeignKeyReference& reference, const KeyValues& key);
  bool HasRows(const TableEntry& table, const ForeignKey& key, std::span<const KeyValues> keys);
  /// Logs that rows with these keys were searched.
  void LogSearch(const ForeignKeyReference& reference, std::span<const KeyValues> keys);

  QueryContext& context_;
  const DatabaseView& database_;
  RunSql run_;
  bool forgets_passed_ = false;  // late keys, once they are tested
  // Keys with NO ACTION, which are checked after all actions.
  std::vector<std::unique_ptr<KeyChanges::Removed>> to_check_;
};

}  // namespace scaup
