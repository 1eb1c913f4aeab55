// The policy that decides which attributes of documents get columns of their own.
#pragma once

#include <cstdint>

namespace scaup {

struct Settings;

/// The thresholds for physical attributes: `density` thousandths of a row group's documents must have the
/// attribute, with at least `cardinality` distinct values. Sinew's are 600 and 200;
/// docs/architecture/documents.md says why ours differ.
struct ShreddingPolicy {
  uint32_t density = 100;
  uint32_t cardinality = 1;
  friend bool operator==(const ShreddingPolicy&, const ShreddingPolicy&) = default;

  static ShreddingPolicy Of(const Settings& settings);
};

}  // namespace scaup
