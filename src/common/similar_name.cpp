// Edit distances between names.
#include "common/similar_name.hpp"

#include <algorithm>
#include <numeric>

namespace scaup {

namespace {

// Limits the time, which grows with the product of the lengths.
constexpr size_t kLongestName = 256;

size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b.size(); j++) {
      const size_t substituted = diagonal + (a[i] != b[j]);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, substituted});
    }
  }
  return row.back();
}

}  // namespace

std::string MostSimilar(std::string_view name, const std::vector<std::string>& candidates) {
  std::string best;
  if (name.size() > kLongestName) return best;
  size_t best_distance = std::max<size_t>(1, name.size() / 3) + 1;
  for (const auto& candidate : candidates) {
    const size_t longer = std::max(candidate.size(), name.size()),
                 shorter = std::min(candidate.size(), name.size());
    if (longer - shorter >= best_distance) continue;
    const size_t distance = EditDistance(name, candidate);
    if (distance < best_distance) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace scaup
