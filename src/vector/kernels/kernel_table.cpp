// Collects the kernels of each instruction-set level, and detects the level of this machine.
#include "vector/kernel_table.hpp"

#include "common/throw.hpp"
#include "vector/kernels/kernel_list.hpp"

namespace scaup {
namespace {

#define SCAUP_DEFINE_TABLE(level_name, level_value) \
  const KernelTable& Table_##level_name() {         \
    static const KernelTable table = [] {           \
      KernelTable filled{};                         \
      filled.level = level_value;                   \
      kernels::level_name::FillArithmetic(filled);  \
      kernels::level_name::FillChecked(filled);     \
      kernels::level_name::FillComparison(filled);  \
      kernels::level_name::FillSelection(filled);   \
      kernels::level_name::FillHash(filled);        \
      kernels::level_name::FillReduction(filled);   \
      kernels::level_name::FillBitPacking(filled);  \
      kernels::level_name::FillPrefixSum(filled);   \
      kernels::level_name::FillAlp(filled);         \
      return filled;                                \
    }();                                            \
    return table;                                   \
  }                                                 \
  const FunctionKernels& Functions_##level_name() { \
    static const FunctionKernels table = [] {       \
      FunctionKernels filled{};                     \
      kernels::level_name::FillText(filled);        \
      kernels::level_name::FillCalendar(filled);    \
      return filled;                                \
    }();                                            \
    return table;                                   \
  }

SCAUP_DEFINE_TABLE(plain, KernelLevel::kPlain)
#if defined(__x86_64__)
SCAUP_DEFINE_TABLE(v2, KernelLevel::kV2)
SCAUP_DEFINE_TABLE(v3, KernelLevel::kV3)
SCAUP_DEFINE_TABLE(v4, KernelLevel::kV4)
#endif
#undef SCAUP_DEFINE_TABLE

}  // namespace

const KernelTable& KernelsOf(KernelLevel level) {
  SCAUP_ASSERT(level <= BestKernelLevel());
#if defined(__x86_64__)
  switch (level) {
    case KernelLevel::kPlain: return Table_plain();
    case KernelLevel::kV2: return Table_v2();
    case KernelLevel::kV3: return Table_v3();
    case KernelLevel::kV4: return Table_v4();
  }
#else
  (void)level;
#endif
  return Table_plain();
}

const FunctionKernels& FunctionKernelsOf(KernelLevel level) {
  SCAUP_ASSERT(level <= BestKernelLevel());
#if defined(__x86_64__)
  switch (level) {
    case KernelLevel::kPlain: return Functions_plain();
    case KernelLevel::kV2: return Functions_v2();
    case KernelLevel::kV3: return Functions_v3();
    case KernelLevel::kV4: return Functions_v4();
  }
#else
  (void)level;
#endif
  return Functions_plain();
}

KernelLevel BestKernelLevel() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool v2 = __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1") &&
                  __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
  // The rest of the level (f16c, lzcnt, movbe) exists on every machine with AVX2, FMA, BMI1 and BMI2.
  const bool v3 = v2 && __builtin_cpu_supports("avx") && __builtin_cpu_supports("avx2") &&
                  __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                  __builtin_cpu_supports("fma");
  const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  if (v4) return KernelLevel::kV4;
  if (v3) return KernelLevel::kV3;
  if (v2) return KernelLevel::kV2;
#endif
  return KernelLevel::kPlain;
}

std::optional<KernelLevel> KernelLevelFromName(std::string_view name) {
  for (const KernelLevel level :
       {KernelLevel::kPlain, KernelLevel::kV2, KernelLevel::kV3, KernelLevel::kV4}) {
    if (name == KernelLevelName(level)) return level;
  }
  return std::nullopt;
}

const char* KernelLevelName(KernelLevel level) {
  switch (level) {
    case KernelLevel::kPlain: return "plain";
    case KernelLevel::kV2: return "v2";
    case KernelLevel::kV3: return "v3";
    case KernelLevel::kV4: return "v4";
  }
  return "plain";
}

}  // namespace scaup
