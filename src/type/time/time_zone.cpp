// Time zones and conversions between moments and local times.
#include "type/time/time_zone.hpp"

#include <dirent.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

#include "common/descriptor.hpp"
#include "common/file/file_system.hpp"
#include "scaup/error.hpp"
#include "type/number/decimal.hpp"
#include "type/number/number_text.hpp"
#include "type/time/date_time.hpp"
#include "type/time/time_zone_library.hpp"
#include "type/time/time_zone_reader.hpp"

namespace scaup {

namespace {

constexpr int64_t kSecondsPerCycle = int64_t{146097} * 24 * 3600;  // 400 years of the Gregorian calendar

int64_t FloorSeconds(int64_t micros) {
  const int64_t seconds = micros / kMicrosPerSecond;
  return micros % kMicrosPerSecond < 0 ? seconds - 1 : seconds;
}

std::string ToLower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

/// The name of the entry of `directory` that equals `name` except for case; empty if there is none.
std::string FindEntry(const std::string& directory, std::string_view name) {
  DIR* const entries = Descriptor::OpenDirectory(directory.c_str());
  if (entries == nullptr) return "";
  const std::string lower = ToLower(name);
  std::string found;
  while (const dirent* entry = readdir(entries)) {
    if (!EqualsIgnoringCase(entry->d_name, lower)) continue;
    found = entry->d_name;
    if (found == name) break;
  }
  closedir(entries);
  return found;
}

/// The path of a zone below `directory`, in the spelling of the file system; empty if there is none. Names
/// with ".." find nothing.
std::string FindPath(const std::string& directory, std::string_view name) {
  std::string path;
  while (!name.empty()) {
    const size_t slash = std::min(name.find('/'), name.size());
    const std::string_view part = name.substr(0, slash);
    if (part.empty() || part.front() == '.') return "";
    const std::string entry = FindEntry(path.empty() ? directory : directory + "/" + path, part);
    if (entry.empty()) return "";
    path += (path.empty() ? "" : "/") + entry;
    name.remove_prefix(std::min(slash + 1, name.size()));
  }
  return path;
}

/// The contents of a file; empty if it cannot be read or is too large for a zone.
std::string ReadFile(const std::string& path) {
  constexpr uint64_t kMostBytes = 1 << 20;
  try {
    const auto file = MakePosixFileSystem()->Open(path, OpenMode::kRead);
    const uint64_t size_bytes = file->Size();
    if (size_bytes > kMostBytes) return "";
    std::string bytes(size_bytes, '\0');
    bytes.resize(file->Read(0, bytes.data(), bytes.size()));
    return bytes;
  } catch (const Error&) {
    return "";  // a directory, or nothing: not a zone
  }
}

struct ZoneAbbreviation {
  std::string_view name;
  int32_t quarter_hours;  ///< east of Greenwich
};

// Sorted by name: the entries of PostgreSQL's default list that are in use.
constexpr ZoneAbbreviation kAbbreviations[] = {
    {"acdt", 42}, {"acst", 38},  {"adt", -12}, {"aedt", 44}, {"aest", 40}, {"akdt", -32}, {"akst", -36},
    {"ast", -16}, {"awst", 32},  {"brst", -8}, {"brt", -12}, {"bst", 4},   {"cdt", -20},  {"cest", 8},
    {"cet", 4},   {"clst", -12}, {"cst", -24}, {"eat", 12},  {"edt", -16}, {"eest", 12},  {"eet", 8},
    {"est", -20}, {"gmt", 0},    {"hkt", 32},  {"hst", -40}, {"ict", 28},  {"idt", 12},   {"ist", 8},
    {"jst", 36},  {"kst", 36},   {"mdt", -24}, {"mest", 8},  {"met", 4},   {"msd", 16},   {"msk", 12},
    {"mst", -28}, {"mut", 16},   {"myt", 32},  {"ndt", -10}, {"npt", 23},  {"nst", -14},  {"nzdt", 52},
    {"nzst", 48}, {"pdt", -28},  {"pht", 32},  {"pkt", 20},  {"pst", -32}, {"ut", 0},     {"utc", 0},
    {"uyt", -12}, {"west", 4},   {"wet", 0},   {"z", 0},     {"zulu", 0},
};
static_assert(std::is_sorted(std::begin(kAbbreviations), std::end(kAbbreviations),
                             [](const ZoneAbbreviation& a, const ZoneAbbreviation& b) {
                               return a.name < b.name;
                             }));

}  // namespace

TimeZone::TimeZone() : TimeZone("UTC", "UTC", 0, nullptr) {}

TimeZone::TimeZone(std::string name, std::string abbreviation, int32_t offset_seconds,
                   const TimeZoneLibrary* library)
    : name_(std::move(name)),
      library_(library),
      abbreviations_(std::move(abbreviation)),
      first_{0, offset_seconds, 0} {}

TimeZone::Period TimeZone::Find(const std::vector<int64_t>& begins, int64_t seconds) const {
  // Times after the last transition are shifted back by whole cycles, because the last cycle repeats.
  int64_t shift = 0;
  if (is_cyclic_ && seconds >= begins.back()) {
    shift = ((seconds - begins.back()) / kSecondsPerCycle + 1) * kSecondsPerCycle;
  }
  const auto next = std::upper_bound(begins.begin(), begins.end(), seconds - shift);
  const Transition& transition =
      next == begins.begin() ? first_ : transitions_[static_cast<size_t>(next - begins.begin()) - 1];
  return {next == begins.begin() ? INT64_MIN : *std::prev(next) + shift,
          next == begins.end() ? INT64_MAX : *next + shift, transition.offset_seconds,
          transition.abbreviation};
}

TimeZone::Period TimeZone::PeriodAt(int64_t moment_seconds) const { return Find(moments_, moment_seconds); }
TimeZone::Period TimeZone::PeriodAtLocal(int64_t local_seconds) const { return Find(locals_, local_seconds); }

const TimeZone::Period& TimeZoneConverter::PeriodAt(int64_t moment_micros) {
  const int64_t seconds = FloorSeconds(moment_micros);
  if (seconds < of_moments_.begin || seconds >= of_moments_.end) of_moments_ = zone_.PeriodAt(seconds);
  return of_moments_;
}

bool TimeZoneConverter::ToLocal(int64_t moment_micros, int64_t& local_micros) {
  local_micros = moment_micros;
  if (IsInfiniteTimestamp(moment_micros)) return true;
  const int64_t offset = PeriodAt(moment_micros).offset_seconds * kMicrosPerSecond;
  return !__builtin_add_overflow(moment_micros, offset, &local_micros) && !IsInfiniteTimestamp(local_micros);
}

bool TimeZoneConverter::ToMoment(int64_t local_micros, int64_t& moment_micros) {
  moment_micros = local_micros;
  if (IsInfiniteTimestamp(local_micros)) return true;
  const int64_t seconds = FloorSeconds(local_micros);
  if (seconds < of_locals_.begin || seconds >= of_locals_.end) of_locals_ = zone_.PeriodAtLocal(seconds);
  const int64_t offset = of_locals_.offset_seconds * kMicrosPerSecond;
  return !__builtin_sub_overflow(local_micros, offset, &moment_micros) && IsTimestampInRange(moment_micros);
}

std::shared_ptr<const TimeZone> TimeZoneLibrary::Load(std::string_view name) const {
  if (EqualsIgnoringCase(name, "utc")) return std::make_shared<TimeZone>("UTC", "UTC", 0, this);
  if (const std::string path = FindPath(directory_, name); !path.empty()) {
    if (auto zone = TimeZoneReader::FromFile(path, ReadFile(directory_ + "/" + path), this)) return zone;
  }
  std::string upper(name);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return TimeZoneReader::FromRule(upper, upper, this);
}

std::shared_ptr<const TimeZone> TimeZoneLibrary::Find(std::string_view name) const {
  constexpr size_t kLongestName = 255;
  if (name.empty() || name.size() > kLongestName || name.find('\0') != std::string_view::npos) return nullptr;
  std::string key = ToLower(name);
  {
    const MutexLock lock(mutex_);
    if (const auto found = zones_.find(key); found != zones_.end()) return found->second;
  }
  auto zone = Load(name);
  // Unknown names are not cached: users can write any number of them.
  if (!zone) return nullptr;
  const MutexLock lock(mutex_);
  return zones_.try_emplace(std::move(key), std::move(zone)).first->second;
}

std::shared_ptr<const TimeZone> TimeZoneLibrary::FindSetting(std::string_view text) const {
  text = TrimSpace(text);
  double hours = 0;
  constexpr double kMostHours = 168;
  if (IsNumberText(text) && ParseDouble(text, hours)) {
    if (!(std::fabs(hours) <= kMostHours)) return nullptr;
    return FixedTimeZone(static_cast<int32_t>(std::lround(hours * 3600)), this);
  }
  return Find(text);
}

std::shared_ptr<const TimeZone> FixedTimeZone(int32_t offset_seconds, const TimeZoneLibrary* library) {
  const int32_t magnitude = std::abs(offset_seconds);
  std::string digits = fmt::format("{:02}", magnitude / 3600);
  if (magnitude % 3600 != 0) digits += fmt::format(":{:02}", magnitude / 60 % 60);
  if (magnitude % 60 != 0) digits += fmt::format(":{:02}", magnitude % 60);
  const char east = offset_seconds < 0 ? '-' : '+', west = offset_seconds < 0 ? '+' : '-';
  return std::make_shared<TimeZone>(fmt::format("<{}{}>{}{}", east, digits, west, digits),
                                    fmt::format("{}{}", east, digits), offset_seconds, library);
}

bool FindZoneAbbreviation(std::string_view text, int32_t& offset_seconds) {
  constexpr size_t kLongest = 4;
  if (text.size() > kLongest) return false;
  const std::string name = ToLower(text);
  const auto* found = std::lower_bound(
      std::begin(kAbbreviations), std::end(kAbbreviations), name,
      [](const ZoneAbbreviation& entry, const std::string& wanted) { return entry.name < wanted; });
  if (found == std::end(kAbbreviations) || found->name != name) return false;
  offset_seconds = found->quarter_hours * 15 * 60;
  return true;
}

}  // namespace scaup
