// What scans of files share that several threads read chunk by chunk: taking chunks, and the earliest error.
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

/// How large the chunks of an input are: `wanted` if it is not 0; else so that each thread gets some of them,
/// and one of usual rows fills a row group of the table that it is copied into.
inline size_t ScanChunkBytes(size_t wanted, uint64_t input_bytes, size_t threads) {
  constexpr uint64_t kLargestChunk = 16 << 20;
  constexpr uint64_t kSmallestChunk = 256 << 10;
  if (wanted != 0) return wanted;
  return std::clamp<uint64_t>(input_bytes / (8 * threads), kSmallestChunk, kLargestChunk);
}

/// The chunks of one input, which `Source` hands out (Next, Stop, Progress). A chunk has a `sequence`, and so
/// has an `Error`. Shared by all threads.
template <typename Source, typename Chunk, typename Error>
class ChunkScan : public TableFunctionShared {
 public:
  using ChunkType = Chunk;
  using ErrorType = Error;
  /// `raise` throws what an error is to the user. The rest makes the source.
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

 private:
  std::function<void(const Error&)> raise_;
  Source source_;
  EarliestError<Error> errors_;
};

/// The chunk that one thread works on. What it holds is given back when the thread goes away.
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

  /// The next chunk; false at the end of the input, or after an error.
  bool Begin() {
    chunk_ = typename Scan::ChunkType();  // Lets go of the old text first.
    has_chunk_ = scan_.Begin(chunk_);
    return has_chunk_;
  }
  void End() {
    if (std::exchange(has_chunk_, false)) scan_.Abandon(chunk_.sequence);
  }
  bool IsBehindError() const { return scan_.IsBehindError(chunk_.sequence); }
  /// Reports an error in the chunk, and ends it.
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

/// Takes rows out of a chunk of output, those that are marked.
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
