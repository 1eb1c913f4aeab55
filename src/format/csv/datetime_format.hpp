// Parsing and formatting of dates and timestamps by a format such as '%d.%m.%Y %H:%M'.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace scaup {

/// A compiled format of %Y %y %m %d %b %B %H %I %p %M %S %f %j %% and literal text. Immutable, thread-safe.
class DateTimeFormat {
 public:
  /// Throws Error(kBinder, 22023) for an unknown directive.
  explicit DateTimeFormat(std::string format);

  /// Parses a text; false if it does not match the format or is not a valid time. Fields missing in the
  /// format default to 1 January 1970, midnight.
  bool Parse(std::string_view text, int64_t& timestamp_micros) const;
  void Append(int64_t timestamp_micros, std::string& out) const;

 private:
  std::string format_;
};

}  // namespace scaup
