// Parses files of the time zone database.
#include "type/time/time_zone_reader.hpp"

#include <cstring>

#include "type/time/date_time.hpp"
#include "type/time/zone_rule.hpp"

namespace scaup {

namespace {

constexpr size_t kHeaderBytes = 44;
constexpr int32_t kYearsOfCycle = 400;  // the Gregorian cycle, which is a whole number of weeks

uint64_t ReadBigEndian(const char* bytes, size_t count) {
  uint64_t number = 0;
  for (size_t i = 0; i < count; i++) number = number << 8 | static_cast<unsigned char>(bytes[i]);
  return number;
}

int32_t ReadInt32(const char* bytes) { return static_cast<int32_t>(ReadBigEndian(bytes, 4)); }

/// The contents of one of a file's two data blocks.
struct DataBlock {
  size_t transition_count = 0, type_count = 0, abbreviation_bytes = 0;
  const char* moments = nullptr;
  const char* transition_types = nullptr;
  const char* types = nullptr;
  const char* abbreviations = nullptr;
  std::string_view rest;  ///< the bytes after the block
};

/// Parses a data block. `moment_bytes` is 4 in the first block and 8 in the second.
bool ReadBlock(std::string_view bytes, size_t moment_bytes, DataBlock& block) {
  if (bytes.size() < kHeaderBytes || !bytes.starts_with("TZif")) return false;
  const auto count = [&](size_t i) {
    return static_cast<size_t>(ReadBigEndian(bytes.data() + 20 + 4 * i, 4));
  };
  const size_t utc_flags = count(0), standard_flags = count(1), leap_seconds = count(2);
  block.transition_count = count(3);
  block.type_count = count(4);
  block.abbreviation_bytes = count(5);
  const size_t needed = block.transition_count * (moment_bytes + 1) + block.type_count * 6 +
                        block.abbreviation_bytes + leap_seconds * (moment_bytes + 4) + standard_flags +
                        utc_flags;
  if (block.type_count == 0 || block.abbreviation_bytes == 0 || bytes.size() - kHeaderBytes < needed)
    return false;
  block.moments = bytes.data() + kHeaderBytes;
  block.transition_types = block.moments + block.transition_count * moment_bytes;
  block.types = block.transition_types + block.transition_count;
  block.abbreviations = block.types + block.type_count * 6;
  block.rest = bytes.substr(kHeaderBytes + needed);
  return block.abbreviations[block.abbreviation_bytes - 1] == '\0';
}

bool MakeTransition(const DataBlock& block, size_t type, int64_t moment, TimeZone::Transition& transition) {
  if (type >= block.type_count) return false;
  const char* const bytes = block.types + type * 6;
  transition = {moment, ReadInt32(bytes), static_cast<unsigned char>(bytes[5])};
  constexpr int32_t kMostSeconds = 26 * 3600;
  return transition.abbreviation < block.abbreviation_bytes && transition.offset_seconds > -kMostSeconds &&
         transition.offset_seconds < kMostSeconds;
}

/// The rule at the end of a file, between two line feeds.
std::string_view RuleAtEnd(std::string_view rest) {
  if (rest.size() < 2 || rest.front() != '\n') return {};
  const size_t end = rest.find('\n', 1);
  return end == std::string_view::npos ? std::string_view() : rest.substr(1, end - 1);
}

}  // namespace

uint32_t TimeZoneReader::AddAbbreviation(TimeZone& zone, const std::string& abbreviation) {
  const auto place = static_cast<uint32_t>(zone.abbreviations_.size());
  zone.abbreviations_ += abbreviation;
  zone.abbreviations_ += '\0';
  return place;
}

bool TimeZoneReader::AddRule(TimeZone& zone, std::string_view text) {
  ZoneRule rule;
  if (!ParseZoneRule(text, rule)) return false;
  const uint32_t standard = AddAbbreviation(zone, rule.standard_name);
  if (!rule.has_daylight) {
    if (zone.transitions_.empty()) zone.first_ = {0, rule.standard_offset, standard};
    return true;  // the file's last transition already leads to it
  }
  const uint32_t daylight = AddAbbreviation(zone, rule.daylight_name);
  constexpr int32_t kFirstYear = 1970;
  int32_t year = kFirstYear;
  int64_t last = INT64_MIN;
  if (zone.transitions_.empty()) {
    zone.first_ = {0, rule.standard_offset, standard};
  } else {
    last = zone.transitions_.back().moment;
    constexpr int64_t kFarAway = int64_t{200} * 366 * 24 * 3600;  // beyond any real file's last transition
    if (last > kFarAway || last < -kFarAway) return false;
    year = CivilFromDays(static_cast<int32_t>(last / (24 * 3600))).year;
  }
  // One year more than a cycle, because the first may have begun before the file's last transition.
  for (const int32_t end = year + kYearsOfCycle + 1; year <= end; year++) {
    const int64_t begin = rule.daylight_begin.InYear(year) - rule.standard_offset;
    const int64_t stop = rule.daylight_end.InYear(year) - rule.daylight_offset;
    const TimeZone::Transition to_daylight{begin, rule.daylight_offset, daylight};
    const TimeZone::Transition to_standard{stop, rule.standard_offset, standard};
    for (const auto& transition :
         {begin < stop ? to_daylight : to_standard, begin < stop ? to_standard : to_daylight}) {
      if (transition.moment > last) zone.transitions_.push_back(transition);
    }
  }
  zone.is_cyclic_ = true;
  return true;
}

void TimeZoneReader::Finish(TimeZone& zone) {
  zone.moments_.reserve(zone.transitions_.size());
  zone.locals_.reserve(zone.transitions_.size());
  for (const TimeZone::Transition& transition : zone.transitions_) {
    zone.moments_.push_back(transition.moment);
    zone.locals_.push_back(transition.moment + transition.offset_seconds);
  }
}

std::shared_ptr<const TimeZone> TimeZoneReader::FromFile(std::string name, std::string_view bytes,
                                                         const TimeZoneLibrary* library) {
  DataBlock block;
  size_t moment_bytes = 4;
  if (!ReadBlock(bytes, moment_bytes, block)) return nullptr;
  if (bytes[4] >= '2') {
    moment_bytes = 8;
    if (!ReadBlock(block.rest, moment_bytes, block)) return nullptr;
  }
  auto zone = std::make_shared<TimeZone>(std::move(name), "", 0, library);
  zone->abbreviations_.assign(block.abbreviations, block.abbreviation_bytes);
  if (!MakeTransition(block, 0, 0, zone->first_)) return nullptr;
  for (size_t i = 0; i < block.transition_count; i++) {
    const char* const place = block.moments + i * moment_bytes;
    const int64_t moment =
        moment_bytes == 4 ? ReadInt32(place) : static_cast<int64_t>(ReadBigEndian(place, moment_bytes));
    TimeZone::Transition transition;
    if (!MakeTransition(block, static_cast<unsigned char>(block.transition_types[i]), moment, transition) ||
        (!zone->transitions_.empty() && zone->transitions_.back().moment >= moment)) {
      return nullptr;
    }
    zone->transitions_.push_back(transition);
  }
  if (moment_bytes == 8) {
    const std::string_view rule = RuleAtEnd(block.rest);
    if (!rule.empty() && !AddRule(*zone, rule)) return nullptr;
  }
  Finish(*zone);
  return zone;
}

std::shared_ptr<const TimeZone> TimeZoneReader::FromRule(std::string name, std::string_view rule,
                                                         const TimeZoneLibrary* library) {
  auto zone = std::make_shared<TimeZone>(std::move(name), "", 0, library);
  zone->abbreviations_.clear();
  if (!AddRule(*zone, rule)) return nullptr;
  Finish(*zone);
  return zone;
}

}  // namespace scaup
