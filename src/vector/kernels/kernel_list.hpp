// What each kernel file exports, once per instruction-set level.
#pragma once

#include "vector/function_kernels.hpp"
#include "vector/kernel_table.hpp"

// Every file *.kernel.cpp is compiled once per level with -march of that level. Whatever it defines is
// internal or in the level's own namespace: an inline function that the linker merges across levels could put
// AVX-512 code into a program that runs on a machine without it.
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
