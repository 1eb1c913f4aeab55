// The log's bytes: header, durable slots, frames. docs/file-format.md describes them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "storage/wal/write_ahead_log.hpp"

namespace scaup {

static_assert(std::endian::native == std::endian::little, "files are little-endian and are read in place");

inline constexpr char kLogMagic[8] = {'S', 'c', 'a', 'u', 'p', 'L', 'o', 'g'};
inline constexpr uint32_t kLogFormatVersion = 9;
/// Header and slots have a page of their own each: writing a slot can never harm the header, nor the other
/// slot.
inline constexpr uint64_t kLogPageBytes = 4096;
inline constexpr uint64_t kLogSlotCount = 2;
inline constexpr size_t kSlotCopies = 2;
inline constexpr uint64_t kFirstFrameOffset = kLogPageBytes * (1 + kLogSlotCount);
inline constexpr uint64_t kFrameAlignment = 8;

/// At offset 0, written once. In every version `magic`, `format_version` and `checksum` stand where they do.
struct LogHeader {
  char magic[8];
  uint32_t format_version;
  uint32_t first_frame_offset;
  uint64_t database_id;
  uint64_t checkpoint_number;
  uint64_t reserved[3];  ///< zero
  uint64_t checksum;     ///< of the bytes before it
};
static_assert(sizeof(LogHeader) == 64 && offsetof(LogHeader, format_version) == 8 &&
              offsetof(LogHeader, database_id) == 16 && offsetof(LogHeader, checkpoint_number) == 24 &&
              offsetof(LogHeader, checksum) == 56);

/// At the start of pages 1 and 2, written in turn, and in each twice, one behind the other, in one write: a
/// crash in the middle of it leaves a whole copy, so a slot without one is damaged. Says that all before
/// `durable_length` was on stable storage when it was written, so that whatever does not check there is
/// damage. It is written without a sync of its own: after a power failure it may lag, and then claims less.
struct DurableSlot {
  uint64_t slot_sequence;      ///< the higher one counts
  uint64_t durable_length;     ///< of the file
  uint64_t frame_sequence;     ///< of the frame that begins there
  uint64_t previous_checksum;  ///< that this frame will name
  uint64_t reserved[3];        ///< zero
  uint64_t checksum;           ///< of the bytes before it, seeded with the header's checksum
};
static_assert(sizeof(DurableSlot) == 64 && offsetof(DurableSlot, durable_length) == 8 &&
              offsetof(DurableSlot, frame_sequence) == 16 && offsetof(DurableSlot, previous_checksum) == 24 &&
              offsetof(DurableSlot, checksum) == 56);

/// Before each payload. Checks by itself, so that frames behind damage can be found, and names the frame
/// before it, so that a frame in another's place is found out.
struct FrameHeader {
  uint64_t payload_bytes;
  uint64_t sequence;           ///< 1, 2, 3, ...
  uint64_t durable_length;     ///< what was durable when this frame was written: proof that it once was whole
  uint64_t previous_checksum;  ///< `checksum` of the frame before, or of the file's header
  uint64_t payload_checksum;   ///< seeded with previous_checksum
  uint64_t checksum;           ///< of the bytes before it, seeded with the file header's checksum
};
static_assert(sizeof(FrameHeader) == 48 && offsetof(FrameHeader, sequence) == 8 &&
              offsetof(FrameHeader, durable_length) == 16 && offsetof(FrameHeader, previous_checksum) == 24 &&
              offsetof(FrameHeader, payload_checksum) == 32 && offsetof(FrameHeader, checksum) == 40);

/// Between two frames: where the next one begins, its number, and what it must name as its predecessor.
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
/// Writes all copies of a slot; does not sync.
void WriteSlot(File& file, const LogPosition& durable, uint64_t slot_sequence, uint64_t log_seed);
FrameHeader MakeFrameHeader(std::span<const std::byte> payload, const LogPosition& position,
                            uint64_t durable_length, uint64_t log_seed);
uint64_t FrameChecksum(const FrameHeader& header, uint64_t log_seed);
uint64_t PayloadChecksum(std::span<const std::byte> payload, uint64_t previous_checksum);
/// Zero bytes after a payload, so that frames begin at multiples of 8.
inline uint64_t PaddingOf(uint64_t payload_bytes) { return (~payload_bytes + 1) % kFrameAlignment; }
/// Where the frame after the one at `position` begins.
LogPosition PositionAfter(const FrameHeader& header, const LogPosition& position);

/// Cuts a log off at `length`; does not sync. Does so even where the file looks no longer than that, because
/// after a sync that failed it may be on disk.
void CutLog(File& file, uint64_t length);

/// The end of a log that is known to be whole: nothing lies behind `end`, and all before it is durable.
/// `log_seed` is the header's checksum, `slot_sequence` that of the slot written last.
std::unique_ptr<WriteAheadLog> MakeLogWriter(std::unique_ptr<File> file, const LogIdentity& identity,
                                             const LogPosition& end, uint64_t log_seed,
                                             uint64_t slot_sequence);

}  // namespace scaup
