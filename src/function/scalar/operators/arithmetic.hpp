// + - * over numbers: how their types follow from those of the operands, and how kernels are picked for
// types.
#pragma once

#include <span>
#include <vector>

#include "function/scalar_function.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

/// The DECIMAL that an operand counts as: its own for a DECIMAL, the one of all its values for an integer,
/// and the one of its actual digits for a constant. A bare NULL counts as DECIMAL(1,0).
LogicalType DecimalOfArgument(const BindArgument& argument);
/// The DECIMAL with `integer_digits` before and `scale` after the point; the width is capped at 38.
LogicalType MakeDecimal(int integer_digits, int scale);

/// Adapts a bound + - * or unary - over DECIMAL (or integers of one type) to a narrower result of the same
/// scale that the caller has proven to hold every result, and to narrower arguments of unchanged scales.
/// Afterwards function.argument_types and function.return_type say what the new kernel takes and gives: never
/// narrower than asked for, and maybe wider where no kernel fits; the caller casts the arguments. Other
/// functions stay unchanged.
void RetargetArithmetic(ScalarFunction& function, const LogicalType& narrower_return,
                        std::vector<LogicalType> narrower_arguments);

/// "integer out of range" and its like, 22003.
[[noreturn]] void ThrowNumberOutOfRange(const LogicalType& type);

/// Kernels of an operator over one pair of layouts.
struct ArithmeticKernels {
  ScalarKernel checked;
  ScalarKernel unchecked;
};
/// The kernels for arguments of physical type `argument` and a result of type `result`: the same type, or
/// 64-bit factors of a 128-bit product. `is_decimal` makes the checked kernel of 128 bits test for 38 digits.
ArithmeticKernels PickArithmeticKernels(ArithmeticOp op, PhysicalType argument, PhysicalType result,
                                        bool is_decimal);
/// Unary minus over one physical type.
ArithmeticKernels PickNegationKernels(PhysicalType type);
/// The range of -x.
std::optional<ValueRange> NegationRange(std::span<const std::optional<ValueRange>> arguments,
                                        std::span<const LogicalType> argument_types,
                                        const LogicalType& return_type);

}  // namespace scaup
