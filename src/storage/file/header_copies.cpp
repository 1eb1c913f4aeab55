// Reads the copies of the header, and picks the one that counts.
#include "storage/file/header_copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "common/throw.hpp"
#include "storage/file/block_pointer.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowBadHeader(const std::string& message) {
  ThrowError(ErrorKind::kIo, sqlstate::kDataCorrupted, message);
}

}  // namespace

void ReadHeaderImage(File& file, HeaderImage& image) {
  for (uint64_t copy = 0; copy < kHeaderCopies; copy++) {
    const auto bytes = std::span(image).subspan(copy * kHeaderBytes, kHeaderBytes);
    const size_t read = file.Read(copy * kFileBlockBytes, bytes.data(), bytes.size());
    std::fill(bytes.begin() + static_cast<ptrdiff_t>(read), bytes.end(), std::byte{});
  }
}

HeaderCopies DecodeHeaderImage(const HeaderImage& image, File& file) {
  using State = DecodedHeader::State;
  const std::string& path = file.path();
  DecodedHeader copies[kHeaderCopies];
  const uint64_t size_bytes = file.Size();
  for (uint64_t copy = 0; copy < kHeaderCopies; copy++) {
    // A file that is too short for a copy has none, whatever its first bytes are.
    const uint64_t begin = copy * kFileBlockBytes;
    const size_t there = std::min<uint64_t>(size_bytes - std::min(size_bytes, begin), kHeaderBytes);
    copies[copy] = DecodeHeader(std::span(image).subspan(copy * kHeaderBytes, there), path);
  }
  for (const DecodedHeader& copy : copies) {
    if (copy.state != State::kNewer) continue;
    ThrowNotSupported(fmt::format(
        "database file \"{}\" has format {}, and this version of Scaup reads format {}: open "
        "it with {} version",
        path, copy.version, kFileFormatVersion, copy.version > kFileFormatVersion ? "a newer" : "an older"));
  }
  const bool first_is_whole = copies[0].state == State::kValid,
             second_is_whole = copies[1].state == State::kValid;
  if (!first_is_whole && !second_is_whole) {
    if (copies[0].state == State::kForeign && copies[1].state == State::kForeign) {
      ThrowBadHeader(file.Size() == 0 ? fmt::format("file \"{}\" is empty: not a Scaup database", path)
                                      : fmt::format("file \"{}\" is not a Scaup database", path));
    }
    ThrowBadHeader(
        fmt::format("both headers of database file \"{}\" (at 0 and {}) are damaged", path, kFileBlockBytes));
  }
  // A copy that is not intact was being written when the system crashed; the other one counts.
  if (!first_is_whole) return {copies[1].header, true, 0};
  if (!second_is_whole) return {copies[0].header, true, 1};
  if (copies[0].header.database_id != copies[1].header.database_id) {
    ThrowBadHeader(fmt::format("the headers of database file \"{}\" are of different databases", path));
  }
  const uint64_t newer = copies[0].header.checkpoint_number >= copies[1].header.checkpoint_number ? 0 : 1;
  const bool are_different = EncodeHeader(copies[0].header) != EncodeHeader(copies[1].header);
  return {copies[newer].header, are_different, kHeaderCopies - 1 - newer};
}

void CheckLength(File& file, const FileHeader& header) {
  // The last block may be shorter than a whole block; reading it checks its length.
  const uint64_t size_bytes = file.Size();
  if (size_bytes / kFileBlockBytes >= header.block_count - 1 &&
      size_bytes > (header.block_count - 1) * kFileBlockBytes)
    return;
  ThrowBadHeader(
      fmt::format("database file \"{}\" is cut off: it has {} bytes, but by its header {} blocks of {} bytes",
                  file.path(), size_bytes, header.block_count, kFileBlockBytes));
}

}  // namespace scaup
