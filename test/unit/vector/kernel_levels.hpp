// The instruction-set levels that this machine runs, for tests of kernels.
#pragma once

#include <vector>

#include "vector/kernel_table.hpp"

namespace scaup {

inline std::vector<KernelLevel> KernelLevels() {
  std::vector<KernelLevel> levels;
  for (const KernelLevel level :
       {KernelLevel::kPlain, KernelLevel::kV2, KernelLevel::kV3, KernelLevel::kV4}) {
    if (level <= BestKernelLevel()) levels.push_back(level);
  }
  return levels;
}

}  // namespace scaup
