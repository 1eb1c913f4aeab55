// The header of a database file: which file this is, and where its newest checkpoint begins.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "storage/file/extent.hpp"

namespace scaup {

inline constexpr uint32_t kFileFormatVersion = 11;
/// The header stands twice, at the beginning of the first two blocks of the file.
inline constexpr uint64_t kHeaderCopies = 2;
/// Bytes of one copy: 48 of fields, extents, and the checksum of all before it in the last eight.
///   0 "SCAUPDB\n"  8 version u32  12 block size u32  16 database id u64  24 checkpoint number u64
///   32 number of blocks u64  40 number of extents u32  44 zero u32  48 extents, 28 bytes each
inline constexpr size_t kHeaderBytes = 4096;
inline constexpr size_t kMostRootExtents = (kHeaderBytes - 48 - 8) / kExtentBytes;

struct FileHeader {
  uint64_t database_id = 0;        ///< random; the log and readers know the file by it
  uint64_t checkpoint_number = 0;  ///< one more with every checkpoint
  uint64_t block_count = 0;        ///< blocks that the file must have, the headers' own among them
  Extents root;                    ///< the catalog; empty in a new database
};

/// REQUIRES: at most kMostRootExtents extents.
std::array<std::byte, kHeaderBytes> EncodeHeader(const FileHeader& header);

/// The contents of one copy of the header.
struct DecodedHeader {
  enum class State : uint8_t {
    kValid = 1,
    kForeign = 2,  ///< not a file of ours
    kDamaged = 3,  ///< begins as ours, but its checksum does not fit
    kNewer = 4,    ///< whole, of a format that this version does not know
  };
  State state = State::kForeign;
  uint32_t version = 0;
  FileHeader header;
};
DecodedHeader DecodeHeader(std::span<const std::byte> bytes, const std::string& path);

}  // namespace scaup
