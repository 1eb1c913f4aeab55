// How transactions must behave, in the simplest way: copies of all rows, one lock; with mistakes on demand.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "histories/tested_sessions.hpp"

namespace scaup::test {

/// What a wrong system might do. A check that passes one of them is worth nothing.
enum class Mistake : uint8_t {
  kNone,
  kNoWriteConflicts,    ///< the later of two writers overwrites
  kConflictsOfRunning,  ///< finds conflicts with running transactions only, not with committed ones
  kReadsNewest,         ///< reads what is committed at each statement
  kReadsUncommitted,    ///< reads others' running changes
  kNoValidation,        ///< SERIALIZABLE is snapshot isolation
  kValidatesPoints,     ///< does not see new rows in what a transaction read
  kForgetsBefore,       ///< does not see rows that left what a transaction read
  kKeepsRolledBack,     ///< ROLLBACK keeps the changes
  kKeepsSavepoint,      ///< ROLLBACK TO keeps the changes
  kLosesOwn,            ///< a transaction's own changes are not seen by its reads
  kNoUniqueness,        ///< two transactions may insert one key
  kLosesCommit,         ///< a COMMIT of many changes keeps the first alone
  kRefusesReaders,      ///< read-only transactions fail when others wrote
  kRefusesWriters,      ///< any two concurrent writers are a conflict
};

class ReferenceSession;

/// Thread-safe; outlives its sessions.
class ReferenceSystem : public TestedSystem {
 public:
  explicit ReferenceSystem(Mistake mistake = Mistake::kNone) : mistake_(mistake) {}
  std::unique_ptr<TestedSession> Connect() override;

 private:
  friend class ReferenceSession;
  std::mutex mutex_;
  const Mistake mistake_;
  TableModel committed_;
  uint64_t clock_ = 0;
  std::map<RowName, uint64_t> last_commit_;  ///< when a row was last changed, also of deleted ones
  std::map<int64_t, uint64_t> last_key_commit_;
  std::set<ReferenceSession*> running_;
};

/// A session that also says what else would have been right.
class ReferenceSession : public TestedSession {
 public:
  explicit ReferenceSession(ReferenceSystem& system) : system_(system) {}
  ~ReferenceSession() override;
  Outcome Begin(Level level, bool read_only) override;
  Outcome Run(const Operation& operation) override;
  Outcome Commit() override;
  Outcome Rollback() override;
  Outcome RunAlone(const Operation& operation) override;
  /// There is more than one right answer to the last statement. It makes a key that others have touched since
  /// the snapshot: 40001 or 23505 in place of success and of each other. Or it meets the changes of a
  /// transaction that has failed and not been rolled back yet: 40001 or success.
  bool last_is_contended() const { return last_is_contended_; }
  /// Takes the last statement back, because the tested system failed it with good reason.
  void FailLast();
  /// Whether COMMIT would succeed: nobody changed the outcome of any statement since the snapshot.
  bool IsStillValid();
  /// Whether COMMIT would change anything. A row that was made and deleted again is no change.
  bool HasChanges();
  /// Whether a row was written at all.
  bool HasWritten();

 private:
  struct Step {
    Operation operation;
    Outcome outcome;
  };
  bool IsContended(const Effect& effect) const;
  /// Failed without a savepoint: a system may take its changes back at once, or when it is told to.
  bool IsOver() const { return is_failed_ && workspace_->depth() == 0; }
  bool Conflicts(const Effect& effect, const Workspace& before, bool with_those_over) const;
  Outcome RunLocked(const Operation& operation);
  bool StillValidLocked() const;
  void Publish();
  void End();

  ReferenceSystem& system_;
  std::unique_ptr<Workspace> workspace_;
  std::unique_ptr<Workspace> before_last_;
  TableModel snapshot_;
  std::vector<Step> steps_;
  uint64_t start_ = 0;
  Level level_ = Level::kSerializable;
  bool read_only_ = false;
  bool is_failed_ = false;
  bool last_is_contended_ = false;
};

}  // namespace scaup::test
