// The header of a database file: its identity, and the root of its newest checkpoint.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "storage/file/extent.hpp"

namespace scaup {

inline constexpr uint32_t kFileFormatVersion = 16;
/// The header has two copies, at the beginning of the first two blocks of the file.
inline constexpr uint64_t kHeaderCopies = 2;
/// The size of one copy: 48 bytes of fields, then extents, and in the last eight bytes the checksum of
/// everything before.
///   0 "SCAUPDB\n"  8 version u32  12 block size u32  16 database id u64  24 checkpoint number u64
///   32 number of blocks u64  40 number of extents u32  44 zero u32  48 extents, 28 bytes each
inline constexpr size_t kHeaderBytes = 4096;
inline constexpr size_t kMostRootExtents = (kHeaderBytes - 48 - 8) / kExtentBytes;

/// The decoded header.
struct FileHeader {
  uint64_t database_id = 0;        ///< random; log and readers identify the file by it
  uint64_t checkpoint_number = 0;  ///< grows by one with every checkpoint
  uint64_t block_count = 0;        ///< least number of blocks of the file, header blocks included
  Extents root;                    ///< location of the catalog; empty in a new database
};

/// REQUIRES: at most kMostRootExtents extents.
std::array<std::byte, kHeaderBytes> EncodeHeader(const FileHeader& header);

/// The result of decoding one copy of the header.
struct DecodedHeader {
  enum class State : uint8_t {
    kValid = 1,
    kForeign = 2,  ///< not a Scaup file
    kDamaged = 3,  ///< a Scaup file with a wrong checksum
    kNewer = 4,    ///< intact, but of an unknown format version
  };
  State state = State::kForeign;
  uint32_t version = 0;
  FileHeader header;
};
DecodedHeader DecodeHeader(std::span<const std::byte> bytes, const std::string& path);

}  // namespace scaup
