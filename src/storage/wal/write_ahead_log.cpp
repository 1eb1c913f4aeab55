// Writes the log: appends frames, notes in slots what is durable, and cuts off frames when a write fails.
#include "storage/wal/write_ahead_log.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "storage/wal/log_format.hpp"

namespace scaup {

namespace {

// Larger payloads are written from where they are instead of being copied to the buffer first.
constexpr size_t kCopiedPayloadBytes = 1 << 20;
constexpr size_t kBufferBytes = 4 << 20;
// A log above the first size is extended by a quarter at a time, within these bounds; see Reserve.
constexpr uint64_t kLeastReservedLog = 64 << 10;
constexpr uint64_t kLeastReserve = 16 << 10;
constexpr uint64_t kMostReserve = 1 << 20;

void AppendBytes(std::vector<std::byte>& buffer, std::span<const std::byte> bytes) {
  buffer.insert(buffer.end(), bytes.begin(), bytes.end());
}

class LogWriter final : public WriteAheadLog {
 public:
  LogWriter(std::unique_ptr<File> file, const LogIdentity& identity, const LogPosition& end,
            uint64_t log_seed, uint64_t slot_sequence)
      : file_(std::move(file)),
        identity_(identity),
        log_seed_(log_seed),
        end_(end),
        durable_(end),
        slot_sequence_(slot_sequence) {}

  void Append(std::span<const std::span<const std::byte>> payloads, bool sync) override {
    EnsureUsable();
    LogPosition after;
    if (sync) Reserve(payloads);
    try {
      after = WriteFrames(payloads, sync ? 0 : kFrameIsUnsynced);
      // Part of the frames may be in the file. They must go, or recovery would find commits that failed.
    } catch (...) {
      needs_cut_ = true;
      TryCut();
      throw;
    }
    if (sync) {
      MakeDurable(after);
    } else {
      end_ = after;
    }
  }

  void Sync() override {
    EnsureUsable();
    if (end_.offset != durable_.offset) MakeDurable(end_);
  }

  uint64_t size_bytes() const override { return end_.offset; }
  const LogIdentity& identity() const override { return identity_; }

 private:
  void EnsureUsable() {
    if (needs_cut_) Cut();
    if (lost_frames_) {
      ThrowError(
          ErrorKind::kIo, sqlstate::kIoError,
          fmt::format("could not write to the log \"{}\": an earlier sync of it failed and took commits "
                      "with it that were not durable yet; a checkpoint is needed before the next commit",
                      file_->path()));
    }
  }

  // Writes zeros where these frames and some after them will be. Syncing bytes that the file already had
  // takes at most half the time of a sync that must also make a new length durable.
  void Reserve(std::span<const std::span<const std::byte>> payloads) {
    uint64_t end = end_.offset;
    for (const auto& payload : payloads) end += sizeof(FrameHeader) + payload.size() + kFrameAlignment;
    if (end <= reserved_end_ || end < kLeastReservedLog) return;
    const uint64_t size_bytes = std::clamp(end / 4, kLeastReserve, kMostReserve);
    // Set even if the write fails, so that the next attempt comes only after as many bytes again.
    reserved_end_ = end + size_bytes;
    // A reservation smaller than the frames themselves would only write them twice.
    if (end - end_.offset > size_bytes) return;
    try {
      const std::vector<std::byte> zeros(reserved_end_ - end_.offset);
      file_->Write(end_.offset, zeros.data(), zeros.size());
    } catch (const std::exception&) {
      // A disk without space for the zeros may still have space for the frames.
    }
  }

  // Writes a frame for each payload behind end_; returns the position after the last.
  LogPosition WriteFrames(std::span<const std::span<const std::byte>> payloads, uint64_t flags) {
    LogPosition position = end_;
    uint64_t buffer_offset = position.offset;
    const auto flush = [&] {
      if (!buffer_.empty()) file_->Write(buffer_offset, buffer_.data(), buffer_.size());
      buffer_offset += buffer_.size();
      buffer_.clear();
    };
    buffer_.clear();
    for (size_t i = 0; i < payloads.size(); i++) {
      const std::span<const std::byte> payload = payloads[i];
      const uint64_t more = i + 1 < payloads.size() ? kMoreFramesFollow : 0;
      const FrameHeader header = MakeFrameHeader(payload, flags | more, position, durable_.offset, log_seed_);
      AppendBytes(buffer_, std::as_bytes(std::span(&header, 1)));
      if (payload.size() > kCopiedPayloadBytes) {
        flush();
        file_->Write(buffer_offset, payload.data(), payload.size());
        buffer_offset += payload.size();
      } else {
        AppendBytes(buffer_, payload);
      }
      buffer_.resize(buffer_.size() + PaddingOf(payload.size()));
      if (buffer_.size() >= kBufferBytes) flush();
      position = PositionAfter(header, position);
    }
    flush();
    return position;
  }

  // Syncs the file; on success the log ends at `after`.
  void MakeDurable(const LogPosition& after) {
    try {
      file_->Sync();
    } catch (...) {
      needs_cut_ = true;
      ForgetWhatIsNotDurable();
      TryCut();
      throw;
    }
    end_ = after;
    durable_ = after;
    NoteWhatIsDurable();
  }

  // After a failed sync the system may call pages clean that never reached the disk, so that the next sync
  // would succeed without them. So nothing may build on frames since the last good sync.
  void ForgetWhatIsNotDurable() {
    if (end_.offset != durable_.offset) lost_frames_ = true;
    end_ = durable_;
  }

  // Cuts off everything behind end_.
  void Cut() {
    CutLog(*file_, end_.offset);
    reserved_end_ = 0;
    try {
      file_->Sync();
    } catch (...) {
      ForgetWhatIsNotDurable();
      throw;
    }
    needs_cut_ = false;
    durable_ = end_;
  }

  // The error that led here is the one to report. If cutting fails as well, the next Append tries again.
  void TryCut() {
    try {
      Cut();
    } catch (const std::exception&) {
    }
  }

  // Writes a slot without syncing it: what the slot protects is durable already, and the slot reaches the
  // disk with the next commit or when the system writes it. For the same reason a failure does not concern
  // the commit: the other slot is still valid.
  void NoteWhatIsDurable() {
    // Readers in other processes go by the slot, so it is tried twice.
    for (int attempt = 0; attempt < 2; attempt++) {
      try {
        WriteSlot(*file_, durable_, slot_sequence_ + 1, log_seed_);
        slot_sequence_++;
        return;
      } catch (const std::exception&) {
      }
    }
  }

  std::unique_ptr<File> file_;
  const LogIdentity identity_;
  const uint64_t log_seed_;
  LogPosition end_;      // behind the last frame for which Append has returned
  LogPosition durable_;  // behind the last synced frame; never after end_
  uint64_t slot_sequence_;
  uint64_t reserved_end_ = 0;  // the zeros behind end_ reach to here, if they could be written
  bool needs_cut_ = false;     // the file has bytes behind end_ to remove
  bool lost_frames_ = false;   // acknowledged frames are gone, on which later ones may depend
  std::vector<std::byte> buffer_;
};

void WriteEmptyLog(File& file, const LogHeader& header, const LogPosition& start) {
  file.Truncate(kFirstFrameOffset);
  file.Write(0, &header, sizeof(header));
  for (uint64_t slot = 0; slot < kLogSlotCount; slot++) WriteSlot(file, start, slot, header.checksum);
  file.Sync();
}

}  // namespace

std::unique_ptr<WriteAheadLog> WriteAheadLog::Create(FileSystem& files, const std::string& path,
                                                     const LogIdentity& identity) {
  const LogHeader header = MakeLogHeader(identity);
  LogPosition start;
  start.previous_checksum = header.checksum;
  // The log gets its name only when it is complete, so a log under this name always has a header. A file that
  // a crash left under the temporary name is overwritten.
  const std::string new_path = path + kUnfinishedEnding;
  WriteEmptyLog(*files.Open(new_path, OpenMode::kTruncate), header, start);
  files.Rename(new_path, path);
  return MakeLogWriter(files.Open(path, OpenMode::kReadWrite), identity, start, header.checksum,
                       kLogSlotCount - 1);
}

std::unique_ptr<WriteAheadLog> MakeLogWriter(std::unique_ptr<File> file, const LogIdentity& identity,
                                             const LogPosition& end, uint64_t log_seed,
                                             uint64_t slot_sequence) {
  return std::make_unique<LogWriter>(std::move(file), identity, end, log_seed, slot_sequence);
}

}  // namespace scaup
