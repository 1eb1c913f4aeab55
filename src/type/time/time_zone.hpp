// Time zones: what clocks show at a moment, and at which moment they show it. Rules are those of the system's
// time zone database.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace scaup {

class TimeZoneLibrary;

/// A zone's rules. Immutable, usable from any thread. Moments and local times are microseconds since
/// 1970-01-01 00:00:00, of UTC and of the zone's clocks.
class TimeZone {
 public:
  /// A stretch of time, in seconds, without a change of the clocks.
  struct Period {
    int64_t begin;
    int64_t end;             ///< not part of it
    int32_t offset_seconds;  ///< east of Greenwich
    uint32_t abbreviation;   ///< where it begins in `abbreviations`
  };
  /// When the clocks change.
  struct Transition {
    int64_t moment;  ///< seconds
    int32_t offset_seconds;
    uint32_t abbreviation;
  };

  /// UTC, which knows no other zones.
  TimeZone();
  /// Always the same offset.
  TimeZone(std::string name, std::string abbreviation, int32_t offset_seconds,
           const TimeZoneLibrary* library);

  const std::string& name() const { return name_; }
  /// Where further zones are found by name; null where they are not.
  const TimeZoneLibrary* library() const { return library_; }

  /// The period that a moment, or a local time, lies in. Where clocks are put forward, the hour that they
  /// leave out counts as if they had not been; where they are put back, the hour that comes twice is the
  /// second: as PostgreSQL.
  Period PeriodAt(int64_t moment_seconds) const;
  Period PeriodAtLocal(int64_t local_seconds) const;
  /// "CET"
  std::string_view Abbreviation(const Period& period) const {
    return abbreviations_.c_str() + period.abbreviation;
  }

 private:
  friend class TimeZoneReader;
  Period Find(const std::vector<int64_t>& begins, int64_t seconds) const;

  std::string name_;
  const TimeZoneLibrary* library_ = nullptr;
  std::string abbreviations_;  // Each ends with a zero byte.
  Transition first_{};         // Before all others; its moment does not count.
  std::vector<Transition> transitions_;
  // When transitions take place, by UTC and by clocks that show the new time already.
  std::vector<int64_t> moments_, locals_;
  bool is_cyclic_ = false;  // The last 400 years of transitions come again for ever.
};

/// Converts many values: remembers the period of the last one. Infinities stay what they are. One thread.
class TimeZoneConverter {
 public:
  explicit TimeZoneConverter(const TimeZone& zone) : zone_(zone) {}
  /// Converts a moment to the time that clocks show, and back; false where the result is out of range.
  bool ToLocal(int64_t moment_micros, int64_t& local_micros);
  bool ToMoment(int64_t local_micros, int64_t& moment_micros);
  const TimeZone& zone() const { return zone_; }
  /// The period of a finite moment.
  const TimeZone::Period& PeriodAt(int64_t moment_micros);

 private:
  const TimeZone& zone_;
  TimeZone::Period of_moments_{0, 0, 0, 0}, of_locals_{0, 0, 0, 0};  // Empty at first.
};

/// Finds zones by name and keeps them. Thread-safe.
class TimeZoneLibrary {
 public:
  /// Zones are files below `directory`, in the format of RFC 9636.
  explicit TimeZoneLibrary(std::string directory = "/usr/share/zoneinfo")
      : directory_(std::move(directory)) {}

  /// By a name of the time zone database in any case ("Europe/Berlin"), an abbreviation ("CET"), or a rule as
  /// POSIX writes them ("EST5EDT", "<+03>-3"). Null if there is none.
  std::shared_ptr<const TimeZone> Find(std::string_view name) const;
  /// Finds the zone that SET TIME ZONE names: also hours east of Greenwich ("-8", "5.5").
  std::shared_ptr<const TimeZone> FindSetting(std::string_view text) const;

 private:
  std::shared_ptr<const TimeZone> Load(std::string_view name) const;

  std::string directory_;
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::string, std::shared_ptr<const TimeZone>> zones_;  // By lower case name.
};

/// The zone of clocks that are `offset_seconds` east of Greenwich, named as PostgreSQL does:
/// "<+05:30>-05:30".
std::shared_ptr<const TimeZone> FixedTimeZone(int32_t offset_seconds, const TimeZoneLibrary* library);
/// The offset of a zone's abbreviation as PostgreSQL knows them by default ("PST", "CEST"), in any case.
bool FindZoneAbbreviation(std::string_view text, int32_t& offset_seconds);

}  // namespace scaup
