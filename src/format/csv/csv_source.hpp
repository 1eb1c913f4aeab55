// Cuts the files of a scan into chunks of whole rows for several threads at once.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/csv/csv_dialect.hpp"
#include "format/text/gzip_stream.hpp"
#include "format/text/text_file.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Whole rows: buffer->data()[begin, end), the last byte being a newline character.
struct CsvChunk {
  uint64_t sequence = 0;  ///< 0, 1, ... over all files
  size_t file_index = 0;
  uint64_t file_offset = 0;  ///< of buffer->data()[0] in the inflated file
  std::shared_ptr<TextBuffer> buffer;
  size_t begin = 0;
  size_t end = 0;
};

/// Hands out chunks in the order of the input. Thread-safe. A row belongs to the chunk in which it begins.
///
/// Plain files are cut at fixed places and read in parallel. Whether such a place lies inside quotes is not
/// guessed: each chunk tells what its text does to the state of quoting, from whatever state it begins in,
/// and waits (for no longer than the chunks before it take to be read) until the state at its beginning is
/// known.
class CsvSource {
 public:
  CsvSource(const FunctionContext& context, std::span<const TextFile> files, const CsvDialect& dialect,
            size_t chunk_bytes);

  /// The next chunk (perhaps without any row); false at the end or after Stop. Throws Error(kIo,
  /// kOutOfMemory).
  bool Next(CsvChunk& chunk);
  /// No more chunks are handed out. What has been handed out may be finished.
  void Stop();
  double Progress() const {
    return total_bytes_ == 0 ? 1
                             : static_cast<double>(done_bytes_.load()) / static_cast<double>(total_bytes_);
  }

 private:
  /// A file of which chunks are being handed out; the threads that read them share it.
  struct OpenFile {
    TextFile info;
    std::unique_ptr<File> file;
    uint64_t next_cut = 0;  ///< plain: the number of the next chunk
    /// Plain: state_at_cut[k] is the state where chunk k begins, as far as it is known.
    std::vector<QuoteState> state_at_cut{QuoteState::kRowStart};
    bool failed = false;  ///< plain: a chunk could not be read, so later states stay unknown

    std::unique_ptr<GzipReader> gzip;
    std::string leftover;          ///< gzip: text read but not handed out
    uint64_t leftover_offset = 0;  ///< gzip: where it begins
  };
  enum class Claimed : uint8_t { kPlain, kWhole, kNothing };

  Claimed Claim(CsvChunk& chunk, std::shared_ptr<OpenFile>& file, uint64_t& cut);
  void OpenNext();
  void NoteProgress();
  bool ReadPlain(OpenFile& file, uint64_t cut_number, CsvChunk& chunk);
  bool ResolveStates(OpenFile& file, uint64_t cut_number, std::string_view text, QuoteState& at_begin,
                     QuoteState& at_end);
  bool ReadGzip(OpenFile& file, CsvChunk& chunk);
  bool Fill(OpenFile& file, CsvChunk& chunk, size_t size_bytes);
  void FindEnd(OpenFile& file, CsvChunk& chunk, size_t cut, QuoteState state, bool at_file_end);

  const FunctionContext& context_;
  std::vector<TextFile> files_;
  CsvDialect dialect_;
  size_t chunk_bytes_;
  size_t read_ahead_;  ///< bytes read behind a cut at once, as the last row mostly ends there
  uint64_t total_bytes_ = 0;
  std::atomic<uint64_t> done_bytes_{0};

  std::mutex
      mutex_;  ///< guards all below, and the states in OpenFile; held while inflating, which is serial anyway
  std::condition_variable state_known_;
  bool stopped_ = false;
  uint64_t next_sequence_ = 0;
  size_t file_index_ = 0;
  uint64_t finished_files_bytes_ = 0;
  std::shared_ptr<OpenFile> open_;
};

}  // namespace scaup
