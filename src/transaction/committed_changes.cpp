// Remembering the changes of commits for as long as a validation may need them.
#include "transaction/committed_changes.hpp"

#include <exception>
#include <utility>

#include "common/throw.hpp"

namespace scaup {

void CommittedChanges::Add(Timestamp commit_timestamp, const UndoEntry& entry) noexcept {
  auto changes = entry.Changes();
  if (!changes) return;
  try {
    changes_.push_back({commit_timestamp, std::move(changes)});
  } catch (const std::exception&) {
    // Without memory for the changes no transaction can be validated against them. So every transaction
    // that began before this commit has to fail validation; see Since.
    changes_.clear();
    floor_ = commit_timestamp;
  }
}

std::vector<std::shared_ptr<const ChangeSet>> CommittedChanges::Since(const Transaction& transaction) const {
  std::vector<std::shared_ptr<const ChangeSet>> since;
  if (transaction.start_timestamp() < floor_) {
    ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
               "could not serialize access: there was no memory to remember what other transactions changed "
               "meanwhile; run the transaction again");
  }
  // The newest changes are at the end; those before the transaction's start need no test.
  for (auto change = changes_.rbegin(); change != changes_.rend(); ++change) {
    if (change->commit_timestamp <= transaction.start_timestamp()) break;
    since.push_back(change->changes);
  }
  return since;
}

void CommittedChanges::ForgetUntil(Timestamp oldest_start) noexcept {
  while (!changes_.empty() && changes_.front().commit_timestamp <= oldest_start) changes_.pop_front();
}

}  // namespace scaup
