// Reads the log for recovery, and tells a torn tail from damage.
#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "storage/wal/log_format.hpp"

namespace scaup {

namespace {

constexpr size_t kWindowBytes = 256 << 10;
constexpr size_t kRewriteBytes = 1 << 20;
constexpr size_t kZeroCheckBytes = 512;

// Reads a file through a window, so that small frames do not cost a system call each.
class BufferedFile {
 public:
  explicit BufferedFile(std::unique_ptr<File> file) : file_(std::move(file)) {}
  File& file() { return *file_; }
  std::unique_ptr<File> TakeFile() { return std::move(file_); }
  /// Drops the window, to reread what another process may have written. No more than up to `end` is read at
  /// once from then on.
  void Forget(uint64_t end = UINT64_MAX) {
    window_size_ = 0;
    end_ = end;
  }

  // Returns false if the file ends before.
  bool Read(uint64_t offset, void* target, size_t size_bytes) {
    // Large payloads would flush the window for no gain.
    if (size_bytes > kWindowBytes / 2) return file_->Read(offset, target, size_bytes) == size_bytes;
    if (offset < window_offset_ || offset - window_offset_ + size_bytes > window_size_) {
      const uint64_t most = offset < end_ ? std::min<uint64_t>(end_ - offset, kWindowBytes) : 0;
      window_.resize(std::max<uint64_t>(most, size_bytes));
      window_size_ = file_->Read(offset, window_.data(), window_.size());
      window_offset_ = offset;
      if (window_size_ < size_bytes) return false;
    }
    if (size_bytes > 0) std::memcpy(target, window_.data() + (offset - window_offset_), size_bytes);
    return true;
  }

 private:
  std::unique_ptr<File> file_;
  std::vector<std::byte> window_;
  uint64_t window_offset_ = 0;
  size_t window_size_ = 0;
  uint64_t end_ = UINT64_MAX;
};

[[noreturn]] void ThrowDamaged(const std::string& path, uint64_t offset, const std::string& reason) {
  ThrowError(
      ErrorKind::kIo, sqlstate::kDataCorrupted,
      fmt::format("the log \"{0}\" is damaged at byte {1}: {2}. Nothing has been changed. To open the "
                  "database with the commits before the damage, use recovery_mode='salvage', which keeps "
                  "the log as \"{0}.damaged\"",
                  path, offset, reason));
}

class FileLogReader final : public LogReader {
 public:
  FileLogReader(std::unique_ptr<File> file, Mode mode, bool may_write)
      : file_(std::move(file)), path_(file_.file().path()), mode_(mode), may_write_(may_write) {
    LogHeader header{};
    const std::string reason = ReadHeader(header);
    if (!reason.empty()) {
      Stop(0, reason);
      return;
    }
    identity_ = {header.database_id, header.checkpoint_number};
    log_seed_ = header.checksum;
    position_.previous_checksum = log_seed_;
    if (mode_ == Mode::kFollow) return;
    ReadSlots();
    // The size is taken after the slots. If another process is writing, the file was at least as long when it
    // wrote them.
    file_.Forget();
    file_size_ = file_.file().Size();
  }

  const LogIdentity& identity() const override { return identity_; }
  bool was_damaged() const override { return was_damaged_; }

  bool Extend(const std::function<bool()>& has_writer) override {
    SCAUP_CHECK(mode_ == Mode::kFollow);
    if (!HasNews()) return true;
    ReadSlots();
    if (!HasLastFrame()) return false;
    // Frames that a writer has not synced yet must not be taken for those that a dead one has left. So it is
    // asked for again after these were read.
    has_writer_ = has_writer();
    end_offset_ = FindEnd();
    if (!has_writer_ && has_writer()) {
      has_writer_ = true;
      ReadSlots();
      end_offset_ = FindEnd();
    }
    if (has_writer_) file_size_ = end_offset_;
    file_.Forget(end_offset_);
    NoteTail();
    return true;
  }

  bool Next(std::vector<std::byte>& payload) override {
    if (mode_ == Mode::kFollow) return NextUpToEnd(payload);
    if (at_end_) return false;
    if (position_.offset == file_size_) {
      if (HasSlot() && position_.offset < slot_.durable_length) {
        Stop(position_.offset,
             fmt::format("it ends there, but {} bytes of it were on disk", slot_.durable_length));
      }
      at_end_ = true;
      return false;
    }
    FrameHeader header{};
    std::string reason = ReadFrame(header, payload);
    if (reason.empty()) reason = CheckAgainstSlot(header);
    if (!reason.empty()) {
      payload.clear();
      // Zeros are space reserved for later frames, and count as the file's end. Only a slot can prove that
      // frames stood there.
      if (RestIsZero() ? position_.offset < slot_.durable_length : WasOnceWhole())
        Stop(position_.offset, reason);
      at_end_ = true;
      return false;
    }
    position_ = PositionAfter(header, position_);
    return true;
  }

  std::unique_ptr<WriteAheadLog> Continue() override {
    if (!may_write_ || !at_end_ || was_damaged_) {
      ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
                 fmt::format("the log \"{}\" cannot be continued: {}", path_,
                             !may_write_ ? "it was opened for reading"
                             : !at_end_  ? "it was not read to its end"
                                         : "it is damaged"));
    }
    File& file = file_.file();
    CutLog(file, position_.offset);
    RewriteWhatMayNotBeDurable();
    file.Sync();
    // These frames now count as acknowledged, so later damage to them must not look like a torn tail. And the
    // next torn tail must not look like damage, which it would if an old bad slot stayed; then both slots are
    // rewritten.
    uint64_t slot_sequence = slot_.slot_sequence;
    const bool is_noted = HasSlot() && slot_.durable_length == position_.offset;
    const uint64_t slots_to_write = has_bad_slot_ ? kLogSlotCount : is_noted ? 0 : 1;
    for (uint64_t i = 0; i < slots_to_write; i++) WriteSlot(file, position_, ++slot_sequence, log_seed_);
    if (slots_to_write > 0) file.Sync();
    return MakeLogWriter(file_.TakeFile(), identity_, position_, log_seed_, slot_sequence);
  }

 private:
  bool HasSlot() const { return slot_.durable_length != 0; }

  bool NextUpToEnd(std::vector<std::byte>& payload) {
    if (position_.offset >= end_offset_) {
      at_end_ = true;
      return false;
    }
    FrameHeader header{};
    std::string reason = ReadFrame(header, payload);
    if (reason.empty()) reason = CheckAgainstSlot(header);
    if (!reason.empty()) Stop(position_.offset, reason);
    last_frame_offset_ = position_.offset;
    position_ = PositionAfter(header, position_);
    return true;
  }

  // Returns whether there may be frames behind the end that Extend found. Cheap, as each transaction asks:
  // each commit changes a slot, or begins where the one before ended.
  bool HasNews() {
    DurableSlot copy;
    for (uint64_t index = 0; index < kLogSlotCount; index++) {
      if (!ReadDirectly(SlotOffset(index), copy) ||
          std::memcmp(&copy, &seen_slots_[index], sizeof(copy)) != 0)
        return true;
    }
    FrameHeader tail;
    ReadDirectly(end_offset_, tail);
    return has_frame_behind_ || std::memcmp(&tail, &seen_tail_, sizeof(tail)) != 0 ||
           (!has_writer_ && file_.file().Size() != file_size_);
  }

  // Notes what stands behind the end. A frame that has come there since FindEnd looked is left to the next
  // Extend.
  void NoteTail() {
    has_frame_behind_ =
        ReadDirectly(end_offset_, seen_tail_) && seen_tail_.checksum == FrameChecksum(seen_tail_, log_seed_);
  }

  // Reads past the window what another process may be changing; zeros where the file ends before.
  template <typename T>
  bool ReadDirectly(uint64_t offset, T& target) {
    std::memset(&target, 0, sizeof(T));
    return file_.file().Read(offset, &target, sizeof(T)) == sizeof(T);
  }

  // Returns whether the frame that was read last is still in the log.
  bool HasLastFrame() {
    FrameHeader header{};
    return position_.sequence == 1 ||
           (ReadDirectly(last_frame_offset_, header) && header.checksum == position_.previous_checksum);
  }

  // Returns where the frames end that count as committed, from the present position or the durable end on.
  uint64_t FindEnd() {
    LogPosition start = position_;
    if (start.offset < slot_.durable_length)
      start = {slot_.durable_length, slot_.frame_sequence, slot_.previous_checksum};
    FrameHeader header{};
    // Mostly there is nothing behind the durable end, or what the writer is just syncing.
    if (has_writer_ && (!ReadDirectly(start.offset, header) || !IsUnsynced(header))) return start.offset;
    file_.Forget();
    file_size_ = file_.file().Size();
    const LogPosition kept = std::exchange(position_, start);
    LogPosition end = start;
    std::vector<std::byte> payload;
    std::string reason;
    while (position_.offset < file_size_) {
      reason = ReadFrame(header, payload);
      if (!reason.empty() || (has_writer_ && !IsUnsynced(header))) break;
      position_ = PositionAfter(header, position_);
      // Recovery takes each frame that a dead writer left by itself.
      if (!has_writer_ || (header.size_and_flags & kMoreFramesFollow) == 0) end = position_;
    }
    // Zeros are space for later frames. Anything else that was once whole is damage, as for recovery.
    if (!has_writer_ && !reason.empty() && !RestIsZero() && WasOnceWhole()) Stop(position_.offset, reason);
    position_ = kept;
    return end.offset;
  }
  static bool IsUnsynced(const FrameHeader& header) {
    return (header.size_and_flags & kFrameIsUnsynced) != 0;
  }

  std::string ReadFrame(FrameHeader& header, std::vector<std::byte>& payload) {
    std::string reason = CheckHeader(header);
    if (reason.empty()) reason = ReadPayload(header, payload);
    return reason;
  }

  // Returns why the header cannot be used; empty if it can.
  std::string ReadHeader(LogHeader& header) {
    if (!file_.Read(0, &header, sizeof(header)) || file_.file().Size() < kFirstFrameOffset) {
      return "it is shorter than its header";
    }
    if (std::memcmp(header.magic, kLogMagic, sizeof(kLogMagic)) != 0)
      return "it does not begin as a log does";
    if (header.checksum != HeaderChecksum(header)) return "its header does not match its checksum";
    if (header.format_version != kLogFormatVersion) {
      ThrowNotSupported(
          fmt::format("the log \"{}\" has format version {}; this version of Scaup reads version {}", path_,
                      header.format_version, kLogFormatVersion));
    }
    if (header.first_frame_offset != kFirstFrameOffset) return "its header contradicts its version";
    return {};
  }

  // Selects the newest valid slot.
  void ReadSlots() {
    has_bad_slot_ = false;
    for (uint64_t index = 0; index < kLogSlotCount; index++) {
      DurableSlot slot{};
      if (!ReadSlot(index, slot)) {
        has_bad_slot_ = true;
      } else if (!HasSlot() || slot.slot_sequence > slot_.slot_sequence) {
        slot_ = slot;
      }
    }
  }

  // Reads the newer of the valid copies.
  bool ReadSlot(uint64_t index, DurableSlot& slot) {
    // Another process may be in the middle of writing this slot, so a bad slot is read again.
    for (int attempt = 0; attempt < 3; attempt++) {
      DurableSlot copies[kSlotCopies];
      if (!ReadDirectly(SlotOffset(index), copies)) return false;
      seen_slots_[index] = copies[0];
      for (const DurableSlot& copy : copies) {
        const bool is_valid =
            copy.checksum == SlotChecksum(copy, log_seed_) && copy.durable_length >= kFirstFrameOffset;
        if (is_valid && (slot.durable_length == 0 || copy.slot_sequence > slot.slot_sequence)) slot = copy;
      }
      if (slot.durable_length != 0) return true;
    }
    return false;
  }

  // Returns why the bytes at position_ are not the next frame's header; empty if they are.
  std::string CheckHeader(FrameHeader& header) {
    // The lengths are compared by subtraction, since sums of damaged numbers could overflow.
    if (file_size_ - position_.offset < sizeof(header) ||
        !file_.Read(position_.offset, &header, sizeof(header))) {
      return "a frame's header is cut off";
    }
    if (header.checksum != FrameChecksum(header, log_seed_))
      return "a frame's header does not match its checksum";
    if (header.sequence != position_.sequence || header.previous_checksum != position_.previous_checksum) {
      return fmt::format("frame {} stands where frame {} belongs", header.sequence, position_.sequence);
    }
    const uint64_t room = file_size_ - position_.offset - sizeof(header);
    const uint64_t payload_bytes = PayloadBytes(header);
    if (payload_bytes > room || PaddingOf(payload_bytes) > room - payload_bytes) {
      return fmt::format("a frame of {} bytes is cut off", payload_bytes);
    }
    return {};
  }

  std::string ReadPayload(const FrameHeader& header, std::vector<std::byte>& payload) {
    const uint64_t offset = position_.offset + sizeof(header);
    payload.resize(PayloadBytes(header));
    std::byte padding[kFrameAlignment] = {};
    const size_t padding_bytes = PaddingOf(payload.size());
    if (!file_.Read(offset, payload.data(), payload.size()) ||
        !file_.Read(offset + payload.size(), padding, padding_bytes)) {
      return "a frame is cut off";
    }
    if (PayloadChecksum(payload, header.previous_checksum) != header.payload_checksum) {
      return "a frame's contents do not match their checksum";
    }
    if (std::any_of(padding, padding + padding_bytes, [](std::byte byte) { return byte != std::byte{0}; })) {
      return "the bytes behind a frame are not zero";
    }
    return {};
  }

  // A frame that ends at the slot's durable_length must be the frame that the slot describes.
  std::string CheckAgainstSlot(const FrameHeader& header) {
    if (!HasSlot() || position_.offset >= slot_.durable_length) return {};
    const LogPosition after = PositionAfter(header, position_);
    if (after.offset < slot_.durable_length) return {};
    if (after.offset == slot_.durable_length && after.sequence == slot_.frame_sequence &&
        after.previous_checksum == slot_.previous_checksum) {
      return {};
    }
    return "a frame is not the one that was made durable";
  }

  bool RestIsZero() {
    std::vector<std::byte> bytes(kZeroCheckBytes);
    for (uint64_t offset = position_.offset; offset < file_size_; offset += bytes.size()) {
      const auto wanted = std::min<uint64_t>(bytes.size(), file_size_ - offset);
      if (!file_.Read(offset, bytes.data(), wanted)) return false;
      const auto end = bytes.begin() + static_cast<ptrdiff_t>(wanted);
      if (std::any_of(bytes.begin(), end, [](std::byte byte) { return byte != std::byte{0}; })) return false;
    }
    return true;
  }

  // Returns whether the invalid frame at position_ was once whole on stable storage. The proof is a slot, or
  // a later frame that was written when this one was already durable. A bad slot may have been such a proof,
  // as a crash tears at most one of its two copies. A whole frame behind position_ alone proves nothing: a
  // crash may lose the beginning of a write and leave its end.
  bool WasOnceWhole() {
    if (has_bad_slot_ || position_.offset < slot_.durable_length) return true;
    FrameHeader header{};
    for (uint64_t offset = position_.offset + kFrameAlignment; offset + sizeof(header) <= file_size_;
         offset += kFrameAlignment) {
      if (!file_.Read(offset, &header, sizeof(header))) break;
      if (header.durable_length > position_.offset && header.durable_length <= offset &&
          header.sequence > position_.sequence && header.checksum == FrameChecksum(header, log_seed_)) {
        return true;
      }
    }
    return false;
  }

  // Frames that were read may be only in the system's page cache, and after a failed sync in an earlier
  // process even in pages that count as clean. Rewriting them makes the next sync write them.
  void RewriteWhatMayNotBeDurable() {
    File& file = file_.file();
    std::vector<std::byte> buffer;
    uint64_t offset = HasSlot() ? slot_.durable_length : kFirstFrameOffset;
    while (offset < position_.offset) {
      buffer.resize(std::min<uint64_t>(position_.offset - offset, kRewriteBytes));
      SCAUP_CHECK(file.Read(offset, buffer.data(), buffer.size()) == buffer.size());
      file.Write(offset, buffer.data(), buffer.size());
      offset += buffer.size();
    }
  }

  // Handles damage: throws in strict mode; in salvage mode ends the log and notes the damage.
  void Stop(uint64_t offset, const std::string& reason) {
    if (mode_ != Mode::kSalvage) ThrowDamaged(path_, offset, reason);
    was_damaged_ = true;
    at_end_ = true;
  }

  BufferedFile file_;
  const std::string path_;
  const Mode mode_;
  const bool may_write_;
  LogIdentity identity_;
  uint64_t log_seed_ = 0;
  DurableSlot slot_{};  // the newest valid slot; durable_length 0 if there is none
  bool has_bad_slot_ = false;
  DurableSlot seen_slots_[kLogSlotCount] = {};  // in kFollow: the bytes that the last Extend found
  FrameHeader seen_tail_{};                     // in kFollow: the same of what is behind the end
  bool has_frame_behind_ = true;
  uint64_t end_offset_ = kFirstFrameOffset;  // in kFollow: Next reads up to here
  uint64_t last_frame_offset_ = 0;
  bool has_writer_ = false;  // in kFollow: there was a writer at the last Extend
  uint64_t file_size_ = 0;
  LogPosition position_;
  bool at_end_ = false;
  bool was_damaged_ = false;
};

}  // namespace

std::unique_ptr<LogReader> LogReader::Open(FileSystem& files, const std::string& path, Mode mode,
                                           bool may_write) {
  std::unique_ptr<File> file;
  if (may_write) {
    if (!files.Exists(path)) return nullptr;
    file = files.Open(path, OpenMode::kReadWrite);
  } else {
    // Another process may remove the log at any time, so an existence test beforehand would prove nothing.
    try {
      file = files.Open(path, OpenMode::kRead);
    } catch (const Error& error) {
      if (std::strcmp(error.sqlstate(), sqlstate::kUndefinedFile) == 0) return nullptr;
      throw;
    }
  }
  return std::make_unique<FileLogReader>(std::move(file), mode, may_write);
}

}  // namespace scaup
