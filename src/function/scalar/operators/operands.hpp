// Converts the two operands of an operator to the flat or constant form that the kernel table needs.
#pragma once

#include "vector/data_chunk.hpp"

namespace scaup {

/// Two operands as arrays. Borrowed from the vectors of the chunk.
struct Operands {
  const std::byte* a;
  const std::byte* b;
  bool a_is_constant;
  bool b_is_constant;
  template <typename T>
  const T* A() const {
    return reinterpret_cast<const T*>(a);
  }
  template <typename T>
  const T* B() const {
    return reinterpret_cast<const T*>(b);
  }
};

/// Flattens dictionary and sequence operands, and sets the result's validity to that of both. Returns false
/// if an operand is a constant NULL; the result is then a constant NULL already.
bool PrepareOperands(DataChunk& arguments, Vector& result, Operands& operands);
/// Prepares a single operand; `is_constant` receives its form.
bool PrepareOperand(DataChunk& arguments, Vector& result, const std::byte*& data, bool& is_constant);

/// Whether row `row` of a result under construction is not NULL.
inline bool IsValidRow(const ValidityWord* validity, size_t row) {
  return validity == nullptr || TestValid(validity, row);
}

}  // namespace scaup
