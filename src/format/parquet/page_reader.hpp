// Reads the pages of a column chunk: headers, checksums, decompression, the dictionary.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/memory/large_array.hpp"
#include "common/memory/memory_tracker.hpp"
#include "format/codec/codec.hpp"
#include "format/parquet/parquet_metadata.hpp"
#include "format/parquet/parquet_types.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// The decompressed bytes of a page, followed by kPagePadding zeros; accounted for. Shared by the vectors
/// whose values lie in it.
class PageBuffer {
 public:
  PageBuffer(MemoryTracker& memory, size_t size_bytes);
  std::byte* data() { return data_.data(); }
  size_t capacity() const { return capacity_; }

 private:
  MemoryReservation memory_;
  size_t capacity_;
  LargeArray<std::byte> data_;
};

/// The buffers of one thread. Fresh memory costs a page fault per 4 KiB, more than to decompress into it, so
/// buffers to which no vector refers any more are used again. One thread at a time.
class PageBuffers {
 public:
  explicit PageBuffers(MemoryTracker& memory) : memory_(memory) {}
  /// A buffer of at least `size_bytes`, followed by zeros. The last owner gives it back by letting go of it.
  std::shared_ptr<PageBuffer> Take(size_t size_bytes);

 private:
  std::shared_ptr<PageBuffer> FindUnused(size_t size_bytes);
  std::shared_ptr<PageBuffer> Make(size_t size_bytes);

  MemoryTracker& memory_;
  std::vector<std::shared_ptr<PageBuffer>> buffers_;
};

/// A data page. The spans point into the buffer.
struct ParquetPage {
  std::shared_ptr<PageBuffer> buffer;
  std::span<const std::byte> repetitions, definitions, values;
};

/// The values of a dictionary page in the layout of vectors, then one NULL. Immutable; shared by the vectors
/// whose values lie in it.
struct ParquetDictionary {
  ParquetDictionary(MemoryTracker& memory, size_t value_count, size_t value_bytes);
  MemoryReservation memory;
  LargeArray<std::byte> values;
  std::vector<ValidityWord> validity;
  size_t size;                       ///< without the NULL
  std::shared_ptr<PageBuffer> page;  ///< has the bytes of strings
};

/// The means of reading that the readers of one thread share.
struct ParquetReading {
  File& file;
  MemoryTracker& memory;
  PageBuffers& buffers;
  Decompressor& decompressor;
};

/// The pages of one column chunk, in order. Functions throw ParquetDamage, Error(kIo) and
/// Error(kOutOfMemory). Borrows all it gets. One thread at a time.
class PageReader {
 public:
  PageReader(const ParquetReading& reading, const ParquetColumnChunk& chunk, const ParquetLeaf& leaf);

  /// Goes to the next data page, whose header is then known. Loads a dictionary that comes before it. Returns
  /// false at the end.
  bool Next();
  const ParquetPageHeader& header() const { return header_; }
  /// Reads and decompresses the page, after Next(). A page that is not loaded is never read.
  ParquetPage Load();
  /// The dictionary; null if none has come before the current page.
  const std::shared_ptr<const ParquetDictionary>& dictionary() const { return dictionary_; }

 private:
  std::span<const std::byte> Window(size_t wanted_bytes);
  void LoadDictionary();
  std::span<const std::byte> Payload();
  void Decompress(std::span<const std::byte> input, std::span<std::byte> output);
  void SplitLevels(ParquetPage& page, std::span<const std::byte> bytes) const;

  ParquetReading reading_;
  const ParquetColumnChunk& chunk_;
  const ParquetLeaf& leaf_;
  uint64_t file_bytes_;
  uint64_t position_;         // of the next header, or of the current page's payload
  uint64_t chunk_end_;        // as the footer says
  size_t payload_bytes_ = 0;  // of the current page
  int64_t values_left_;       // in pages to come
  ParquetPageHeader header_;
  std::shared_ptr<const ParquetDictionary> dictionary_;
  std::shared_ptr<PageBuffer> window_;  // a part of the file
  uint64_t window_begin_ = 0;
  size_t window_bytes_ = 0;
};

}  // namespace scaup
