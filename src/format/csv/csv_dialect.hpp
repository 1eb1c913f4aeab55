// How one CSV file is written, once everything is known: separators and the state of quoting.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace scaup {

/// The bytes that structure a file. A field that begins with `quote` runs to the next quote that is not
/// escaped; a quote anywhere else is an ordinary character.
struct CsvDialect {
  char delimiter = ',';
  char quote = '"';     ///< '\0': nothing is quoted
  char escape = '"';    ///< before a quote or itself inside quotes; mostly the quote itself
  char newline = '\n';  ///< what ends a row; with strip_cr a '\r' before it belongs to it
  bool strip_cr = true;
  bool trailing_delimiter = false;  ///< rows may end with a delimiter after their last field
};

/// Where in a row's structure a position lies, by all bytes before it.
enum class QuoteState : uint8_t {
  kRowStart = 0,
  kFieldStart = 1,
  kUnquoted = 2,
  kQuoted = 3,
  kAfterQuote = 4,  ///< behind a quote inside quotes: it closes, or is the first of two
  kEscaped = 5,     ///< behind an escape character that is not the quote
};
inline constexpr size_t kQuoteStates = 6;

/// The state behind a text, for every state before it.
using QuoteStateMap = std::array<QuoteState, kQuoteStates>;

inline QuoteState StepQuoteState(const CsvDialect& dialect, QuoteState state, char c) {
  switch (state) {
    case QuoteState::kQuoted:
      if (c == dialect.quote) return QuoteState::kAfterQuote;
      return c == dialect.escape && c != '\0' ? QuoteState::kEscaped : QuoteState::kQuoted;
    case QuoteState::kEscaped: return QuoteState::kQuoted;
    case QuoteState::kRowStart:
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

/// The state behind `text`; as fast as searching it for quotes.
QuoteState AdvanceQuoteState(const CsvDialect& dialect, QuoteState state, std::string_view text);
/// Maps all states before `text` at once: what a piece of a file means for what follows it. Composing the
/// maps of all pieces gives the exact state at each cut, whatever the pieces hold.
QuoteStateMap MapQuoteStates(const CsvDialect& dialect, std::string_view text);
/// The position behind the first row end in `text`, advancing `state` up to it (or over all of `text`).
std::optional<size_t> FindRowEnd(const CsvDialect& dialect, QuoteState& state, std::string_view text);

}  // namespace scaup
