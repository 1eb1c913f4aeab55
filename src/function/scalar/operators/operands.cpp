// Converts the operands of an operator to the flat or constant form that the kernel table needs.
#include "function/scalar/operators/operands.hpp"

namespace scaup {
namespace {

bool PrepareColumn(Vector& column, size_t count, Vector& result) {
  if (column.is_null_constant()) {
    result.SetConstantNull();
    return false;
  }
  if (!column.is_flat() && !column.is_constant()) column.Flatten(count);
  return true;
}

void MergeValidity(const Vector& column, size_t count, Vector& result) {
  if (column.is_constant() || column.Validity() == nullptr) return;
  ValidityWord* target = result.MutableValidity();
  for (size_t word = 0; word < (count + 63) / 64; word++) target[word] &= column.Validity()[word];
}

}  // namespace

bool PrepareOperands(DataChunk& arguments, Vector& result, Operands& operands) {
  Vector& a = arguments.column(0);
  Vector& b = arguments.column(1);
  const size_t count = arguments.size();
  if (!PrepareColumn(a, count, result) || !PrepareColumn(b, count, result)) return false;
  MergeValidity(a, count, result);
  MergeValidity(b, count, result);
  operands = {a.Data<std::byte>(), b.Data<std::byte>(), a.is_constant(), b.is_constant()};
  return true;
}

bool PrepareOperand(DataChunk& arguments, Vector& result, const std::byte*& data, bool& is_constant) {
  Vector& a = arguments.column(0);
  if (!PrepareColumn(a, arguments.size(), result)) return false;
  MergeValidity(a, arguments.size(), result);
  data = a.Data<std::byte>();
  is_constant = a.is_constant();
  return true;
}

}  // namespace scaup
