// Deferred checks: the keys of a transaction that are checked at its commit, and what SET CONSTRAINTS said.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catalog/catalog_entry.hpp"
#include "execution/write/key_changes.hpp"
#include "storage/buffer/temporary_file.hpp"

namespace scaup {

/// The name of a constraint.
struct ConstraintPlace {
  std::string schema;
  std::string table;
  std::string name;
  friend bool operator==(const ConstraintPlace&, const ConstraintPlace&) = default;
};

/// A check of one constraint that a transaction still has to pass, or has passed. A check looks at the rows
/// as they are when it runs, so one that is run again, or about changes that were rolled back, does no harm.
struct DeferredCheck {
  TableEntryRef table;  ///< whose rows were changed
  ConstraintPlace constraint;
  Deferral deferral;
  /// The storage that the keys may be spilled to, which goes after them.
  std::shared_ptr<TemporaryStorage> storage = {};
  // One of these three is set.
  TableIndexRef unique = {};  ///< whose late keys are to be tested
  std::unique_ptr<KeyChanges::Written> written = {};
  std::unique_ptr<KeyChanges::Removed> removed = {};
  bool takes_more = false;           ///< whether its keys may still be appended to
  uint64_t added = 0;                ///< when it came, as DeferredChecks::mark counts
  std::optional<uint64_t> run = {};  ///< when it was passed; none while it is pending

  bool is_pending() const { return !run.has_value(); }
};

/// The deferred checks of one transaction, and the modes of its constraints. Owned by the transaction block,
/// or by a statement in a transaction of its own. Used by one thread.
class DeferredChecks {
 public:
  /// The state that ROLLBACK TO a savepoint returns to.
  struct Mark {
    uint64_t count = 0;
    std::optional<bool> all;
    std::vector<std::pair<ConstraintPlace, bool>> named;
  };

  /// Returns whether a constraint is checked at the commit and not at the end of the statement.
  bool IsDeferred(const ConstraintPlace& constraint, const Deferral& deferral) const;
  /// SET CONSTRAINTS ALL, and SET CONSTRAINTS of some. They do not run checks.
  void SetAll(bool is_deferred);
  void Set(const ConstraintPlace& constraint, bool is_deferred);

  /// Adds a check of a unique constraint, unless one is pending.
  void AddUnique(DeferredCheck check);
  /// Adds a check of a foreign key, whose keys are finished. One that is pending may take them over.
  /// `context` is that of the statement which has changed them.
  void AddKeys(QueryContext& context, DeferredCheck check);
  bool has_pending() const;
  /// Returns the pending checks, of all constraints or of those that are not deferred any more. Valid until
  /// checks are added.
  std::vector<DeferredCheck*> Pending(bool with_deferred);
  /// Notes that a check was passed, which ROLLBACK TO a savepoint takes back.
  void NotePassed(DeferredCheck& check) { check.run = ++count_; }
  /// Forgets what was passed. Called if forgets_passed().
  void ForgetPassed();
  /// Returns whether passed checks need not be kept: there is nothing to which rows could be brought back,
  /// but the transaction's begin.
  bool forgets_passed() const { return savepoint_count_ == 0 && inner_count_ == 0; }
  void SetSavepoints(size_t count) { savepoint_count_ = count; }
  /// Called when a statement begins and ends that runs within another one, and may be undone alone.
  void EnterInner() { inner_count_++; }
  void LeaveInner() { inner_count_--; }
  /// Throws Error(kUsage, 55006) if checks of a table are pending: `command` would change what they are
  /// about.
  void RequireNonePending(const TableEntry& table, const char* command) const;

  Mark mark() const { return {count_, all_, named_}; }
  void RollBackTo(const Mark& mark);
  void Clear();

 private:
  std::vector<std::unique_ptr<DeferredCheck>> checks_;
  std::optional<bool> all_;                              // SET CONSTRAINTS ALL
  std::vector<std::pair<ConstraintPlace, bool>> named_;  // since then
  uint64_t count_ = 0;                                   // of all events
  size_t savepoint_count_ = 0;
  size_t inner_count_ = 0;  // statements that run within another one
};

}  // namespace scaup
