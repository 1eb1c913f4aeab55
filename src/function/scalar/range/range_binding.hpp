// The shared part of functions of ranges: their types, and loops over rows of ranges.
#pragma once

#include <optional>
#include <string>

#include "function/scalar/scalar_functions.hpp"
#include "type/range_value.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

/// Stand in argument_types for ranges and multiranges of any type, in overloads with any_types.
inline LogicalType AnyRangeType() { return RangeType(TypeId::kNull); }
inline LogicalType AnyMultirangeType() { return MultirangeType(TypeId::kNull); }

/// Resolves the types of a call: those arguments whose parameter is a range or multirange have bounds of one
/// type, and the others are values of that type. Returns the type of the bounds. Throws Error(42883) if the
/// arguments do not fit together, or if all of them are of unknown type.
LogicalType BindRangeArguments(ScalarFunction& function, std::span<const BindArgument> arguments);

/// Reads one argument of a call row by row. A value counts as the range that has it alone.
class SpanReader {
 public:
  SpanReader(Vector& argument, size_t count)
      : type_(argument.type()),
        values_(argument.View(count)),
        append_(FindSlotAppender(type_)),
        is_constant_(argument.is_constant()) {}

  /// Replaces `spans` by those of a row; returns false for NULL. They are valid until the next call, for
  /// which `spans` must be the same: it is left as it is where all rows have one value.
  bool Read(size_t row, RangeSpans& spans);

 private:
  LogicalType type_;
  UnifiedView values_;
  SlotAppender append_;
  bool is_constant_;
  bool is_read_ = false;
  std::string before_, behind_;  // cuts around a value
};

}  // namespace scaup
