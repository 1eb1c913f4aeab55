// Tracks the state of quoting through text, looking only at quotes and escapes.
#include "format/csv/csv_dialect.hpp"

#include <bit>
#include <cstring>

#include "format/text/byte_block.hpp"

namespace scaup {
namespace {

/// The state after a text that ends outside quotes: its last byte decides.
QuoteState StateAfterByte(const CsvDialect& dialect, char last) {
  if (last == dialect.newline) return QuoteState::kRowStart;
  return last == dialect.delimiter ? QuoteState::kFieldStart : QuoteState::kUnquoted;
}

/// Walks over the quotes and escapes of a text. Outside quotes, a quote opens a field if it follows a
/// separator; inside, it closes the field unless it is doubled.
class QuoteWalk {
 public:
  QuoteWalk(const CsvDialect& dialect, QuoteState state, std::string_view text)
      : dialect_(dialect),
        text_(text),
        at_field_start_(state != QuoteState::kUnquoted && state != QuoteState::kComment),
        begins_in_comment_(
            state == QuoteState::kComment ||
            (state == QuoteState::kRowStart && dialect.comment != '\0' && text.front() == dialect.comment)),
        inside_(state == QuoteState::kQuoted),
        begins_in_row_(inside_) {}

  QuoteState Run() {
    size_t position = 0;
    for (; position + 64 <= text_.size(); position += 64) Visit(position, Mask(text_.data() + position));
    if (position < text_.size()) {
      char rest[64] = {};
      std::memcpy(rest, text_.data() + position, text_.size() - position);
      Visit(position, Mask(rest) & ((uint64_t{1} << (text_.size() - position)) - 1));
    }
    if (ends_open_) return *ends_open_;
    if (inside_) return QuoteState::kQuoted;
    const bool in_comment = text_.back() != dialect_.newline && IsInComment(text_.size());
    return in_comment ? QuoteState::kComment : StateAfterByte(dialect_, text_.back());
  }

 private:
  uint64_t Mask(const char* bytes) const {
    const ByteBlock block(bytes);
    uint64_t mask = dialect_.quote == '\0' ? 0 : block.Equals(dialect_.quote);
    if (dialect_.escape != dialect_.quote && dialect_.escape != '\0') mask |= block.Equals(dialect_.escape);
    return mask;
  }

  void Visit(size_t base, uint64_t mask) {
    for (; mask != 0; mask &= mask - 1) {
      const size_t position = base + static_cast<size_t>(std::countr_zero(mask));
      if (position < skip_until_) continue;
      if (inside_) {
        VisitInside(position);
      } else if (text_[position] == dialect_.quote && OpensField(position) && !IsInComment(position)) {
        inside_ = true;
        begins_in_row_ = true;
        quoted_until_ = position + 1;
      }
    }
  }

  void VisitInside(size_t position) {
    const bool is_last = position + 1 == text_.size();
    if (text_[position] != dialect_.quote) {
      if (is_last) ends_open_ = QuoteState::kEscaped;
      skip_until_ = position + 2;
    } else if (is_last) {
      ends_open_ = QuoteState::kAfterQuote;
    } else if (dialect_.escape == dialect_.quote && text_[position + 1] == dialect_.quote) {
      skip_until_ = position + 2;
    } else {
      inside_ = false;
      quoted_until_ = position + 1;
    }
  }

  /// Whether a position outside quotes is in a line that is no row.
  bool IsInComment(size_t position) const {
    if (dialect_.comment == '\0') return false;
    // A line end that is quoted begins no row.
    const std::string_view before = text_.substr(quoted_until_, position - quoted_until_);
    const size_t line_end = before.rfind(dialect_.newline);
    if (line_end == std::string_view::npos) return begins_in_comment_ && !begins_in_row_;
    const size_t line = quoted_until_ + line_end + 1;
    return line < text_.size() && text_[line] == dialect_.comment;
  }

  bool OpensField(size_t position) const {
    if (position == 0) return at_field_start_;
    const char before = text_[position - 1];
    return before == dialect_.delimiter || before == dialect_.newline;
  }

  const CsvDialect& dialect_;
  std::string_view text_;
  bool at_field_start_;
  bool begins_in_comment_;
  bool inside_;
  bool begins_in_row_;       ///< the text began in quotes, or some were opened
  size_t quoted_until_ = 0;  ///< behind the last quote that opened or closed a field
  size_t skip_until_ = 0;
  std::optional<QuoteState> ends_open_;
};

}  // namespace

QuoteState AdvanceQuoteState(const CsvDialect& dialect, QuoteState state, std::string_view text) {
  if (text.empty()) return state;
  // Leave the states that depend on a single byte.
  while (!text.empty() && (state == QuoteState::kAfterQuote || state == QuoteState::kEscaped)) {
    state = StepQuoteState(dialect, state, text.front());
    text.remove_prefix(1);
  }
  if (text.empty()) return state;
  if (dialect.quote == '\0' && dialect.comment == '\0') return StateAfterByte(dialect, text.back());
  return QuoteWalk(dialect, state, text).Run();
}

QuoteStateMap MapQuoteStates(const CsvDialect& dialect, std::string_view text) {
  QuoteStateMap map;
  for (size_t i = 0; i < kQuoteStates; i++) map[i] = static_cast<QuoteState>(i);
  if (text.empty()) return map;
  for (QuoteState& state : map) state = StepQuoteState(dialect, state, text.front());
  text.remove_prefix(1);
  // After one byte, rarely more than two distinct states remain: one inside quotes, one outside.
  std::array<std::optional<QuoteState>, kQuoteStates> done;
  for (QuoteState& state : map) {
    auto& result = done[static_cast<size_t>(state)];
    if (!result) result = AdvanceQuoteState(dialect, state, text);
    state = *result;
  }
  return map;
}

std::optional<size_t> FindRowEnd(const CsvDialect& dialect, QuoteState& state, std::string_view text) {
  if (dialect.quote == '\0' && dialect.comment == '\0') {
    const size_t newline = text.find(dialect.newline);
    if (!text.empty())
      state = StateAfterByte(dialect, newline == std::string_view::npos ? text.back() : dialect.newline);
    return newline == std::string_view::npos ? std::nullopt : std::optional<size_t>(newline + 1);
  }
  for (size_t i = 0; i < text.size(); i++) {
    state = StepQuoteState(dialect, state, text[i]);
    if (state == QuoteState::kRowStart) return i + 1;
  }
  return std::nullopt;
}

}  // namespace scaup
