// Damages files of a database and looks what it says.
#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "common/sqlstate.hpp"
#include "scaup/error.hpp"
#include "simulation/check_failure.hpp"
#include "simulation/simulation_checks.hpp"

namespace scaup::test {

namespace {

using Random = std::mt19937_64;
constexpr uint64_t kRangeBytes[] = {1, 8, 100, 512, 4096, 65'536, 262'144};

constexpr uint64_t kLogHeadBytes = 32;

// Somewhere in the file, mostly where something is written.
uint64_t AnyOffset(const std::string& bytes, Random& random) {
  uint64_t offset = 0;
  for (int i = 0; i < 20 && !bytes.empty(); i++) {
    offset = random() % bytes.size();
    if (bytes[offset] != '\0') break;
  }
  return offset;
}

/// Does some damage, and says what.
std::string DamageFile(SimulatedFileSystem& files, const std::string& path, const std::string& older,
                       Random& random) {
  const std::string bytes = files.Content(path);
  const uint64_t first = AnyOffset(bytes, random), second = AnyOffset(bytes, random);
  const uint64_t size = kRangeBytes[random() % std::size(kRangeBytes)];
  // Blocks and sectors go wrong as wholes.
  const uint64_t aligned = first / size * size, other = second / size * size;
  switch (random() % 7) {
    case 0:
    case 1: {
      const auto bit = static_cast<unsigned>(random() % 8);
      files.FlipBit(path, first, bit);
      return fmt::format("bit {} of byte {} of {} flipped", bit, first, path);
    }
    case 2:
      files.ZeroRange(path, aligned, size);
      return fmt::format("{} bytes at {} of {} zeroed", size, aligned, path);
    case 3:
      files.SwapRanges(path, first / 8 * 8, second / 8 * 8, 8);
      return fmt::format("words at {} and {} of {} swapped", first / 8 * 8, second / 8 * 8, path);
    case 4:
      files.CopyRange(path, aligned, other, size);
      return fmt::format("{} bytes at {} of {} copied to {}", size, aligned, path, other);
    case 5:
      files.RestoreRange(path, older, aligned, size);
      return fmt::format("{} bytes at {} of {} as they were before", size, aligned, path);
    default: files.CutTo(path, first); return fmt::format("{} cut to {} bytes", path, first);
  }
}

bool Differs(const std::string& a, const std::string& b, uint64_t begin, uint64_t end) {
  for (uint64_t i = begin; i < end; i++) {
    if (i >= a.size() || i >= b.size() || a[i] != b[i]) return true;
  }
  return false;
}

/// The first state that the damaged log may tell of: the last ones are gone with frames whose damage nobody
/// can tell from a torn tail.
size_t FirstState(const DamageSubject& subject, const std::string& damaged_log) {
  const std::vector<uint64_t>& lengths = subject.log_lengths;
  const auto original = subject.image.find(subject.log_path);
  size_t state = subject.workload.statements.size();
  if (original == subject.image.end()) return state;
  // A log with an older head is what a crash between a checkpoint and the new log leaves: its frames do not
  // count.
  const auto older = subject.older.find(subject.log_path);
  const bool is_older = older != subject.older.end() &&
                        !Differs(older->second, damaged_log, 0, kLogHeadBytes) &&
                        Differs(original->second, damaged_log, 0, kLogHeadBytes);
  while (state > 0 && lengths[state] >= lengths[state - 1] &&
         (is_older || lengths[state] == lengths[state - 1] ||
          Differs(original->second, damaged_log, lengths[state - 1], lengths[state]))) {
    state--;
  }
  return state;
}

// The file beside the database.
std::string LogPath(const SimulatedFileSystem& files) {
  for (const std::string& path : files.Files()) {
    if (path != kDatabasePath) return path;
  }
  return "";
}

std::string SizeText(const SimulatedFileSystem::Image& image) {
  std::string text;
  for (const auto& [path, bytes] : image) text += fmt::format(" {}: {} bytes", path, bytes.size());
  return text;
}

}  // namespace

DamageSubject MakeDamageSubject(const OpenDatabase& open, Workload workload, bool is_closed) {
  DamageSubject subject{std::move(workload), {}, {}, "", {}};
  SimulatedFileSystem files;
  auto database = open(files);
  const auto note_log = [&] {
    if (subject.log_path.empty()) subject.log_path = LogPath(files);
    subject.log_lengths.push_back(subject.log_path.empty() ? 0 : files.Content(subject.log_path).size());
  };
  note_log();
  for (size_t i = 0; i < subject.workload.statements.size(); i++) {
    ExecuteStatement(*database, subject.workload, i);
    note_log();
    if (i == subject.workload.statements.size() / 2) subject.older = files.Save();
  }
  if (!is_closed) files.Kill();
  database.reset();
  subject.image = files.Save();
  return subject;
}

std::string CheckDamage(const OpenDatabase& open, const DamageSubject& subject, uint64_t seed) {
  Random random(seed);
  SimulatedFileSystem files;
  files.Load(subject.image);
  const std::vector<std::string> paths = files.Files();
  const std::string path = paths[random() % paths.size()];
  const auto older = subject.older.find(path);
  const std::string damage =
      DamageFile(files, path, older == subject.older.end() ? "" : older->second, random);
  const size_t end = subject.workload.statements.size();
  const size_t first = path == subject.log_path ? FirstState(subject, files.Content(path)) : end;
  return Checked(files, fmt::format("seed {}, {};{}", seed, damage, SizeText(subject.image)), [&] {
    try {
      const auto database = open(files);
      RequireState(*database, ReadDatabase(*database), subject.workload, first, end);
    } catch (const Error& error) {
      if (std::string(error.sqlstate()) != sqlstate::kDataCorrupted || error.kind() != ErrorKind::kIo) throw;
      if (error.message().find(path) == std::string::npos) {
        throw CheckFailure{"the message does not name the file: " + error.message()};
      }
    }
  });
}

}  // namespace scaup::test
