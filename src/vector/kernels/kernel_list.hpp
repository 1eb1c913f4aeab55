// The functions that each kernel file exports, once per instruction-set level.
#pragma once

#include "vector/function_kernels.hpp"
#include "vector/kernel_table.hpp"

// Every file *.kernel.cpp is compiled once per level with the level's -march. All of its definitions are
// internal or in the level's namespace. Otherwise the linker could merge an inline function across levels,
// and AVX-512 code would run on a machine without it.
#define SCAUP_DECLARE_KERNELS(level)         \
  namespace scaup::kernels::level {          \
  void FillArithmetic(KernelTable& table);   \
  void FillChecked(KernelTable& table);      \
  void FillComparison(KernelTable& table);   \
  void FillSelection(KernelTable& table);    \
  void FillHash(KernelTable& table);         \
  void FillReduction(KernelTable& table);    \
  void FillBitPacking(KernelTable& table);   \
  void FillPrefixSum(KernelTable& table);    \
  void FillAlp(KernelTable& table);          \
  void FillText(FunctionKernels& table);     \
  void FillCalendar(FunctionKernels& table); \
  }

SCAUP_DECLARE_KERNELS(plain)
#if defined(__x86_64__)
SCAUP_DECLARE_KERNELS(v2)
SCAUP_DECLARE_KERNELS(v3)
SCAUP_DECLARE_KERNELS(v4)
#endif
