// The keywords of PostgreSQL 15, whose number Scaup's server gives as its version.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace scaup {

/// Which names a keyword can be without quotes.
enum class KeywordKind : uint8_t {
  kUnreserved,      ///< all
  kColumnName,      ///< those of columns and tables, not of functions and types
  kTypeOrFunction,  ///< those of functions and types alone
  kReserved         ///< none
};

struct Keyword {
  std::string_view word;  ///< in lower case
  KeywordKind kind;
  bool is_bare_label;  ///< whether it can name a column of a query without AS
};

/// Returns all keywords, sorted by their words.
std::span<const Keyword> AllKeywords();
/// Returns the keyword; null if the word, in lower case, is none.
const Keyword* FindKeyword(std::string_view word);

}  // namespace scaup
