// Cleaning up after commits once no transaction needs what was before.
#include "transaction/old_versions.hpp"

#include <exception>
#include <iterator>
#include <utility>

namespace scaup {

void OldVersions::Add(Timestamp commit_timestamp, std::unique_ptr<UndoEntry> entry,
                      const ActiveTransactions& active, Timestamp last_commit) noexcept {
  if (entry->CleanUp(active.OldestStart(entry->table_id(), last_commit))) return;
  try {
    leftovers_[entry->table_id()].push_back({commit_timestamp, std::move(entry)});
  } catch (const std::exception&) {
    // Without memory to remember the entry, the old versions stay until the same object changes again.
  }
}

void OldVersions::CleanUp(const ActiveTransactions& active, Timestamp last_commit) noexcept {
  const Timestamp oldest_start = active.OldestStart(last_commit);
  for (auto queue = leftovers_.begin(); queue != leftovers_.end();) {
    auto& [table_id, entries] = *queue;
    // Entries that all active transactions see are cleaned up in any case. For the others, only transactions
    // that may read this table matter.
    const Timestamp oldest = entries.front().commit_timestamp <= oldest_start
                                 ? oldest_start
                                 : active.OldestStart(table_id, last_commit);
    while (!entries.empty() && entries.front().commit_timestamp <= oldest) {
      entries.front().entry->CleanUp(oldest);
      entries.pop_front();
    }
    queue = entries.empty() ? leftovers_.erase(queue) : std::next(queue);
  }
}

}  // namespace scaup
