// Byte layout of the write-ahead log: header, durable slots, frames. docs/file-format.md describes it.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "storage/wal/write_ahead_log.hpp"

namespace scaup {

static_assert(std::endian::native == std::endian::little, "files are little-endian and are read in place");

inline constexpr char kLogMagic[8] = {'S', 'c', 'a', 'u', 'p', 'L', 'o', 'g'};
inline constexpr uint32_t kLogFormatVersion = 15;
/// The header and each slot have a page of their own, so that a torn write of a slot cannot damage the header
/// or the other slot.
inline constexpr uint64_t kLogPageBytes = 4096;
inline constexpr uint64_t kLogSlotCount = 2;
inline constexpr size_t kSlotCopies = 2;
inline constexpr uint64_t kFirstFrameOffset = kLogPageBytes * (1 + kLogSlotCount);
inline constexpr uint64_t kFrameAlignment = 8;

/// The header at offset 0, written once. `magic`, `format_version` and `checksum` have these offsets in every
/// version of the format.
struct LogHeader {
  char magic[8];
  uint32_t format_version;
  uint32_t first_frame_offset;
  uint64_t database_id;
  uint64_t checkpoint_number;
  uint64_t reserved[3];  ///< zero
  uint64_t checksum;     ///< covers the bytes before it
};
static_assert(sizeof(LogHeader) == 64 && offsetof(LogHeader, format_version) == 8 &&
              offsetof(LogHeader, database_id) == 16 && offsetof(LogHeader, checkpoint_number) == 24 &&
              offsetof(LogHeader, checksum) == 56);

/// A record of how much of the log is durable. It stands at the start of pages 1 and 2, which are written in
/// turn.
/// Each page has two copies, one behind the other, written in one write. A crash during the write leaves one
/// copy whole, so a slot without a whole copy is damaged. The slot says that everything before
/// `durable_length` was on stable storage when the slot was written; a frame there that fails its checks is
/// therefore damage.
/// Slots are written without a sync of their own. After a power failure a slot may lag, and then claims less.
struct DurableSlot {
  uint64_t slot_sequence;      ///< the higher one is the newer
  uint64_t durable_length;     ///< durable bytes of the file
  uint64_t frame_sequence;     ///< sequence of the frame that begins there
  uint64_t previous_checksum;  ///< the previous_checksum of this frame
  uint64_t reserved[3];        ///< zero
  uint64_t checksum;           ///< covers the bytes before it, seeded with the header's checksum
};
static_assert(sizeof(DurableSlot) == 64 && offsetof(DurableSlot, durable_length) == 8 &&
              offsetof(DurableSlot, frame_sequence) == 16 && offsetof(DurableSlot, previous_checksum) == 24 &&
              offsetof(DurableSlot, checksum) == 56);

/// The header before each payload. It has a checksum of its own, so that frames behind damage can be found.
/// It names the frame before it, so that a misplaced frame is detected.
struct FrameHeader {
  uint64_t size_and_flags;     ///< bytes of the payload, and the flags below
  uint64_t sequence;           ///< 1, 2, 3, ...
  uint64_t durable_length;     ///< durable bytes when this frame was written: proof that these were whole
  uint64_t previous_checksum;  ///< `checksum` of the previous frame, or of the file's header
  uint64_t payload_checksum;   ///< seeded with previous_checksum
  uint64_t checksum;           ///< covers the bytes before it, seeded with the file header's checksum
};
static_assert(sizeof(FrameHeader) == 48 && offsetof(FrameHeader, sequence) == 8 &&
              offsetof(FrameHeader, durable_length) == 16 && offsetof(FrameHeader, previous_checksum) == 24 &&
              offsetof(FrameHeader, payload_checksum) == 32 && offsetof(FrameHeader, checksum) == 40);

/// Flags of a frame. One that was written without waiting for a sync counts as committed as soon as the whole
/// of its write is there; of the others a reader in another process cannot tell from the frame alone.
inline constexpr uint64_t kFrameIsUnsynced = uint64_t{1} << 63;
/// More frames of the same write follow. If that fails, none of them counts.
inline constexpr uint64_t kMoreFramesFollow = uint64_t{1} << 62;
inline uint64_t PayloadBytes(const FrameHeader& header) {
  return header.size_and_flags & ~(kFrameIsUnsynced | kMoreFramesFollow);
}

/// A position between two frames: the offset and the sequence of the next frame, and the checksum of the
/// frame before.
struct LogPosition {
  uint64_t offset = kFirstFrameOffset;
  uint64_t sequence = 1;
  uint64_t previous_checksum = 0;
};

LogHeader MakeLogHeader(const LogIdentity& identity);
uint64_t HeaderChecksum(const LogHeader& header);
DurableSlot MakeSlot(const LogPosition& durable, uint64_t slot_sequence, uint64_t log_seed);
uint64_t SlotChecksum(const DurableSlot& slot, uint64_t log_seed);
inline uint64_t SlotOffset(uint64_t slot_sequence) {
  return kLogPageBytes * (1 + slot_sequence % kLogSlotCount);
}
/// Writes all copies of a slot. Does not sync.
void WriteSlot(File& file, const LogPosition& durable, uint64_t slot_sequence, uint64_t log_seed);
FrameHeader MakeFrameHeader(std::span<const std::byte> payload, uint64_t flags, const LogPosition& position,
                            uint64_t durable_length, uint64_t log_seed);
uint64_t FrameChecksum(const FrameHeader& header, uint64_t log_seed);
uint64_t PayloadChecksum(std::span<const std::byte> payload, uint64_t previous_checksum);
/// Returns the number of zero bytes after a payload; frames begin at multiples of 8.
inline uint64_t PaddingOf(uint64_t payload_bytes) { return (~payload_bytes + 1) % kFrameAlignment; }
/// Returns the position after the frame that begins at `position`.
LogPosition PositionAfter(const FrameHeader& header, const LogPosition& position);

/// Truncates the log to `length`. Does not sync. It truncates even if the file seems to be no longer than
/// that, because after a failed sync the file may be longer on disk.
void CutLog(File& file, uint64_t length);

/// Makes a writer at the end of a log that is known to be whole: nothing lies behind `end`, and everything
/// before it is durable. `log_seed` is the header's checksum, `slot_sequence` the sequence of the slot
/// written last.
std::unique_ptr<WriteAheadLog> MakeLogWriter(std::unique_ptr<File> file, const LogIdentity& identity,
                                             const LogPosition& end, uint64_t log_seed,
                                             uint64_t slot_sequence);

}  // namespace scaup
