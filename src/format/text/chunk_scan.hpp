// The shared part of file scans by several threads: taking chunks, and the earliest error.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "format/text/earliest_error.hpp"
#include "function/table_function.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The size of an input's chunks: `wanted` if it is not 0. Otherwise each thread gets several chunks, a chunk
/// of usual rows fills a row group of the table into which it is copied, and those that all threads read take
/// a small part of the memory limit.
inline size_t ScanChunkBytes(size_t wanted, uint64_t input_bytes, const FunctionContext& context) {
  constexpr uint64_t kLargestChunk = 16 << 20, kSmallestChunk = 256 << 10, kLeastMemory = 64 << 10;
  constexpr size_t kMemoryShare = 16, kChunksOfThread = 8;
  if (wanted != 0) return wanted;
  const size_t threads = context.settings.threads;
  const uint64_t most = std::max(context.memory.limit_bytes() / (kMemoryShare * threads), kLeastMemory);
  return std::min(
      std::clamp<uint64_t>(input_bytes / (kChunksOfThread * threads), kSmallestChunk, kLargestChunk), most);
}

/// The chunks of one input, which `Source` hands out (Next, Stop, Progress). Chunks and `Error`s have a
/// `sequence`. Shared by all threads.
template <typename Source, typename Chunk, typename Error>
class ChunkScan : public TableFunctionShared {
 public:
  using ChunkType = Chunk;
  using ErrorType = Error;
  /// `raise` throws the user's error for an `Error`. The other arguments construct the source.
  template <typename... Arguments>
  explicit ChunkScan(std::function<void(const Error&)> raise, Arguments&&... arguments)
      : raise_(std::move(raise)), source_(std::forward<Arguments>(arguments)...) {}

  double Progress() const override { return source_.Progress(); }

  bool Begin(Chunk& chunk) {
    if (!errors_.BeginTaking()) return false;
    const bool found = source_.Next(chunk);
    errors_.EndTaking(found ? std::optional(chunk.sequence) : std::nullopt);
    return found;
  }
  void Abandon(uint64_t sequence) { errors_.Release(sequence); }
  void Report(Error error) {
    source_.Stop();
    errors_.Report(std::move(error));
  }
  bool IsBehindError(uint64_t sequence) { return errors_.IsBehind(sequence); }
  void ThrowIfDue() {
    if (const std::optional<Error> due = errors_.Due()) raise_(*due);
  }

 protected:
  Source& source() { return source_; }

 private:
  std::function<void(const Error&)> raise_;
  Source source_;
  EarliestError<Error> errors_;
};

/// The chunk on which one thread works; the destructor gives it up.
template <typename Scan>
class ChunkInWork {
 public:
  explicit ChunkInWork(Scan& scan) : scan_(scan) {}
  ~ChunkInWork() { End(); }
  ChunkInWork(const ChunkInWork&) = delete;
  ChunkInWork& operator=(const ChunkInWork&) = delete;

  bool has_chunk() const { return has_chunk_; }
  typename Scan::ChunkType& operator*() { return chunk_; }
  typename Scan::ChunkType* operator->() { return &chunk_; }
  const typename Scan::ChunkType* operator->() const { return &chunk_; }

  /// Takes the next chunk. Returns false at the end of the input, or after an error.
  bool Begin() {
    chunk_ = typename Scan::ChunkType();  // Releases the old text first.
    has_chunk_ = scan_.Begin(chunk_);
    return has_chunk_;
  }
  void End() {
    if (std::exchange(has_chunk_, false)) scan_.Abandon(chunk_.sequence);
  }
  bool IsBehindError() const { return scan_.IsBehindError(chunk_.sequence); }
  /// Reports an error in the chunk, and ends the chunk.
  void Fail(typename Scan::ErrorType error) {
    error.sequence = chunk_.sequence;
    error.file_index = chunk_.file_index;
    scan_.Report(std::move(error));
    End();
  }
  void ThrowIfDue() { scan_.ThrowIfDue(); }

 private:
  Scan& scan_;
  typename Scan::ChunkType chunk_;
  bool has_chunk_ = false;
};

/// Removes the marked rows from a chunk of output.
inline void DropRows(const std::vector<bool>& bad_rows, DataChunk& output) {
  if (std::find(bad_rows.begin(), bad_rows.end(), true) == bad_rows.end()) return;
  auto selection = std::make_shared<SelectionVector>();
  size_t kept = 0;
  for (size_t row = 0; row < bad_rows.size(); row++) {
    if (!bad_rows[row]) selection->rows[kept++] = static_cast<sel_t>(row);
  }
  output.Slice(selection, kept);
}

}  // namespace scaup
