// TIME WITH TIME ZONE: its text, and its conversion from times and moments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "scaup/time_tz.hpp"

namespace scaup {

class TimeZone;
class TimeZoneConverter;

/// Parses a time with an offset or the abbreviation of a zone, or a date and a time with the name of one.
/// Without one of these the clocks are those of `zone` today. Returns false for other texts.
bool ParseTimeTz(std::string_view text, const TimeZone& zone, int64_t& stored);
/// Formats as "12:34:56.5+02"; at most kFormatBufferBytes.
size_t FormatTimeTz(int64_t stored, char* out);
/// The offset of a zone at present, by which times without a date are read, as in PostgreSQL.
int32_t PresentOffset(const TimeZone& zone);
/// A time of day on the clocks of a zone at present. Returns false if they are too far from UTC, as in what
/// follows.
bool TimeTzOfTime(int64_t micros, const TimeZone& zone, int64_t& stored);
/// The time that the clocks of a zone show at a moment. Returns false for an infinity, too.
bool TimeTzOfMoment(int64_t moment_micros, TimeZoneConverter& zone, int64_t& stored);
/// Replaces a time by that of the same moment on clocks with another offset.
bool ShiftTimeTz(int64_t& stored, int32_t offset_seconds);

}  // namespace scaup
