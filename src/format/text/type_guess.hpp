// Guesses the type of a text column from its values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "function/scalar/temporal/strftime_format.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// The set of types that fit all values seen so far. One thread at a time.
class TypeGuess {
 public:
  /// Adds a value. The formats are borrowed for the call and may be null.
  void Add(std::string_view text, const StrftimeFormat* date_format, const StrftimeFormat* timestamp_format);
  void Add(const TypeGuess& other) {
    candidates_ &= other.candidates_;
    has_values_ = has_values_ || other.has_values_;
  }
  bool has_values() const { return has_values_; }
  /// BOOLEAN, BIGINT, HUGEINT, DOUBLE, DATE, TIME, TIMESTAMP with or without time zone; VARCHAR if no other
  /// type fits or no value was seen.
  LogicalType Type() const;

 private:
  uint8_t candidates_ = 0xFF;
  bool has_values_ = false;
};

}  // namespace scaup
