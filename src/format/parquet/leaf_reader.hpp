// Reads the values of one column chunk: rows of a flat column, or entries with levels for nested ones.
#pragma once

#include <memory>

#include "format/parquet/page_reader.hpp"
#include "format/parquet/rle_decoder.hpp"
#include "format/parquet/value_converter.hpp"
#include "format/parquet/value_decoder.hpp"

namespace scaup {

/// A cursor over a column chunk. Pages are decompressed when a value of theirs is read, so skipped ones cost
/// little. Functions throw the errors of PageReader. One thread at a time.
class LeafReader {
 public:
  LeafReader(const ParquetReading& reading, const ParquetColumnChunk& chunk, const ParquetLeaf& leaf);

  // For flat leaves: an entry is a row.

  /// Reads `count` <= kVectorSize rows into `output`, a released vector of the leaf's type: a dictionary
  /// vector where all pages have one and it has strings or `as_codes` is set, a view of a page where that is
  /// possible, else flat.
  void Read(size_t count, bool as_codes, Vector& output);
  /// Passes over rows; what they have is read only as far as the next Read needs it.
  void Skip(size_t count) { skipped_ += count; }
  /// The dictionary, if all rows are in it and its values decide which rows can pass a filter; else null.
  std::shared_ptr<const ParquetDictionary> SoleDictionary();

  // For leaves of nested columns.

  /// Reads the next entries, at most `most` <= kVectorSize: their levels, and the values of those that have
  /// one, one after the other. `values` is flat. Returns the number of entries; 0 at the end.
  size_t ReadEntries(size_t most, uint32_t* repetitions, uint32_t* definitions, Vector& values);

 private:
  void BeginPage();
  void SkipRows();
  void SkipInPage(size_t count);
  size_t ReadDefinitions(size_t count);
  void ReadValues(size_t count, std::byte* target, Vector& heap);
  void ReadCodes(size_t count, uint32_t* codes);
  void GatherCodes(size_t count, std::byte* target);
  bool TryView(size_t count, Vector& output);
  void ReadPart(size_t count, size_t begin, Vector& output);
  void ReadCodePart(size_t count, size_t begin, sel_t* codes);
  void ExpandCodes(size_t count, const sel_t* codes, Vector& output);

  const ParquetColumnChunk& chunk_;
  const ParquetLeaf& leaf_;
  PageReader pages_;
  ValueConverter convert_;
  size_t value_bytes_;
  bool is_string_;
  size_t skipped_ = 0;     // rows that were skipped and are still in the way
  bool has_page_ = false;  // header known, not yet over
  bool is_loaded_ = false;
  size_t left_ = 0;  // entries left in the page
  ParquetPage page_;
  RleDecoder repetitions_, definitions_, codes_;
  bool is_coded_ = false;  // the page has codes of the dictionary
  std::unique_ptr<ValueDecoder> values_;
  bool has_nulls_ = false;  // a NULL has come in a vector of codes
  uint32_t levels_[kVectorSize];
};

}  // namespace scaup
