// The dialect of a CSV file (separators and quoting), and its quote state machine.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace scaup {

/// The bytes that structure a file. A field that begins with `quote` extends to the next unescaped quote;
/// elsewhere a quote is an ordinary character.
struct CsvDialect {
  char delimiter = ',';
  char quote = '"';     ///< '\0': no quoting
  char escape = '"';    ///< precedes a quote or itself within quotes; mostly the quote itself
  char comment = '\0';  ///< begins lines that are no rows; '\0': none do
  char newline = '\n';  ///< ends a row; with strip_cr, a '\r' before it belongs to it
  bool strip_cr = true;
  bool trailing_delimiter = false;  ///< rows may end with a delimiter after the last field
};

/// The state of quoting at a position, determined by all bytes of the file before it.
enum class QuoteState : uint8_t {
  kRowStart = 0,
  kFieldStart = 1,
  kUnquoted = 2,
  kQuoted = 3,
  kAfterQuote = 4,  ///< after a quote within quotes: it closes the field, or is the first of two
  kEscaped = 5,     ///< after an escape character other than the quote
  kComment = 6,     ///< in a line that is no row
};
inline constexpr size_t kQuoteStates = 7;

/// The state after a text, for every state before it.
using QuoteStateMap = std::array<QuoteState, kQuoteStates>;

inline QuoteState StepQuoteState(const CsvDialect& dialect, QuoteState state, char c) {
  switch (state) {
    case QuoteState::kQuoted:
      if (c == dialect.quote) return QuoteState::kAfterQuote;
      return c == dialect.escape && c != '\0' ? QuoteState::kEscaped : QuoteState::kQuoted;
    case QuoteState::kEscaped: return QuoteState::kQuoted;
    case QuoteState::kComment: return c == dialect.newline ? QuoteState::kRowStart : QuoteState::kComment;
    case QuoteState::kRowStart:
      if (c == dialect.comment && c != '\0') return QuoteState::kComment;
      [[fallthrough]];
    case QuoteState::kFieldStart:
      if (c == dialect.quote && dialect.quote != '\0') return QuoteState::kQuoted;
      break;
    case QuoteState::kAfterQuote:
      if (c == dialect.quote && dialect.escape == dialect.quote) return QuoteState::kQuoted;
      break;
    case QuoteState::kUnquoted: break;
  }
  if (c == dialect.newline) return QuoteState::kRowStart;
  return c == dialect.delimiter ? QuoteState::kFieldStart : QuoteState::kUnquoted;
}

/// The state after `text`; as fast as searching it for quotes.
QuoteState AdvanceQuoteState(const CsvDialect& dialect, QuoteState state, std::string_view text);
/// The states after `text` for all states before it. Composing the maps of consecutive chunks gives the exact
/// state at each cut, whatever they contain.
QuoteStateMap MapQuoteStates(const CsvDialect& dialect, std::string_view text);
/// The position after the first row end in `text`; nullopt if there is none. Advances `state` up to there, or
/// over all of `text`.
std::optional<size_t> FindRowEnd(const CsvDialect& dialect, QuoteState& state, std::string_view text);

}  // namespace scaup
