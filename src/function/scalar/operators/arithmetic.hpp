// The operators + - * on numbers: their result types, and the choice of kernels.
#pragma once

#include <span>
#include <vector>

#include "function/scalar_function.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// The DECIMAL type as which an operand counts. A DECIMAL counts as itself, an integer as the type of all its
/// values, and an integer constant as the type of its actual digits. A bare NULL counts as DECIMAL(1,0).
LogicalType DecimalOfArgument(const BindArgument& argument);
/// Whether an operand of a REAL operator is an exact number. As in PostgreSQL, they then meet in DOUBLE.
bool HasExactOperand(std::span<const BindArgument> arguments);
/// The DECIMAL with `integer_digits` before and `scale` after the point; the width is capped at 38.
LogicalType MakeDecimal(int integer_digits, int scale);

/// Narrows a bound + - * or unary - on DECIMALs (or integers of one type). The caller has proven that a
/// narrower result type of the same scale, and narrower arguments of unchanged scales, hold all values.
/// Afterwards function.argument_types and return_type are those of the new kernel; they are at least as wide
/// as requested, and may be wider if no kernel fits. The caller casts the arguments. Other functions stay
/// unchanged.
void RetargetArithmetic(ScalarFunction& function, const LogicalType& narrower_return,
                        std::vector<LogicalType> narrower_arguments);

/// Throws "integer out of range" and the like, 22003.
[[noreturn]] void ThrowNumberOutOfRange(const LogicalType& type);

/// The kernels of an operator for one pair of layouts.
struct ArithmeticKernels {
  ScalarKernel checked;
  ScalarKernel unchecked;
};
/// The kernels for arguments of physical type `argument` and a result of type `result`: the same type, or
/// 64-bit factors of a 128-bit product. With `is_decimal`, the checked 128-bit kernel also checks for 38
/// digits.
ArithmeticKernels PickArithmeticKernels(ArithmeticOp op, PhysicalType argument, PhysicalType result,
                                        bool is_decimal);
/// The kernels of unary minus for a physical type.
ArithmeticKernels PickNegationKernels(PhysicalType type);
/// The range of -x.
std::optional<ValueRange> NegationRange(std::span<const std::optional<ValueRange>> arguments,
                                        std::span<const LogicalType> argument_types,
                                        const LogicalType& return_type);

}  // namespace scaup
