// Encodes and decodes the file header.
#include "storage/file/file_header.hpp"

#include <cstring>

#include "common/checksum.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr char kMagic[8] = {'S', 'C', 'A', 'U', 'P', 'D', 'B', '\n'};
constexpr size_t kChecksumOffset = kHeaderBytes - 8;

}  // namespace

std::array<std::byte, kHeaderBytes> EncodeHeader(const FileHeader& header) {
  SCAUP_CHECK(header.root.size() <= kMostRootExtents);
  ByteWriter writer;
  writer.WriteBytes(std::as_bytes(std::span(kMagic)));
  writer.WriteU32(kFileFormatVersion);
  writer.WriteU32(kFileBlockBytes);
  writer.WriteU64(header.database_id);
  writer.WriteU64(header.checkpoint_number);
  writer.WriteU64(header.block_count);
  writer.WriteU32(static_cast<uint32_t>(header.root.size()));
  writer.WriteU32(0);
  for (const Extent& extent : header.root) WriteExtent(extent, writer);
  std::array<std::byte, kHeaderBytes> bytes{};
  std::memcpy(bytes.data(), writer.bytes().data(), writer.size());
  ByteWriter checksum;
  checksum.WriteU64(Checksum(std::span(bytes).first(kChecksumOffset)));
  std::memcpy(bytes.data() + kChecksumOffset, checksum.bytes().data(), 8);
  return bytes;
}

DecodedHeader DecodeHeader(std::span<const std::byte> bytes, const std::string& path) {
  DecodedHeader result;
  if (bytes.size() < kHeaderBytes || std::memcmp(bytes.data(), kMagic, sizeof(kMagic)) != 0) return result;
  result.state = DecodedHeader::State::kDamaged;
  ByteReader checksum(bytes.subspan(kChecksumOffset, 8), path);
  // The checksum comes first: fields of a damaged header are not to be trusted, not even the version.
  if (checksum.ReadU64("checksum of the header") != Checksum(bytes.first(kChecksumOffset))) return result;
  ByteReader reader(bytes.subspan(sizeof(kMagic), kChecksumOffset - sizeof(kMagic)), path);
  result.version = reader.ReadU32("format version");
  if (result.version != kFileFormatVersion) {
    result.state = DecodedHeader::State::kNewer;
    return result;
  }
  // From here on a mismatch means damage, as the version fixes these fields.
  if (reader.ReadU32("block size") != kFileBlockBytes) return result;
  FileHeader& header = result.header;
  header.database_id = reader.ReadU64("database id");
  header.checkpoint_number = reader.ReadU64("checkpoint number");
  header.block_count = reader.ReadU64("number of blocks");
  const uint32_t extent_count = reader.ReadU32("number of extents");
  reader.ReadU32("reserved bytes");
  if (extent_count > kMostRootExtents || header.block_count < kHeaderCopies) return result;
  for (uint32_t i = 0; i < extent_count; i++) header.root.push_back(ReadExtent(reader));
  result.state = DecodedHeader::State::kValid;
  return result;
}

}  // namespace scaup
