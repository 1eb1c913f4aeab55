// Finds queries that begin with FROM, and where their parts end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parser/text/token.hpp"

namespace scaup {

/// FROM t [SELECT ...] ...: FROM stands at the index asked for, the tables end at `from_end`; the select
/// list, if there is one, follows there and ends at `select_end` (else select_end == from_end).
struct FromFirst {
  size_t from_end = 0;
  size_t select_end = 0;
};

/// Looks at one statement's tokens, which it borrows. One thread.
class FromFirstFinder {
 public:
  explicit FromFirstFinder(std::span<const Token> tokens);

  /// True if the FROM at `index` begins a query: it may be the first token of a query at `query_begin`.
  bool BeginsQuery(size_t index, size_t query_begin) const;
  /// REQUIRES: BeginsQuery.
  FromFirst Extent(size_t index) const;
  /// The index of the bracket that belongs to the one at `index`; tokens.size() if it is missing.
  size_t Match(size_t index) const { return match_[index]; }

 private:
  bool IsName(size_t index) const;
  bool EndsTables(size_t index) const;
  bool EndsSelectList(size_t index) const;

  std::span<const Token> tokens_;
  std::vector<size_t> match_;
};

}  // namespace scaup
