// Registers a benchmark of kernels once per instruction-set level that this machine runs.
#pragma once

#include <benchmark/benchmark.h>

#include <string>

#include "vector/kernel_table.hpp"

namespace scaup {

/// Registers `run(state, kernels)` as name/plain, name/v2 and so on. What `run` captures must live as long as
/// the program.
template <typename Run>
void RegisterPerLevel(const std::string& name, Run run) {
  for (const KernelLevel level :
       {KernelLevel::kPlain, KernelLevel::kV2, KernelLevel::kV3, KernelLevel::kV4}) {
    if (level > BestKernelLevel()) break;
    const std::string full_name = name + "/" + KernelLevelName(level);
    benchmark::RegisterBenchmark(full_name.c_str(),
                                 [run, level](benchmark::State& state) { run(state, KernelsOf(level)); });
  }
}

/// Reports rows a second, 1024 of them per iteration.
inline void CountRows(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kVectorSize));
}

}  // namespace scaup
