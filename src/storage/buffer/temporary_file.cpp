// The temporary file: allocates slots, writes them, and verifies what is read.
#include "storage/buffer/temporary_file.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "common/check.hpp"
#include "common/hash.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

// The file is truncated once at least half of it, and at least this much, is free at its end.
constexpr uint64_t kMinShortenBytes = uint64_t{16} << 20;

uint64_t RoundUp(size_t size_bytes) {
  constexpr uint64_t kUnit = TemporaryStorage::kUnitBytes;
  return (uint64_t{size_bytes} + kUnit - 1) / kUnit * kUnit;
}

}  // namespace

TemporarySlot& TemporarySlot::operator=(TemporarySlot&& other) noexcept {
  if (this == &other) return *this;
  Reset();
  storage_ = std::exchange(other.storage_, nullptr);
  offset_ = std::exchange(other.offset_, 0);
  size_bytes_ = std::exchange(other.size_bytes_, 0);
  checksum_ = std::exchange(other.checksum_, 0);
  return *this;
}

void TemporarySlot::Reset() noexcept {
  if (storage_ != nullptr) storage_->Free(offset_, size_bytes_);
  storage_ = nullptr;
  size_bytes_ = 0;
}

TemporaryStorage::TemporaryStorage(FileSystem& files, std::string directory, uint64_t max_bytes)
    : files_(files), directory_(std::move(directory)), max_bytes_(max_bytes) {}

TemporaryStorage::~TemporaryStorage() { SCAUP_ASSERT(used_bytes_ == 0); }

uint64_t TemporaryStorage::used_bytes() const {
  const MutexLock lock(mutex_);
  return used_bytes_ + mapped_bytes();
}

uint64_t TemporaryStorage::file_bytes() const {
  const MutexLock lock(mutex_);
  return length_ + mapped_bytes();
}

template <typename Make>
auto TemporaryStorage::InDirectory(const Make& make) {
  try {
    return make();
  } catch (const Error& error) {
    if (std::string_view(error.sqlstate()) != sqlstate::kUndefinedFile) throw;
    files_.CreateDirectory(directory_);
    return make();
  }
}

// Makes the file if necessary.
File& TemporaryStorage::RequireFile() {
  if (file_ == nullptr) file_ = InDirectory([&] { return files_.OpenTemporary(directory_); });
  return *file_;
}

void TemporaryStorage::ThrowFull(uint64_t wanted_bytes, uint64_t limit) const {
  ThrowError(
      ErrorKind::kIo, sqlstate::kConfigurationLimitExceeded,
      fmt::format("data that does not fit in memory needs {} bytes more in \"{}\", where {} of at most {} "
                  "are in use; raise that with SET max_temp_directory_size, or SET memory_limit",
                  wanted_bytes, directory_, used_bytes_ + mapped_bytes(), limit));
}

void TemporaryStorage::RequireRoom(uint64_t wanted_bytes) const {
  const uint64_t limit = max_bytes_.load(std::memory_order_relaxed);
  if (limit == 0) return;
  const uint64_t taken = end_ + mapped_bytes();
  if (wanted_bytes > limit || taken > limit - wanted_bytes) ThrowFull(wanted_bytes, limit);
}

// Returns the smallest free range that is large enough, or one behind the end.
uint64_t TemporaryStorage::Allocate(size_t size_bytes) {
  const uint64_t rounded = RoundUp(size_bytes);
  const auto best = free_by_size_.lower_bound({rounded, 0});
  uint64_t offset = end_;
  if (best == free_by_size_.end()) {
    RequireRoom(rounded);
    end_ += rounded;
    length_ = std::max(length_, end_);
  } else {
    offset = best->second;
    const uint64_t rest = best->first - rounded;
    // Reusing the nodes makes this independent of memory, which is short when operators spill.
    auto by_size = free_by_size_.extract(best);
    auto by_offset = free_places_.extract(offset);
    if (rest != 0) {
      by_size.value() = {rest, offset + rounded};
      free_by_size_.insert(std::move(by_size));
      by_offset.key() = offset + rounded;
      by_offset.mapped() = rest;
      free_places_.insert(std::move(by_offset));
    }
  }
  used_bytes_ += rounded;
  return offset;
}

void TemporaryStorage::Free(uint64_t offset, size_t size_bytes) noexcept {
  const MutexLock lock(mutex_);
  const uint64_t rounded = RoundUp(size_bytes);
  used_bytes_ -= rounded;
  try {
    AddFreePlace(offset, rounded);
  } catch (const std::bad_alloc&) {
    return;  // the range is lost until the file is empty
  }
  // An empty file needs no free list, and gets back ranges that were lost.
  if (used_bytes_ == 0) {
    free_places_.clear();
    free_by_size_.clear();
    end_ = 0;
  }
  Shorten();
}

void TemporaryStorage::RemoveFreePlace(std::map<uint64_t, uint64_t>::iterator place) {
  free_by_size_.erase({place->second, place->first});
  free_places_.erase(place);
}

// Merges the range with its neighbours.
void TemporaryStorage::AddFreePlace(uint64_t offset, uint64_t size_bytes) {
  const auto after = free_places_.lower_bound(offset);
  if (after != free_places_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == offset) {
      offset = before->first;
      size_bytes += before->second;
      RemoveFreePlace(before);
    }
  }
  if (after != free_places_.end() && offset + size_bytes == after->first) {
    size_bytes += after->second;
    RemoveFreePlace(after);
  }
  if (offset + size_bytes == end_) {
    end_ = offset;
  } else {
    // Both or none: a range that only one of them has would be handed out twice.
    const auto by_size = free_by_size_.emplace(size_bytes, offset).first;
    try {
      free_places_.emplace(offset, size_bytes);
    } catch (const std::bad_alloc&) {
      free_by_size_.erase(by_size);
      throw;
    }
  }
}

// Truncates the file. The mutex keeps writers from getting space in the part cut off.
void TemporaryStorage::Shorten() noexcept {
  if (file_ == nullptr || end_ > length_ / 2 || length_ - end_ < kMinShortenBytes) return;
  try {
    file_->Truncate(end_);
    length_ = end_;
  } catch (...) {
    // The file keeps its space and reuses it.
  }
}

TemporarySlot TemporaryStorage::Write(std::span<const std::byte> data) {
  TemporarySlot slot;
  if (data.empty()) return slot;
  File* file = nullptr;
  {
    const MutexLock lock(mutex_);
    file = &RequireFile();
    slot.offset_ = Allocate(data.size());
  }
  slot.storage_ = this;  // from here on the slot returns its space, also when Write throws
  slot.size_bytes_ = data.size();
  // Spilled data may be read back much later, when a silent disk error would give a wrong result.
  slot.checksum_ = HashBytes(data.data(), data.size());
  file->Write(slot.offset_, data.data(), data.size());
  return slot;
}

std::unique_ptr<TemporaryMapping> TemporaryStorage::Map(size_t size_bytes) {
  SCAUP_CHECK(size_bytes != 0);
  const uint64_t rounded = RoundUp(size_bytes);
  {
    const MutexLock lock(mutex_);
    RequireRoom(rounded);
    mapped_bytes_->fetch_add(rounded, std::memory_order_relaxed);
  }
  try {
    auto mapping = InDirectory([&] { return files_.MapTemporary(directory_, rounded); });
    if (mapping == nullptr) {
      ThrowError(
          ErrorKind::kOutOfMemory, sqlstate::kOutOfMemory,
          fmt::format("out of memory: {} bytes more are needed, and the file system of \"{}\" cannot map "
                      "a file for them; raise the limit with SET memory_limit",
                      size_bytes, directory_));
    }
    return std::make_unique<TemporaryMapping>(std::move(mapping), mapped_bytes_);
  } catch (...) {
    mapped_bytes_->fetch_sub(rounded, std::memory_order_relaxed);
    throw;
  }
}

void TemporaryStorage::Read(const TemporarySlot& slot, std::span<std::byte> target) {
  SCAUP_CHECK(target.size() == slot.size_bytes_);
  ReadPart(slot, 0, slot.checksum_, target);
}

void TemporaryStorage::ReadPart(const TemporarySlot& slot, size_t offset, uint64_t checksum,
                                std::span<std::byte> target) {
  if (target.empty()) return;
  SCAUP_CHECK(slot.storage_ == this && offset + target.size() <= slot.size_bytes_);
  File* file = nullptr;
  {
    const MutexLock lock(mutex_);
    file = file_.get();
  }
  const size_t read = file->Read(slot.offset_ + offset, target.data(), target.size());
  if (read == target.size() && HashBytes(target.data(), target.size()) == checksum) return;
  ThrowError(
      ErrorKind::kIo, sqlstate::kDataCorrupted,
      fmt::format("temporary file in \"{}\" is damaged: the {} bytes at offset {} are not those that were "
                  "written",
                  directory_, target.size(), slot.offset_ + offset));
}

std::string TemporaryDirectory(const std::string& setting, const std::string& database_path) {
  if (!setting.empty()) return setting;
  if (database_path.empty()) return "/tmp";
  const size_t slash = database_path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : database_path.substr(0, slash);
}

}  // namespace scaup
