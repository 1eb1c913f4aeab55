// The library of time zones: finds them by name in the system's time zone database.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "common/lock/mutex.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {

/// Finds zones by name and caches them. Thread-safe.
class TimeZoneLibrary {
 public:
  /// `directory` holds one file per zone, in the format of RFC 9636.
  explicit TimeZoneLibrary(std::string directory = "/usr/share/zoneinfo")
      : directory_(std::move(directory)) {}

  /// Finds a zone by a name of the time zone database in any case ("Europe/Berlin"), by an abbreviation
  /// ("CET"), or by a POSIX rule ("EST5EDT", "<+03>-3"). Null if there is none.
  std::shared_ptr<const TimeZone> Find(std::string_view name) const;
  /// Finds the zone that SET TIME ZONE names; also accepts hours east of Greenwich ("-8", "5.5").
  std::shared_ptr<const TimeZone> FindSetting(std::string_view text) const;

 private:
  std::shared_ptr<const TimeZone> Load(std::string_view name) const;

  std::string directory_;
  mutable Mutex mutex_;
  // By lower-case name.
  mutable std::unordered_map<std::string, std::shared_ptr<const TimeZone>> zones_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
