// Makes zones from files of the time zone database and from POSIX rules.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "type/time/time_zone.hpp"

namespace scaup {

/// Parses TZif files (RFC 9636) and POSIX rules. Stateless.
class TimeZoneReader {
 public:
  /// Makes a zone from a file's bytes; null if they are not a TZif file.
  static std::shared_ptr<const TimeZone> FromFile(std::string name, std::string_view bytes,
                                                  const TimeZoneLibrary* library);
  /// Makes a zone from a POSIX rule; null if it is malformed.
  static std::shared_ptr<const TimeZone> FromRule(std::string name, std::string_view rule,
                                                  const TimeZoneLibrary* library);

 private:
  static void Finish(TimeZone& zone);
  static bool AddRule(TimeZone& zone, std::string_view rule);
  static uint32_t AddAbbreviation(TimeZone& zone, const std::string& abbreviation);
};

}  // namespace scaup
