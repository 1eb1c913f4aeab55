// Cuts the files of a scan into chunks of whole rows, for several threads.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/lock/condition_variable.hpp"
#include "common/lock/mutex.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/csv/csv_dialect.hpp"
#include "format/text/text_file.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Whole rows: buffer->data()[begin, end); the last byte is a newline character.
struct CsvChunk {
  uint64_t sequence = 0;  ///< 0, 1, ... over all files
  size_t file_index = 0;
  uint64_t file_offset = 0;  ///< of buffer->data()[0], in the text
  uint64_t first_line = 0;   ///< the number of the line of buffer->data()[0] in a pipe; otherwise 0
  std::shared_ptr<TextBuffer> buffer;
  size_t begin = 0;
  size_t end = 0;
};

/// Hands out chunks in the order of the input. A row belongs to the chunk in which it begins. Thread-safe.
///
/// Plain files in UTF-8 are cut at fixed offsets and read in parallel. Whether a cut is within quotes is not
/// guessed: each chunk computes the state of quoting at its end for every state at its beginning. Then it
/// waits until its initial state is known, which takes no longer than reading the chunks before it.
class CsvSource {
 public:
  CsvSource(const FunctionContext& context, std::span<const TextFile> files, const CsvDialect& dialect,
            size_t chunk_bytes);

  /// The next chunk, possibly without any row. Returns false at the end or after Stop. Throws Error(kIo,
  /// kOutOfMemory).
  bool Next(CsvChunk& chunk);
  /// Ends the scan: no more chunks are handed out, but those already handed out may be finished.
  void Stop();
  double Progress() const {
    return total_bytes_ == 0 ? 1
                             : static_cast<double>(done_bytes_.load()) / static_cast<double>(total_bytes_);
  }

 private:
  /// A file whose chunks are being handed out; shared by the threads that read them.
  struct OpenFile {
    TextFile info;
    std::shared_ptr<File> file;
    uint64_t next_cut = 0;  ///< plain: the number of the next chunk
    /// Plain: state_at_cut[k] is the state at the beginning of chunk k; as many as are known.
    std::vector<QuoteState> state_at_cut{QuoteState::kRowStart};
    bool failed = false;  ///< plain: a chunk could not be read, so later states stay unknown

    std::unique_ptr<ByteStream> text;  ///< null where the text is what is stored
    std::string leftover;              ///< streams: text not handed out yet
    uint64_t leftover_offset = 0;      ///< streams: the offset of `leftover`
    uint64_t next_line = 1;            ///< pipes: the number of the first line of `leftover`
  };
  enum class Claimed : uint8_t { kPlain, kWhole, kNothing };

  Claimed Claim(CsvChunk& chunk, std::shared_ptr<OpenFile>& file, uint64_t& cut);
  void OpenNext() SCAUP_REQUIRES_LOCK(mutex_);
  void NoteProgress() SCAUP_REQUIRES_LOCK(mutex_);
  bool ReadPlain(OpenFile& file, uint64_t cut_number, CsvChunk& chunk);
  bool ResolveStates(OpenFile& file, uint64_t cut_number, std::string_view text, QuoteState& at_begin,
                     QuoteState& at_end);
  bool ReadStream(OpenFile& file, CsvChunk& chunk) SCAUP_REQUIRES_LOCK(mutex_);
  bool Fill(OpenFile& file, CsvChunk& chunk, size_t size_bytes);
  void FindEnd(OpenFile& file, CsvChunk& chunk, size_t cut, QuoteState state, bool at_file_end);

  const FunctionContext& context_;
  std::vector<TextFile> files_;
  CsvDialect dialect_;
  size_t chunk_bytes_;
  size_t read_ahead_;  ///< bytes read beyond a cut at once; mostly the last row ends within
  uint64_t total_bytes_ = 0;
  std::atomic<uint64_t> done_bytes_{0};

  Mutex mutex_;  ///< also guards OpenFile's states; held while reading streams, which is serial anyway
  ConditionVariable state_known_;
  bool stopped_ SCAUP_GUARDED_BY(mutex_) = false;
  uint64_t next_sequence_ SCAUP_GUARDED_BY(mutex_) = 0;
  size_t file_index_ SCAUP_GUARDED_BY(mutex_) = 0;
  uint64_t finished_files_bytes_ SCAUP_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<OpenFile> open_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
