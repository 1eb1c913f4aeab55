// Progress of running queries.
#include "execution/query_context.hpp"

namespace scaup {

void QueryProgress::AddScan(double weight, std::function<double()> progress) {
  std::lock_guard lock(mutex_);
  scans_.push_back({weight < 1 ? 1 : weight, std::move(progress)});
}

void QueryProgress::Clear() {
  std::lock_guard lock(mutex_);
  scans_.clear();
}

double QueryProgress::Current() const {
  std::lock_guard lock(mutex_);
  double done = 0, total = 0;
  for (const Scan& scan : scans_) {
    const double part = scan.progress();
    if (part < 0) continue;
    done += scan.weight * part;
    total += scan.weight;
  }
  return total == 0 ? -1 : done / total;
}

}  // namespace scaup
