// The sequences that a statement's functions reach, and what a session remembers of them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "catalog/database_views.hpp"
#include "common/lock/mutex.hpp"
#include "function/sequence_access.hpp"

namespace scaup {

/// The values of currval and lastval. Owned by a session; thread-safe, as the tasks of a query may call
/// nextval at once.
class SessionSequences {
 public:
  void Note(const SequenceEntry& sequence, int64_t value, bool is_last);
  std::optional<int64_t> Current(const SequenceEntry& sequence) const;
  /// Returns the counter whose value nextval gave last, null if none, and its value for currval.
  std::pair<std::shared_ptr<SequenceState>, int64_t> Last() const;
  /// Forgets all values, as if nextval had not been called.
  void Forget();

 private:
  mutable Mutex mutex_;
  /// By counter, which a sequence retains when it is renamed, and which no other sequence ever has.
  std::map<std::shared_ptr<SequenceState>, int64_t> current_ SCAUP_GUARDED_BY(mutex_);
  std::shared_ptr<SequenceState> last_ SCAUP_GUARDED_BY(mutex_);
};

/// The sequences that one statement sees. Made for one statement; thread-safe; borrows everything.
class CatalogSequences final : public SequenceAccess {
 public:
  CatalogSequences(const DatabaseViews& databases, SessionSequences& session)
      : databases_(databases), session_(session) {}
  int64_t NextValue(const SequenceName& sequence) override;
  int64_t CurrentValue(const SequenceName& sequence) override;
  int64_t LastValue() override;
  void SetValue(const SequenceName& sequence, int64_t value, bool is_called) override;
  /// Called at the end of the statement, when none of its tasks runs. The transaction's commit then logs the
  /// positions of the sequences that were advanced.
  void NoteUses();

 private:
  /// A sequence, and the transaction in its database.
  struct Found {
    SequenceEntryRef entry;
    Transaction* transaction;
    const Catalog* catalog;
  };
  Found Find(const SequenceName& sequence) const;
  void NoteUse(const Found& sequence);

  const DatabaseViews& databases_;
  SessionSequences& session_;
  Mutex mutex_;
  std::vector<Found> used_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
