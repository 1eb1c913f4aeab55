// Transforms DECLARE, FETCH, MOVE and CLOSE.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"

namespace scaup {

namespace {

// Bits of DECLARE's options in the tree.
constexpr int64_t kBinary = 1;
constexpr int64_t kScroll = 2;
constexpr int64_t kNoScroll = 4;
constexpr int64_t kInsensitive = 8;
constexpr int64_t kAsensitive = 16;
constexpr int64_t kHold = 32;

/// Throws Error(kSyntax, 42P11) if two options exclude each other.
void RefusePair(const StatementText& text, int64_t options, int64_t pair, const char* words) {
  if ((options & pair) != pair) return;
  ThrowError(ErrorKind::kSyntax, "42P11", fmt::format("cannot specify both {}", words), text.Position(0));
}

/// Refuses queries that change rows, and locks of rows that the cursor's later reads could not follow.
void CheckQuery(const ast::SelectStatement& query, int64_t options) {
  for (const ast::CommonTableExpression& with : query.with) {
    if (with.change) {
      ThrowNotSupported("DECLARE CURSOR must not contain statements that change rows in WITH", with.position);
    }
  }
  if (!query.row_lock) return;
  const size_t position = query.row_lock->position;
  const char* words = query.row_lock->words;
  if ((options & kHold) != 0)
    ThrowNotSupported(fmt::format("DECLARE CURSOR WITH HOLD ... {} is not supported", words), position);
  if ((options & kScroll) != 0)
    ThrowNotSupported(fmt::format("DECLARE SCROLL CURSOR ... {} is not supported", words), position);
  if ((options & kInsensitive) != 0) {
    ThrowError(ErrorKind::kSyntax, "42P11",
               fmt::format("DECLARE INSENSITIVE CURSOR ... {} is not valid", words), position);
  }
}

using Direction = ast::FetchStatement::Direction;

struct DirectionName {
  std::string_view name;
  Direction direction;
};
constexpr DirectionName kDirections[] = {
    {"FETCH_FORWARD", Direction::kForward},
    {"FETCH_BACKWARD", Direction::kBackward},
    {"FETCH_ABSOLUTE", Direction::kAbsolute},
    {"FETCH_RELATIVE", Direction::kRelative},
};

}  // namespace

ast::StatementPtr TransformDeclareCursor(const StatementText& text, TreeNode body) {
  auto declare = std::make_unique<ast::DeclareCursorStatement>();
  RefuseOtherFields(text, body, "DECLARE", {"portalname", "options", "query"}, -1);
  const int64_t options = body.Integer("options");
  RefusePair(text, options, kScroll | kNoScroll, "SCROLL and NO SCROLL");
  RefusePair(text, options, kInsensitive | kAsensitive, "INSENSITIVE and ASENSITIVE");
  declare->name = body.Text("portalname");
  declare->name_position = text.Position(text.Location(1));
  declare->no_scroll = (options & kNoScroll) != 0;
  declare->with_hold = (options & kHold) != 0;
  declare->is_binary = (options & kBinary) != 0;
  declare->query = TransformQuery(text, body["query"]);
  CheckQuery(*declare->query, options);
  declare->text = text.sql.substr(text.position, text.length);
  declare->query->position = text.position;
  declare->query->length = text.length;
  declare->query->parameter_count = text.parameter_count;
  return declare;
}

ast::StatementPtr TransformFetch(const StatementText& text, TreeNode body) {
  auto fetch = std::make_unique<ast::FetchStatement>();
  RefuseOtherFields(text, body, "FETCH", {"direction", "howMany", "portalname", "ismove"}, -1);
  for (const DirectionName& known : kDirections) {
    if (known.name == body.Text("direction")) fetch->direction = known.direction;
  }
  fetch->count = body.Integer("howMany");
  fetch->is_move = body.Flag("ismove");
  fetch->name = body.Text("portalname");
  fetch->name_position = text.Position(text.Location(text.tokens.size() - 1));
  return fetch;
}

ast::StatementPtr TransformCloseCursor(const StatementText& text, TreeNode body) {
  auto close = std::make_unique<ast::CloseCursorStatement>();
  RefuseOtherFields(text, body, "CLOSE", {"portalname"}, -1);
  close->name = body.Text("portalname");
  close->name_position = text.Position(text.Location(text.tokens.size() - 1));
  return close;
}

}  // namespace scaup
