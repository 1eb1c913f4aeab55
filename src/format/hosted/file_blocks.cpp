// Reads runs of blocks, and shares them among threads.
#include "format/hosted/file_blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <utility>
#include <vector>

#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr uint64_t kBlockBytes = uint64_t{1} << 20;
/// Blocks of one request, at most.
constexpr uint64_t kMostRunBlocks = 8;
/// Blocks of a file that are kept, unless memory is short.
constexpr size_t kMostBlocks = 256;
/// Blocks that are kept for the next reader, since statements look at files before they read them: one that
/// is a request of its own, as there may be many files.
constexpr size_t kIdleBlocks = 1;
constexpr std::chrono::milliseconds kWait{100};

bool Overlaps(const FileRange& range, uint64_t block) {
  return range.begin < (block + 1) * kBlockBytes && range.end() > block * kBlockBytes;
}

}  // namespace

void ThrowHostError(const std::string& path) {
  try {
    throw;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    ThrowError(ErrorKind::kIo, "38000",
               fmt::format("the file system of \"{}\" failed: {}", path, error.what()));
  } catch (...) {
    ThrowError(ErrorKind::kIo, "38000", fmt::format("the file system of \"{}\" failed", path));
  }
}

FileBlocks::FileBlocks(std::shared_ptr<FileHost> host, std::unique_ptr<HostedFile> file, std::string path,
                       const FileUse& use, MemoryTracker& memory)
    : host_(std::move(host)),
      file_(std::move(file)),
      path_(std::move(path)),
      use_(use),
      memory_(memory),
      size_bytes_(CallHost(path_, [this] { return file_->Size(); })) {}

size_t FileBlocks::Read(uint64_t offset, void* buffer, size_t size_bytes,
                        std::span<const FileRange> expected) {
  if (offset >= size_bytes_) return 0;
  const auto wanted = static_cast<size_t>(std::min<uint64_t>(size_bytes, size_bytes_ - offset));
  if (wanted >= kMostRunBlocks * kBlockBytes) {
    ReadExactly(offset, buffer, wanted);
    return wanted;
  }
  // The bytes themselves are expected, too, so that one request gets them.
  std::vector<FileRange> ranges(expected.begin(), expected.end());
  ranges.push_back({offset, wanted});
  for (size_t done = 0; done < wanted;) {
    const uint64_t at = offset + done;
    const auto run = RunAt(at / kBlockBytes, ranges);
    const auto from = static_cast<size_t>(at - run->begin);
    const size_t part = std::min(run->size_bytes - from, wanted - done);
    std::memcpy(static_cast<char*>(buffer) + done, run->bytes.get() + from, part);
    done += part;
  }
  return wanted;
}

std::shared_ptr<const FileBlocks::Run> FileBlocks::RunAt(uint64_t block,
                                                         std::span<const FileRange> expected) {
  uint64_t end = 0;
  {
    const MutexLock lock(mutex_);
    if (auto known = FindRun(block)) return known;
    end = EndOfRun(block, expected);
    for (uint64_t taken = block; taken < end; taken++) blocks_[taken] = {};
  }
  std::shared_ptr<Run> run;
  try {
    run = ReadRun(block, end);
  } catch (...) {
    const MutexLock lock(mutex_);
    for (uint64_t taken = block; taken < end; taken++) blocks_.erase(taken);
    changed_.NotifyAll();
    throw;
  }
  const MutexLock lock(mutex_);
  for (uint64_t taken = block; taken < end; taken++) blocks_[taken] = {run, ++uses_};
  Trim(kMostBlocks);
  changed_.NotifyAll();
  return run;
}

std::shared_ptr<const FileBlocks::Run> FileBlocks::FindRun(uint64_t block) {
  for (;;) {
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return nullptr;
    if (found->second.run != nullptr) {
      found->second.last_use = ++uses_;
      return found->second.run;
    }
    changed_.WaitUntil(mutex_, std::chrono::steady_clock::now() + kWait);
    use_.CheckInterrupt();
  }
}

uint64_t FileBlocks::EndOfRun(uint64_t block, std::span<const FileRange> expected) const {
  // A reader that goes on where the last request ended will probably go on, so requests grow, unless it has
  // told what it will read.
  uint64_t likely = 1;
  const bool is_told = expected.size() > 1;
  const auto before = block == 0 || is_told ? blocks_.end() : blocks_.find(block - 1);
  if (before != blocks_.end() && before->second.run != nullptr)
    likely = std::min(kMostRunBlocks, 2 * (before->second.run->size_bytes / kBlockBytes));
  const uint64_t block_count = (size_bytes_ + kBlockBytes - 1) / kBlockBytes;
  uint64_t end = block + 1;
  while (end < block_count && end - block < kMostRunBlocks && !blocks_.contains(end)) {
    const bool is_expected =
        std::ranges::any_of(expected, [&](const FileRange& range) { return Overlaps(range, end); });
    if (!is_expected && end - block >= likely) break;
    end++;
  }
  return end;
}

std::shared_ptr<FileBlocks::Run> FileBlocks::ReadRun(uint64_t begin, uint64_t end) {
  use_.CheckInterrupt();
  const uint64_t offset = begin * kBlockBytes;
  auto run = MakeRun(offset, static_cast<size_t>(std::min(end * kBlockBytes, size_bytes_) - offset));
  ReadExactly(offset, run->bytes.get(), run->size_bytes);
  return run;
}

std::shared_ptr<FileBlocks::Run> FileBlocks::MakeRun(uint64_t begin, size_t size_bytes) {
  auto run = std::make_shared<Run>(memory_);
  run->begin = begin;
  run->size_bytes = size_bytes;
  try {
    run->reservation.Resize(size_bytes);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kOutOfMemory) throw;
    // Blocks that may be read again give way to what is read now.
    {
      const MutexLock lock(mutex_);
      Trim(0);
    }
    run->reservation.Resize(size_bytes);
  }
  run->bytes.reset(new char[size_bytes]);  // not zeroed
  return run;
}

void FileBlocks::ReadExactly(uint64_t offset, void* buffer, size_t size_bytes) {
  const size_t got = CallHost(path_, [&] { return file_->Read(offset, buffer, size_bytes); });
  if (got >= size_bytes) return;
  ThrowError(ErrorKind::kIo, sqlstate::kIoError,
             fmt::format("could not read \"{}\": it should have {} bytes, but ends at {}", path_, size_bytes_,
                         offset + got));
}

void FileBlocks::Trim(size_t count) {
  size_t loaded = 0;
  for (const auto& [number, block] : blocks_) loaded += block.run != nullptr ? 1 : 0;
  for (; loaded > count; loaded--) {
    auto oldest = blocks_.end();
    for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
      if (block->second.run == nullptr) continue;
      if (oldest == blocks_.end() || block->second.last_use < oldest->second.last_use) oldest = block;
    }
    blocks_.erase(oldest);
  }
}

void FileBlocks::AddReader() {
  const MutexLock lock(mutex_);
  readers_++;
}

void FileBlocks::RemoveReader() {
  const MutexLock lock(mutex_);
  if (--readers_ != 0) return;
  std::erase_if(blocks_, [](const auto& block) {
    return block.second.run != nullptr && block.second.run->size_bytes > kBlockBytes;
  });
  Trim(kIdleBlocks);
}

}  // namespace scaup
