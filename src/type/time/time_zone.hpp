// Time zones: conversion between moments and local times, by the rules of the system's time zone database.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace scaup {

class TimeZoneLibrary;

/// The rules of a time zone. Moments are microseconds since 1970-01-01 00:00:00 UTC; local times are
/// microseconds since that time on the zone's clocks. Immutable; thread-safe.
class TimeZone {
 public:
  /// A period, in seconds, in which the offset does not change.
  struct Period {
    int64_t begin;
    int64_t end;             ///< exclusive
    int32_t offset_seconds;  ///< east of Greenwich
    uint32_t abbreviation;   ///< offset into `abbreviations_`
  };
  /// A moment when the offset changes.
  struct Transition {
    int64_t moment;  ///< seconds
    int32_t offset_seconds;
    uint32_t abbreviation;
  };

  /// Makes UTC, without a library of other zones.
  TimeZone();
  /// Makes a zone with a constant offset.
  TimeZone(std::string name, std::string abbreviation, int32_t offset_seconds,
           const TimeZoneLibrary* library);

  const std::string& name() const { return name_; }
  /// The library that finds other zones by name; null if there is none.
  const TimeZoneLibrary* library() const { return library_; }

  /// The period that contains a moment, or a local time. Ambiguities are resolved as in PostgreSQL: a local
  /// time skipped when clocks go forward is read with the offset before the change, and one repeated when
  /// clocks go back is the second of the two.
  Period PeriodAt(int64_t moment_seconds) const;
  Period PeriodAtLocal(int64_t local_seconds) const;
  /// The abbreviation of the period: "CET".
  std::string_view Abbreviation(const Period& period) const {
    return abbreviations_.c_str() + period.abbreviation;
  }

 private:
  friend class TimeZoneReader;
  Period Find(const std::vector<int64_t>& begins, int64_t seconds) const;

  std::string name_;
  const TimeZoneLibrary* library_ = nullptr;
  std::string abbreviations_;  // each ends with a zero byte
  Transition first_{};         // before all others; its moment is not used
  std::vector<Transition> transitions_;
  // The times of the transitions, in UTC and on clocks that already show the new time.
  std::vector<int64_t> moments_, locals_;
  bool is_cyclic_ = false;  // the last 400 years of transitions repeat for ever
};

/// Converts many values; caches the period of the last one. Infinities remain unchanged. One thread at a
/// time.
class TimeZoneConverter {
 public:
  explicit TimeZoneConverter(const TimeZone& zone) : zone_(zone) {}
  /// Converts a moment to local time, and back. Returns false if the result is out of range.
  bool ToLocal(int64_t moment_micros, int64_t& local_micros);
  bool ToMoment(int64_t local_micros, int64_t& moment_micros);
  const TimeZone& zone() const { return zone_; }
  /// The period of a finite moment.
  const TimeZone::Period& PeriodAt(int64_t moment_micros);

 private:
  const TimeZone& zone_;
  TimeZone::Period of_moments_{0, 0, 0, 0}, of_locals_{0, 0, 0, 0};  // empty at first
};

/// A zone with a constant offset east of Greenwich, named as PostgreSQL does: "<+05:30>-05:30".
std::shared_ptr<const TimeZone> FixedTimeZone(int32_t offset_seconds, const TimeZoneLibrary* library);
/// Looks up the offset of an abbreviation in PostgreSQL's default list ("PST", "CEST"), in any case.
bool FindZoneAbbreviation(std::string_view text, int32_t& offset_seconds);

}  // namespace scaup
