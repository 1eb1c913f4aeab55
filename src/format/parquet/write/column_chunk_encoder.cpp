// Encodes the values of a leaf as a column chunk: dictionary, pages, statistics.
#include "format/parquet/write/column_chunk_encoder.hpp"

#include <algorithm>
#include <optional>

#include "common/check.hpp"
#include "format/codec/compressor.hpp"
#include "format/codec/crc32.hpp"
#include "format/parquet/write/bloom_filter_builder.hpp"
#include "format/parquet/write/rle_encoder.hpp"
#include "format/parquet/write/value_bounds.hpp"
#include "format/parquet/write/value_dictionary.hpp"
#include "format/parquet/write/value_encoder.hpp"

namespace scaup {

namespace {

/// Rows of a page: few enough that a page index can prune, many enough that headers and codecs cost little.
constexpr size_t kPageRows = 20 * 1024;
/// Bytes of values from which a page ends, as readers hold whole pages in memory.
constexpr size_t kPageBytes = size_t{1} << 20;

/// The entries and values of a page.
struct PageRange {
  size_t first_entry = 0, entry_count = 0;
  ValueRange values;
  size_t first_row = 0, row_count = 0;
};

/// By how much less space an encoding must take, as values are put together again when they are read.
double PriceOfReading(ParquetEncoding encoding) {
  switch (encoding) {
    case ParquetEncoding::kDeltaBytes: return 1.15;
    case ParquetEncoding::kDeltaLength:
    case ParquetEncoding::kByteStreamSplit: return 1.05;
    default: return 1;
  }
}

class ChunkEncoder {
 public:
  ChunkEncoder(const LeafValues& values, const ParquetWriteOptions& options, MemoryTracker& memory)
      : values_(values),
        leaf_(values.leaf()),
        compressor_(options.codec, options.level),
        is_version_2_(options.is_version_2),
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
    chunk_.metadata.page_counts.push_back({is_version_2_ ? ParquetPageType::kDataV2 : ParquetPageType::kData,
                                           encoding_, static_cast<int32_t>(chunk_.pages.size())});
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
      page.values.count = value - page.values.first;
      page.values.size_bytes = cursor.offset() - page.values.offset;
      page.row_count = rows;
      pages.push_back(page);
      page = PageRange{end, 0, {value, 0, cursor.offset(), 0}, page.first_row + rows, 0};
      rows = 0;
    };
    for (size_t entry = 0; entry < entry_count; entry++) {
      if (repetitions == nullptr || repetitions[entry] == 0) {
        if (rows == kPageRows || cursor.offset() - page.values.offset >= kPageBytes) finish(entry);
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
    const std::span<const ParquetEncoding> others =
        is_version_2_ ? NewEncodings(leaf_) : std::span<const ParquetEncoding>();
    if (!has_dictionary && others.empty()) return;
    // So much smaller a dictionary is taken without a trial: it makes filters and groupings faster, too.
    constexpr size_t kClearlySmaller = 6;
    const size_t count = values_.value_count(), entry_bytes = dictionary_.entries().size();
    if (has_dictionary &&
        (entry_bytes + count * DictionaryBits() / 8) * kClearlySmaller < values_.values().size()) {
      encoding_ = ParquetEncoding::kRleDictionary;
      return;
    }
    const PageRange& page = pages[pages.size() / 2];
    if (page.values.count == 0) return;
    const auto bytes_of_all = [&](ParquetEncoding encoding) {
      body_.Clear();
      AppendValues(encoding, page);
      const auto bytes = static_cast<double>(CompressedBytes(std::span(body_.data(), body_.size())));
      return bytes * static_cast<double>(count) / static_cast<double>(page.values.count);
    };
    double least = bytes_of_all(ParquetEncoding::kPlain);
    const auto offer = [&](ParquetEncoding encoding, double bytes) {
      if (bytes >= least) return;
      least = bytes;
      encoding_ = encoding;
    };
    for (const ParquetEncoding other : others) offer(other, bytes_of_all(other) * PriceOfReading(other));
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
    ParquetPageHeader header;
    header.type = is_version_2_ ? ParquetPageType::kDataV2 : ParquetPageType::kData;
    header.value_count = page.entry_count;
    header.null_count = page.entry_count - page.values.count;
    header.row_count = page.row_count;
    header.encoding = encoding_;
    header.repetition_bytes = AppendLevels(page, values_.repetitions(), leaf_.repetition);
    header.definition_bytes = values_.definitions() != nullptr
                                  ? AppendLevels(page, values_.definitions(), leaf_.definition)
                                  : AppendFullLevels(page);
    AppendValues(encoding_, page);
    WrittenPage written;
    written.offset = chunk_.bytes.size();
    written.first_row = page.first_row;
    written.null_count = static_cast<int64_t>(header.null_count);
    written.has_values = page.values.count != 0;
    AppendPage(header, std::span(body_.data(), body_.size()));
    written.size_bytes = static_cast<uint32_t>(chunk_.bytes.size() - written.offset);
    if (written.has_values && bounds_ != nullptr) {
      ValueBounds bounds = bounds_->AddPage(values_.values().data() + page.values.offset, page.values.count);
      written.minimum = std::move(bounds.minimum);
      written.maximum = std::move(bounds.maximum);
    }
    chunk_.pages.push_back(std::move(written));
  }

  /// Writes levels, and returns the bytes that they take. Version 1 has their size before them, which is
  /// known only then.
  template <typename Write>
  size_t AppendSized(Write&& write) {
    const size_t begin = body_.size(), prefix = is_version_2_ ? 0 : sizeof(uint32_t);
    body_.Extend(prefix);
    write();
    const auto size = static_cast<uint32_t>(body_.size() - begin - prefix);
    if (!is_version_2_) std::memcpy(body_.data() + begin, &size, sizeof(size));
    return size;
  }

  size_t AppendLevels(const PageRange& page, const uint8_t* levels, uint32_t most) {
    if (levels == nullptr) return 0;
    return AppendSized(
        [&] { AppendRuns(levels + page.first_entry, page.entry_count, BitWidthOf(most), body_); });
  }

  size_t AppendFullLevels(const PageRange& page) {
    return AppendSized(
        [&] { AppendRun(leaf_.definition, page.entry_count, BitWidthOf(leaf_.definition), body_); });
  }

  void AppendValues(ParquetEncoding encoding, const PageRange& page) {
    if (encoding != ParquetEncoding::kRleDictionary)
      return AppendEncoded(encoding, values_, page.values, body_);
    const uint32_t bit_width = DictionaryBits();
    body_.AppendValue(static_cast<uint8_t>(bit_width));
    AppendRuns(dictionary_.codes() + page.values.first, page.values.count, bit_width, body_);
  }

  /// Compresses a page. Version 2 leaves the levels as they are, and everything where that is no larger.
  size_t Compress(ParquetPageHeader& header, std::span<const std::byte> body, std::span<std::byte> out) {
    if (header.type != ParquetPageType::kDataV2) return compressor_.Run(body, out);
    const size_t levels = header.repetition_bytes + header.definition_bytes;
    if (levels != 0) std::memcpy(out.data(), body.data(), levels);
    const std::span<const std::byte> values = body.subspan(levels);
    const size_t size = values.empty() ? 0 : compressor_.Run(values, out.subspan(levels));
    header.is_compressed = size < values.size();
    if (!header.is_compressed && !values.empty()) std::memcpy(&out[levels], values.data(), values.size());
    return levels + std::min(size, values.size());
  }

  void AppendPage(ParquetPageHeader& header, std::span<const std::byte> body) {
    // The header tells the compressed size, so its own size is not known before; the page is compressed
    // behind the space that the largest header takes, and moved.
    constexpr size_t kMostHeaderBytes = 64;
    ByteBuffer& bytes = chunk_.bytes;
    const size_t begin = bytes.size();
    const size_t most = body.size() + compressor_.MostBytes(body.size());
    std::byte* const page = bytes.Extend(kMostHeaderBytes + most);
    const size_t size = Compress(header, body, std::span(page + kMostHeaderBytes, most));
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
  const bool is_version_2_;  // of pages, and with its encodings
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
