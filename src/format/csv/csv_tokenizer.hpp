// Finds the fields of rows in a text of whole rows: computes positions and copies nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "format/csv/csv_dialect.hpp"
#include "format/text/text_file.hpp"
#include "vector/selection_vector.hpp"

namespace scaup {

/// Up to 1024 rows. Field f of row r is data[ends[rows[r] + f - 1] + 1 .. ends[rows[r] + f]); a '\r' is not
/// yet stripped from a row's last field. Borrowed from the tokenizer until its next batch.
struct CsvBatch {
  const char* data = nullptr;
  const uint32_t* ends = nullptr;
  size_t row_count = 0;
  const uint32_t* rows = nullptr;          ///< per row, the index of its first field in `ends`
  const uint32_t* field_counts = nullptr;  ///< per row
  bool has_quotes = false;                 ///< some field may be quoted
  bool is_ascii = false;
  bool is_ragged = false;  ///< some rows have fewer fields than there are columns; the others are NULL

  uint32_t FieldBegin(size_t row, size_t field) const { return ends[rows[row] + field - 1] + 1; }
  uint32_t FieldEnd(size_t row, size_t field) const { return ends[rows[row] + field]; }
};

/// The tokenizer; reusable for one text after the other. One thread at a time.
class CsvTokenizer {
 public:
  /// Begins with data[begin, end), which consists of whole rows and ends with a newline character. The memory
  /// is borrowed. REQUIRES: kTextPadding more bytes are readable; end < 4 GiB.
  void Start(const CsvDialect& dialect, const char* data, size_t begin, size_t end);
  /// The next rows; false at the end. An empty line is a row of one empty field.
  bool Next(CsvBatch& batch);
  /// After Next returned false: whether the last row did not end because a quote is never closed.
  bool has_unfinished_row() const { return unfinished_; }
  size_t unfinished_row_begin() const { return ends_[0] + 1; }
  size_t memory_bytes() const { return (ends_.capacity() + newlines_.capacity()) * sizeof(uint32_t); }

 private:
  void CarryOver();
  void FillBlock();
  void DropQuoted(uint64_t quotes, uint64_t escapes, uint64_t& newlines, uint64_t& separators);

  CsvDialect dialect_;
  const char* data_ = nullptr;
  size_t begin_ = 0;
  size_t position_ = 0;  ///< of the next block
  size_t end_ = 0;
  bool inside_quotes_ = false;
  size_t skip_until_ = 0;  ///< bytes before this belong to an escape
  bool unfinished_ = false;
  size_t quotes_until_ = 0;     ///< the end of the last block with quotes
  size_t non_ascii_until_ = 0;  ///< the end of the last block with a byte above 127

  // ends_[0] is the byte before the batch's first row; the ends of all fields follow in order.
  std::vector<uint32_t> ends_;
  size_t end_count_ = 0;
  std::vector<uint32_t> newlines_;  ///< indexes of row ends in ends_
  size_t newline_count_ = 0;
  size_t used_rows_ = 0;  ///< rows of the batch handed out last
  uint32_t rows_[kVectorSize];
  uint32_t field_counts_[kVectorSize];
};

}  // namespace scaup
