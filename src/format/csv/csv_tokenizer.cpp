// Converts blocks of 64 bytes to masks of separators, and the masks to positions.
#include "format/csv/csv_tokenizer.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/throw.hpp"
#include "format/text/byte_block.hpp"

namespace scaup {

void CsvTokenizer::Start(const CsvDialect& dialect, const char* data, size_t begin, size_t end) {
  SCAUP_ASSERT(end <= UINT32_MAX);
  dialect_ = dialect;
  data_ = data;
  begin_ = begin;
  position_ = begin;
  end_ = end;
  inside_quotes_ = false;
  unfinished_ = false;
  skip_until_ = 0;
  quotes_until_ = 0;
  non_ascii_until_ = 0;
  if (ends_.empty()) ends_.resize(32 * kVectorSize);
  if (newlines_.empty()) newlines_.resize(kVectorSize + 64);
  ends_[0] = static_cast<uint32_t>(begin) - 1;  // wraps around at 0, and back when 1 is added
  end_count_ = 1;
  newline_count_ = 0;
  used_rows_ = 0;
}

void CsvTokenizer::CarryOver() {
  // Blocks were read beyond the last row of the batch: moves what was found there to the front.
  if (used_rows_ == 0) return;
  const size_t last = newlines_[used_rows_ - 1];
  std::memmove(ends_.data(), ends_.data() + last, (end_count_ - last) * sizeof(uint32_t));
  end_count_ -= last;
  for (size_t i = used_rows_; i < newline_count_; i++)
    newlines_[i - used_rows_] = newlines_[i] - static_cast<uint32_t>(last);
  newline_count_ -= used_rows_;
  used_rows_ = 0;
}

bool CsvTokenizer::Next(CsvBatch& batch) {
  CarryOver();
  while (newline_count_ < kVectorSize && position_ < end_) FillBlock();
  const size_t row_count = std::min(newline_count_, kVectorSize);
  uint32_t first = 1;
  for (size_t row = 0; row < row_count; row++) {
    rows_[row] = first;
    field_counts_[row] = newlines_[row] + 1 - first;
    first = newlines_[row] + 1;
  }
  used_rows_ = row_count;
  if (row_count == 0) {
    unfinished_ = static_cast<uint32_t>(ends_[0] + 1) < end_;
    return false;
  }
  const size_t batch_begin = static_cast<uint32_t>(ends_[0] + 1);
  batch = {data_,
           ends_.data(),
           row_count,
           rows_,
           field_counts_,
           quotes_until_ > batch_begin,
           non_ascii_until_ <= batch_begin};
  return true;
}

void CsvTokenizer::FillBlock() {
  const ByteBlock block(data_ + position_);
  uint64_t newlines = block.Equals(dialect_.newline);
  uint64_t separators = newlines | block.Equals(dialect_.delimiter);
  uint64_t quotes = 0, escapes = 0;
  if (dialect_.quote != '\0') quotes = block.Equals(dialect_.quote);
  if (dialect_.escape != dialect_.quote && dialect_.escape != '\0') escapes = block.Equals(dialect_.escape);
  if (!block.IsAscii()) [[unlikely]]
    non_ascii_until_ = position_ + 64;
  if (end_ - position_ < 64) {
    const uint64_t inside_text = (uint64_t{1} << (end_ - position_)) - 1;
    newlines &= inside_text;
    separators &= inside_text;
    quotes &= inside_text;
    escapes &= inside_text;
  }
  if (quotes != 0 || inside_quotes_) [[unlikely]]
    DropQuoted(quotes, escapes, newlines, separators);

  if (end_count_ + 64 > ends_.size()) ends_.resize(ends_.size() * 2);
  uint32_t* ends = ends_.data();
  uint32_t* rows = newlines_.data();
  size_t end_count = end_count_, newline_count = newline_count_;
  const uint32_t base = static_cast<uint32_t>(position_);
  // Without branches on newlines: the index is always written, but the count advances only at a row end.
  while (separators != 0) {
    const int bit = std::countr_zero(separators);
    separators &= separators - 1;
    ends[end_count] = base + static_cast<uint32_t>(bit);
    rows[newline_count] = static_cast<uint32_t>(end_count);
    newline_count += (newlines >> bit) & 1;
    end_count++;
  }
  end_count_ = end_count;
  newline_count_ = newline_count;
  position_ += 64;
}

void CsvTokenizer::DropQuoted(uint64_t quotes, uint64_t escapes, uint64_t& newlines, uint64_t& separators) {
  quotes_until_ = position_ + 64;
  // Walks from one special byte to the next, and retains only the separators outside of quotes.
  uint64_t kept = 0;
  size_t row_begin = newline_count_ == 0 ? static_cast<uint32_t>(ends_[0] + 1)
                                         : size_t{ends_[newlines_[newline_count_ - 1]]} + 1;
  const bool has_comments = dialect_.comment != '\0';
  for (uint64_t rest = quotes | escapes | separators; rest != 0; rest &= rest - 1) {
    const uint64_t bit = rest & (~rest + 1);
    const size_t position = position_ + static_cast<size_t>(std::countr_zero(rest));
    if (position < skip_until_) continue;
    if (!inside_quotes_) {
      if ((separators & bit) != 0) {
        kept |= bit;
        if ((newlines & bit) != 0) row_begin = position + 1;
      } else if ((quotes & bit) != 0 && !(has_comments && data_[row_begin] == dialect_.comment)) {
        const char before = position == begin_ ? dialect_.newline : data_[position - 1];
        inside_quotes_ = before == dialect_.delimiter || before == dialect_.newline;
      }
    } else if ((escapes & bit) != 0) {
      skip_until_ = position + 2;
    } else if ((quotes & bit) != 0) {
      if (dialect_.escape == dialect_.quote && data_[position + 1] == dialect_.quote && position + 1 < end_) {
        skip_until_ = position + 2;
      } else {
        inside_quotes_ = false;
      }
    }
  }
  separators = kept;
  newlines &= kept;
}

}  // namespace scaup
