// Cuts JSON files into chunks of whole documents, for several threads.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/lock/mutex.hpp"
#include "format/json/json_layout.hpp"
#include "format/text/text_file.hpp"

namespace scaup {

struct JsonFile {
  TextFile text;
  JsonLayout layout = JsonLayout::kLines;
};

/// Whole documents: for kLines the lines of buffer->data()[begin, end), otherwise `values`.
struct JsonChunk {
  uint64_t sequence = 0;  ///< 0, 1, ... over all files
  size_t file_index = 0;
  uint64_t file_offset = 0;  ///< of buffer->data()[0], in the text
  uint64_t first_line = 0;   ///< the number of the line of buffer->data()[0] in a pipe; otherwise 0
  std::shared_ptr<TextBuffer> buffer;
  bool is_lines = true;
  size_t begin = 0;  ///< advances as lines are taken
  size_t end = 0;
  std::vector<JsonSpan> values;
  size_t next_value = 0;
  const char* fault = nullptr;  ///< a fault of the file after these documents
  size_t fault_position = 0;    ///< in the buffer

  /// The next document, without white space around it. Returns false after the last one.
  bool Next(JsonSpan& document);
};

/// Hands out chunks in the order of the input. Plain files of lines are cut at fixed offsets and read in
/// parallel; a line belongs to the chunk in which it begins. Other files, and streams, are read and
/// split by one thread at a time. Thread-safe.
class JsonSource {
 public:
  /// `is_sample`: the files are read once more afterwards, pipes too.
  JsonSource(const FunctionContext& context, std::span<const JsonFile> files, size_t chunk_bytes,
             bool is_sample = false);

  /// The next chunk, possibly without any document. Returns false at the end or after Stop. Throws Error(kIo,
  /// kOutOfMemory).
  bool Next(JsonChunk& chunk);
  /// Ends the scan: no more chunks are handed out, but those already handed out may be finished.
  void Stop();
  double Progress() const {
    return total_bytes_ == 0 ? 1
                             : static_cast<double>(done_bytes_.load()) / static_cast<double>(total_bytes_);
  }

 private:
  /// A file whose chunks are being handed out; shared by the threads that read them.
  struct OpenFile {
    JsonFile info;
    std::shared_ptr<File> file;
    uint64_t next_cut = 0;  ///< parallel reading: the number of the next chunk
    // The members below are for files that one thread at a time reads.
    std::unique_ptr<ByteStream> text;      ///< null where the text is what is stored
    std::optional<JsonSplitter> splitter;  ///< null for lines
    std::string leftover;                  ///< text not handed out yet
    uint64_t leftover_offset = 0;          ///< the offset of `leftover`
    uint64_t next_line = 1;                ///< pipes: the number of the first line of `leftover`
    bool at_end = false;                   ///< everything was read

    bool IsCut() const { return text == nullptr && !splitter; }
  };

  bool Claim(JsonChunk& chunk, std::shared_ptr<OpenFile>& cut_file, uint64_t& cut);
  void OpenNext() SCAUP_REQUIRES_LOCK(mutex_);
  void NoteProgress() SCAUP_REQUIRES_LOCK(mutex_);
  size_t Read(OpenFile& file, uint64_t offset, char* target, size_t size_bytes);
  void ReadCut(OpenFile& file, uint64_t cut_number, JsonChunk& chunk);
  bool ReadOn(OpenFile& file, JsonChunk& chunk) SCAUP_REQUIRES_LOCK(mutex_);
  size_t TakeWhole(OpenFile& file, JsonChunk& chunk);

  const FunctionContext& context_;
  std::vector<JsonFile> files_;
  size_t chunk_bytes_;
  const bool is_sample_;
  uint64_t total_bytes_ = 0;
  std::atomic<uint64_t> done_bytes_{0};

  Mutex mutex_;  ///< held while one thread reads for all
  bool stopped_ SCAUP_GUARDED_BY(mutex_) = false;
  uint64_t next_sequence_ SCAUP_GUARDED_BY(mutex_) = 0;
  size_t file_index_ SCAUP_GUARDED_BY(mutex_) = 0;
  uint64_t finished_files_bytes_ SCAUP_GUARDED_BY(mutex_) = 0;
  std::shared_ptr<OpenFile> open_ SCAUP_GUARDED_BY(mutex_);
};

}  // namespace scaup
