// Encodes the values of a leaf as a column chunk: dictionary, pages, statistics.
#include "format/parquet/write/column_chunk_encoder.hpp"

#include <algorithm>
#include <optional>

#include "common/check.hpp"
#include "format/codec/compressor.hpp"
#include "format/codec/crc32.hpp"
#include "format/parquet/write/bloom_filter_builder.hpp"
#include "format/parquet/write/delta_encoder.hpp"
#include "format/parquet/write/rle_encoder.hpp"
#include "format/parquet/write/value_bounds.hpp"
#include "format/parquet/write/value_dictionary.hpp"

namespace scaup {

namespace {

/// Rows of a page: few enough that a page index can prune, many enough that headers and codecs cost little.
constexpr size_t kPageRows = 20 * 1024;
/// Bytes of values from which a page ends, as readers hold whole pages in memory.
constexpr size_t kPageBytes = size_t{1} << 20;

/// The entries and values of a page.
struct PageRange {
  size_t first_entry = 0, entry_count = 0;
  size_t first_value = 0, value_count = 0;
  size_t value_offset = 0, value_bytes = 0;
  size_t first_row = 0;
};

class ChunkEncoder {
 public:
  ChunkEncoder(const LeafValues& values, const ParquetWriteOptions& options, MemoryTracker& memory)
      : values_(values),
        leaf_(values.leaf()),
        compressor_(options.codec, options.level),
        has_new_encodings_(options.has_new_encodings),
        dictionary_(memory),
        body_(memory),
        sample_(memory),
        chunk_(memory),
        bounds_(MakeBoundsCollector(leaf_)) {
    chunk_.metadata.codec = options.codec;
  }

  EncodedChunk Encode() {
    chunk_.metadata.type = leaf_.physical;
    chunk_.metadata.value_count = static_cast<int64_t>(values_.entry_count());
    const std::vector<PageRange> pages = CutPages();
    ChooseEncoding(pages);
    const bool uses_dictionary = encoding_ == ParquetEncoding::kRleDictionary;
    if (uses_dictionary) WriteDictionary();
    chunk_.metadata.data_offset = static_cast<int64_t>(chunk_.bytes.size());
    for (const PageRange& page : pages) WritePage(page);
    chunk_.metadata.encodings = {static_cast<int32_t>(ParquetEncoding::kRle),
                                 static_cast<int32_t>(encoding_)};
    if (uses_dictionary) chunk_.metadata.encodings.push_back(static_cast<int32_t>(ParquetEncoding::kPlain));
    chunk_.metadata.page_counts.push_back(
        {ParquetPageType::kData, encoding_, static_cast<int32_t>(chunk_.pages.size())});
    chunk_.metadata.compressed_bytes = static_cast<int64_t>(chunk_.bytes.size());
    AddStatistics();
    return std::move(chunk_);
  }

 private:
  /// Ends pages between rows.
  std::vector<PageRange> CutPages() const {
    return VisitRawType(leaf_, [&]<typename T>() { return CutPagesOf<T>(); });
  }

  template <typename T>
  std::vector<PageRange> CutPagesOf() const {
    const size_t entry_count = values_.entry_count();
    const uint8_t* const definitions = values_.definitions();
    const uint8_t* const repetitions = values_.repetitions();
    ValueCursor<T> cursor(values_.values().data());
    std::vector<PageRange> pages;
    PageRange page;
    size_t rows = 0, value = 0;
    const auto finish = [&](size_t end) {
      page.entry_count = end - page.first_entry;
      page.value_count = value - page.first_value;
      page.value_bytes = cursor.offset() - page.value_offset;
      pages.push_back(page);
      page = PageRange{end, 0, value, 0, cursor.offset(), 0, page.first_row + rows};
      rows = 0;
    };
    for (size_t entry = 0; entry < entry_count; entry++) {
      if (repetitions == nullptr || repetitions[entry] == 0) {
        if (rows == kPageRows || cursor.offset() - page.value_offset >= kPageBytes) finish(entry);
        rows++;
      }
      if (definitions != nullptr && definitions[entry] != leaf_.definition) continue;
      cursor.Next();
      value++;
    }
    if (page.first_entry != entry_count) finish(entry_count);
    return pages;
  }

  /// Chooses what takes the least space after compression, by a page in the middle. Sorted numbers, for one,
  /// compress better as they are than by a dictionary.
  void ChooseEncoding(const std::vector<PageRange>& pages) {
    if (values_.value_count() == 0) return;
    const bool has_dictionary = dictionary_.Build(values_);
    const bool has_deltas = has_new_encodings_ &&
                            (leaf_.physical == ParquetType::kInt32 || leaf_.physical == ParquetType::kInt64);
    if (!has_dictionary && !has_deltas) return;
    // So much smaller a dictionary is taken without a trial: it makes filters and groupings faster, too.
    constexpr size_t kClearlySmaller = 6;
    const size_t count = values_.value_count(), entry_bytes = dictionary_.entries().size();
    if (has_dictionary &&
        (entry_bytes + count * DictionaryBits() / 8) * kClearlySmaller < values_.values().size()) {
      encoding_ = ParquetEncoding::kRleDictionary;
      return;
    }
    const PageRange& page = pages[pages.size() / 2];
    if (page.value_count == 0) return;
    const auto bytes_of_all = [&](ParquetEncoding encoding) {
      body_.Clear();
      AppendValues(encoding, page);
      const auto bytes = static_cast<double>(CompressedBytes(std::span(body_.data(), body_.size())));
      return bytes * static_cast<double>(count) / static_cast<double>(page.value_count);
    };
    double least = bytes_of_all(ParquetEncoding::kPlain);
    const auto offer = [&](ParquetEncoding encoding, double bytes) {
      if (bytes >= least) return;
      least = bytes;
      encoding_ = encoding;
    };
    if (has_deltas) offer(ParquetEncoding::kDeltaBinary, bytes_of_all(ParquetEncoding::kDeltaBinary));
    if (!has_dictionary) return;
    const auto entries = CompressedBytes(std::span(dictionary_.entries().data(), entry_bytes));
    offer(ParquetEncoding::kRleDictionary,
          static_cast<double>(entries) + bytes_of_all(ParquetEncoding::kRleDictionary));
  }

  size_t CompressedBytes(std::span<const std::byte> bytes) {
    sample_.Clear();
    const size_t most = compressor_.MostBytes(bytes.size());
    return compressor_.Run(bytes, std::span(sample_.Extend(most), most));
  }

  uint32_t DictionaryBits() const { return BitWidthOf(static_cast<uint32_t>(dictionary_.size() - 1)); }

  void WriteDictionary() {
    ParquetPageHeader header;
    header.type = ParquetPageType::kDictionary;
    header.encoding = ParquetEncoding::kPlain;
    header.value_count = dictionary_.size();
    const ByteBuffer& entries = dictionary_.entries();
    AppendPage(header, std::span(entries.data(), entries.size()));
    chunk_.metadata.page_counts.push_back({ParquetPageType::kDictionary, ParquetEncoding::kPlain, 1});
    chunk_.metadata.is_dictionary_only = true;
    chunk_.bloom_filter = MakeBloomFilter(leaf_, entries, dictionary_.size());
  }

  void WritePage(const PageRange& page) {
    body_.Clear();
    if (leaf_.repetition != 0) AppendLevels(values_.repetitions() + page.first_entry, page, leaf_.repetition);
    if (values_.definitions() != nullptr) {
      AppendLevels(values_.definitions() + page.first_entry, page, leaf_.definition);
    } else {
      AppendFullLevels(page);
    }
    AppendValues(encoding_, page);
    ParquetPageHeader header;
    header.value_count = page.entry_count;
    header.encoding = encoding_;
    WrittenPage written;
    written.offset = chunk_.bytes.size();
    written.first_row = page.first_row;
    written.null_count = static_cast<int64_t>(page.entry_count - page.value_count);
    written.has_values = page.value_count != 0;
    AppendPage(header, std::span(body_.data(), body_.size()));
    written.size_bytes = static_cast<uint32_t>(chunk_.bytes.size() - written.offset);
    if (written.has_values && bounds_ != nullptr) {
      ValueBounds bounds = bounds_->AddPage(values_.values().data() + page.value_offset, page.value_count);
      written.minimum = std::move(bounds.minimum);
      written.maximum = std::move(bounds.maximum);
    }
    chunk_.pages.push_back(std::move(written));
  }

  /// Writes levels behind their size in bytes, which is known only then.
  template <typename Write>
  void AppendSized(Write&& write) {
    const size_t begin = body_.size();
    body_.AppendValue(uint32_t{0});
    write();
    const auto size = static_cast<uint32_t>(body_.size() - begin - sizeof(uint32_t));
    std::memcpy(body_.data() + begin, &size, sizeof(size));
  }

  void AppendLevels(const uint8_t* levels, const PageRange& page, uint32_t most) {
    AppendSized([&] { AppendRuns(levels, page.entry_count, BitWidthOf(most), body_); });
  }

  void AppendFullLevels(const PageRange& page) {
    AppendSized([&] { AppendRun(leaf_.definition, page.entry_count, BitWidthOf(leaf_.definition), body_); });
  }

  void AppendValues(ParquetEncoding encoding, const PageRange& page) {
    if (encoding == ParquetEncoding::kRleDictionary) {
      const uint32_t bit_width = DictionaryBits();
      body_.AppendValue(static_cast<uint8_t>(bit_width));
      AppendRuns(dictionary_.codes() + page.first_value, page.value_count, bit_width, body_);
    } else if (encoding == ParquetEncoding::kDeltaBinary && leaf_.physical == ParquetType::kInt32) {
      AppendDeltas(values_.values().As<int32_t>() + page.first_value, page.value_count, body_);
    } else if (encoding == ParquetEncoding::kDeltaBinary) {
      AppendDeltas(values_.values().As<int64_t>() + page.first_value, page.value_count, body_);
    } else if (leaf_.physical == ParquetType::kBoolean) {
      AppendPacked(values_.values().As<uint8_t>() + page.first_value, page.value_count, 1, body_);
    } else {
      body_.Append(values_.values().data() + page.value_offset, page.value_bytes);
    }
  }

  void AppendPage(ParquetPageHeader& header, std::span<const std::byte> body) {
    // The header tells the compressed size, so its own size is not known before; the page is compressed
    // behind the space that the largest header takes, and moved.
    constexpr size_t kMostHeaderBytes = 64;
    ByteBuffer& bytes = chunk_.bytes;
    const size_t begin = bytes.size(), most = compressor_.MostBytes(body.size());
    std::byte* const page = bytes.Extend(kMostHeaderBytes + most);
    const size_t size = compressor_.Run(body, std::span(page + kMostHeaderBytes, most));
    header.uncompressed_bytes = body.size();
    header.compressed_bytes = size;
    header.checksum = Crc32(std::span(page + kMostHeaderBytes, size));
    header_.clear();
    AppendParquetPageHeader(header, header_);
    SCAUP_ASSERT(header_.size() <= kMostHeaderBytes);
    std::memcpy(page, header_.data(), header_.size());
    std::memmove(page + header_.size(), page + kMostHeaderBytes, size);
    bytes.Truncate(begin + header_.size() + size);
    chunk_.metadata.uncompressed_bytes += static_cast<int64_t>(header_.size() + body.size());
  }

  void AddStatistics() {
    ParquetStatistics& statistics = chunk_.metadata.statistics.emplace();
    statistics.null_count = static_cast<int64_t>(values_.entry_count() - values_.value_count());
    if (bounds_ == nullptr || bounds_->has_nan()) return;
    chunk_.has_page_bounds = true;
    if (values_.value_count() == 0) return;
    ValueBounds bounds = bounds_->Total();
    statistics.minimum = std::move(bounds.minimum);
    statistics.maximum = std::move(bounds.maximum);
    statistics.is_minimum_exact = bounds.is_minimum_exact;
    statistics.is_maximum_exact = bounds.is_maximum_exact;
  }

  const LeafValues& values_;
  const ParquetLeaf& leaf_;
  Compressor compressor_;
  const bool has_new_encodings_;
  ValueDictionary dictionary_;
  ByteBuffer body_;    // of a page, before it is compressed
  ByteBuffer sample_;  // compressed on trial
  std::string header_;
  EncodedChunk chunk_;
  std::unique_ptr<BoundsCollector> bounds_;
  ParquetEncoding encoding_ = ParquetEncoding::kPlain;
};

}  // namespace

EncodedChunk EncodeColumnChunk(const LeafValues& values, const ParquetWriteOptions& options,
                               MemoryTracker& memory) {
  return ChunkEncoder(values, options, memory).Encode();
}

}  // namespace scaup
