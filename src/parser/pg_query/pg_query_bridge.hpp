// The only interface to libpg_query: its scanner and grammar, with managed results and errors as values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/text/token.hpp"

namespace scaup {

/// An error that PostgreSQL's scanner or grammar reports for a text.
struct PgFailure {
  std::string message;
  std::optional<size_t> offset;  ///< byte offset in the given text
};

struct PgScan {
  std::vector<Token> tokens;  ///< without comments
  std::optional<PgFailure> failure;
};

/// Splits `text` (without NUL bytes) into tokens. Thread-safe.
PgScan ScanTokens(const std::string& text);

/// The tree of one text, as JSON owned by this object. May be created by any thread; an object is used by one
/// thread. REQUIRES: the depth of the text's tree is limited (see depth_bound.hpp), because the library
/// recurses on the C stack.
class PgTree {
 public:
  explicit PgTree(const std::string& text);
  ~PgTree();
  PgTree(const PgTree&) = delete;
  PgTree& operator=(const PgTree&) = delete;

  const std::optional<PgFailure>& failure() const { return failure_; }
  /// Returns the JSON; empty after a failure.
  std::string_view json() const;

 private:
  struct Result;
  std::unique_ptr<Result> result_;
  std::optional<PgFailure> failure_;
};

}  // namespace scaup
