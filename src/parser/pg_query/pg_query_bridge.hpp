// The only door to libpg_query: its scanner and its grammar, with results freed and errors as values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/text/token.hpp"

namespace scaup {

/// An objection of PostgreSQL's scanner or grammar to a text.
struct PgFailure {
  std::string message;
  std::optional<size_t> offset;  ///< byte offset into the text that was given
};

struct PgScan {
  std::vector<Token> tokens;  ///< without comments
  std::optional<PgFailure> failure;
};

/// Cuts `text` (no NUL bytes) into tokens. Thread-safe.
PgScan ScanTokens(const std::string& text);

/// The tree of one text, as JSON owned by this object. Thread-safe to create; an object belongs to one
/// thread. REQUIRES: the text's tree is of bounded depth (see depth_bound.hpp): the library recurses on the C
/// stack.
class PgTree {
 public:
  explicit PgTree(const std::string& text);
  ~PgTree();
  PgTree(const PgTree&) = delete;
  PgTree& operator=(const PgTree&) = delete;

  const std::optional<PgFailure>& failure() const { return failure_; }
  /// Empty after a failure.
  std::string_view json() const;

 private:
  struct Result;
  std::unique_ptr<Result> result_;
  std::optional<PgFailure> failure_;
};

}  // namespace scaup
