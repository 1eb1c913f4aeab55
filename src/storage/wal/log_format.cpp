// Builds the log's header, slots and frame headers, and computes their checksums.
#include "storage/wal/log_format.hpp"

#include <algorithm>
#include <cstring>

#include "common/checksum.hpp"
#include "scaup/error.hpp"

namespace scaup {

namespace {

// Each of these structures ends with a checksum over the bytes before it.
template <typename T>
uint64_t ChecksumBeforeLast(const T& structure, uint64_t seed) {
  return Checksum(std::as_bytes(std::span(&structure, 1)).first(offsetof(T, checksum)), seed);
}

}  // namespace

uint64_t HeaderChecksum(const LogHeader& header) { return ChecksumBeforeLast(header, 0); }

uint64_t SlotChecksum(const DurableSlot& slot, uint64_t log_seed) {
  return ChecksumBeforeLast(slot, log_seed);
}

uint64_t FrameChecksum(const FrameHeader& header, uint64_t log_seed) {
  return ChecksumBeforeLast(header, log_seed);
}

uint64_t PayloadChecksum(std::span<const std::byte> payload, uint64_t previous_checksum) {
  return Checksum(payload, previous_checksum);
}

LogHeader MakeLogHeader(const LogIdentity& identity) {
  LogHeader header{};
  std::memcpy(header.magic, kLogMagic, sizeof(kLogMagic));
  header.format_version = kLogFormatVersion;
  header.first_frame_offset = kFirstFrameOffset;
  header.database_id = identity.database_id;
  header.checkpoint_number = identity.checkpoint_number;
  header.checksum = HeaderChecksum(header);
  return header;
}

DurableSlot MakeSlot(const LogPosition& durable, uint64_t slot_sequence, uint64_t log_seed) {
  DurableSlot slot{};
  slot.slot_sequence = slot_sequence;
  slot.durable_length = durable.offset;
  slot.frame_sequence = durable.sequence;
  slot.previous_checksum = durable.previous_checksum;
  slot.checksum = SlotChecksum(slot, log_seed);
  return slot;
}

void WriteSlot(File& file, const LogPosition& durable, uint64_t slot_sequence, uint64_t log_seed) {
  DurableSlot copies[kSlotCopies];
  std::fill_n(copies, kSlotCopies, MakeSlot(durable, slot_sequence, log_seed));
  // Both copies go in one write: a crash may tear one of them, not both.
  file.Write(SlotOffset(slot_sequence), copies, sizeof(copies));
}

FrameHeader MakeFrameHeader(std::span<const std::byte> payload, uint64_t flags, const LogPosition& position,
                            uint64_t durable_length, uint64_t log_seed) {
  FrameHeader header{};
  header.size_and_flags = payload.size() | flags;
  header.sequence = position.sequence;
  header.durable_length = durable_length;
  header.previous_checksum = position.previous_checksum;
  header.payload_checksum = PayloadChecksum(payload, position.previous_checksum);
  header.checksum = FrameChecksum(header, log_seed);
  return header;
}

void CutLog(File& file, uint64_t length) {
  // A system that believes the file to have this length already would do nothing, so the file is extended
  // first.
  const std::byte beyond[kFrameAlignment] = {};
  try {
    file.Write(length, beyond, sizeof(beyond));
  } catch (const std::exception&) {
    // A full disk must not prevent the truncation, which frees space.
  }
  file.Truncate(length);
}

LogPosition PositionAfter(const FrameHeader& header, const LogPosition& position) {
  const uint64_t payload_bytes = PayloadBytes(header);
  return {position.offset + sizeof(header) + payload_bytes + PaddingOf(payload_bytes), position.sequence + 1,
          header.checksum};
}

}  // namespace scaup
