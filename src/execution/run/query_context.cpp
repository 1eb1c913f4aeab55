// Query context: progress, memory and shared rows of running queries.
#include "execution/run/query_context.hpp"

#include "catalog/database_views.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

void QueryProgress::AddScan(double weight, std::function<double()> progress) {
  MutexLock lock(mutex_);
  scans_.push_back({weight < 1 ? 1 : weight, std::move(progress)});
}

void QueryProgress::Clear() {
  MutexLock lock(mutex_);
  scans_.clear();
}

double QueryProgress::Current() const {
  MutexLock lock(mutex_);
  double done = 0, total = 0;
  for (const Scan& scan : scans_) {
    const double part = scan.progress();
    if (part < 0) continue;
    done += scan.weight * part;
    total += scan.weight;
  }
  return total == 0 ? -1 : done / total;
}

size_t QueryContext::MemoryBytes() const {
  size_t known = memory_bytes.load(std::memory_order_relaxed);
  if (known != 0) return known;
  // If hardly any memory is left, operators try with the least that they can work with.
  constexpr size_t kLeastBytes = size_t{1} << 20;
  const size_t available = std::max(grants.AvailableBytes(), kLeastBytes);
  // The first caller fixes the value for all tasks, so that they agree on the number of partitions.
  return memory_bytes.compare_exchange_strong(known, available) ? available : known;
}

void RepeatedReads::Set(const void* scan, TableRead read) {
  const MutexLock lock(mutex_);
  reads_[scan] = std::move(read);
}

TableRead RepeatedReads::Find(const void* scan) const {
  const MutexLock lock(mutex_);
  return reads_.at(scan);
}

TableRead QueryContext::ReadTable(const void* scan, const std::function<TableRead()>& read) {
  if (is_repeated()) return repeated_reads.Find(scan);
  TableRead result = read();
  if (recursions.load(std::memory_order_relaxed) != 0) repeated_reads.Set(scan, result);
  return result;
}

void SharedRowsDirectory::Set(size_t share, SharedRows* rows) {
  const MutexLock lock(mutex_);
  rows_[share] = rows;
}

SharedRows* SharedRowsDirectory::Find(size_t share) const {
  const MutexLock lock(mutex_);
  const auto found = rows_.find(share);
  if (found == rows_.end()) ThrowInternal("a plan reads shared rows that nobody keeps");
  return found->second;
}

QueryContext::Database QueryContext::DatabaseNamed(const std::string& name) const {
  if (databases == nullptr || name.empty()) return {catalog, transaction};
  const DatabaseView& database = databases->Require(name, 0);
  return {*database.catalog, *database.transaction};
}

QueryContext::Database QueryContext::DatabaseOf(const Table& table) const {
  if (databases == nullptr) return {catalog, transaction};
  const DatabaseView& database = databases->Of(table);
  return {*database.catalog, *database.transaction};
}

}  // namespace scaup
