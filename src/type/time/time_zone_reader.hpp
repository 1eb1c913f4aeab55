// Makes zones from files of the time zone database and from rules.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "type/time/time_zone.hpp"

namespace scaup {

/// Reads TZif files (RFC 9636). Stateless.
class TimeZoneReader {
 public:
  /// Null for bytes that are no such file.
  static std::shared_ptr<const TimeZone> FromFile(std::string name, std::string_view bytes,
                                                  const TimeZoneLibrary* library);
  /// From a rule as POSIX writes them. Null for what is none.
  static std::shared_ptr<const TimeZone> FromRule(std::string name, std::string_view rule,
                                                  const TimeZoneLibrary* library);

 private:
  static void Finish(TimeZone& zone);
  static bool AddRule(TimeZone& zone, std::string_view rule);
  static uint32_t AddAbbreviation(TimeZone& zone, const std::string& abbreviation);
};

}  // namespace scaup
