// The type that a column of text has, guessed from its values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "format/csv/datetime_format.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// Which types every value seen so far could have. One thread.
class TypeGuess {
 public:
  /// The formats may be null; they are borrowed for the call.
  void Add(std::string_view text, const DateTimeFormat* date_format, const DateTimeFormat* timestamp_format);
  void Add(const TypeGuess& other) {
    candidates_ &= other.candidates_;
    has_values_ = has_values_ || other.has_values_;
  }
  bool has_values() const { return has_values_; }
  /// BOOLEAN, BIGINT, HUGEINT, DOUBLE, DATE, TIMESTAMP or TIME; VARCHAR where nothing else fits or nothing
  /// was seen.
  LogicalType Type() const;

 private:
  uint8_t candidates_ = 0xFF;
  bool has_values_ = false;
};

}  // namespace scaup
