// Keeping the starts of running transactions.
#include "transaction/active_transactions.hpp"

#include <algorithm>
#include <utility>

#include "common/throw.hpp"

namespace scaup {

void ActiveTransactions::Add(const Transaction& transaction) {
  by_start_.emplace(transaction.start_timestamp(), Active{&transaction});
}

ActiveTransactions::ByStart::iterator ActiveTransactions::Find(const Transaction& transaction) {
  // Several transactions may have the same start.
  const auto [begin, end] = by_start_.equal_range(transaction.start_timestamp());
  const auto found =
      std::find_if(begin, end, [&](const auto& item) { return item.second.transaction == &transaction; });
  return found == end ? by_start_.end() : found;
}

void ActiveTransactions::Remove(const Transaction& transaction) noexcept {
  const auto found = Find(transaction);
  if (found != by_start_.end()) by_start_.erase(found);
}

void ActiveTransactions::RestrictTo(const Transaction& transaction, std::vector<uint64_t> table_ids) {
  SCAUP_ASSERT(std::is_sorted(table_ids.begin(), table_ids.end()));
  const auto found = Find(transaction);
  if (found == by_start_.end()) return;
  found->second.only_tables = std::move(table_ids);
}

Timestamp ActiveTransactions::OldestStart(Timestamp none) const {
  return by_start_.empty() ? none : by_start_.begin()->first;
}

Timestamp ActiveTransactions::OldestStart(uint64_t table_id, Timestamp none) const {
  for (const auto& [start, active] : by_start_) {
    const auto& only = active.only_tables;
    const bool may_read = table_id == 0 || !only || std::binary_search(only->begin(), only->end(), table_id);
    if (may_read) return start;
  }
  return none;
}

}  // namespace scaup
