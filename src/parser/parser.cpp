// Turns SQL text into syntax trees: checks the text, cuts it into statements, and takes each through the
// dialect step, PostgreSQL's grammar and the transformation.
#include "parser/parser.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "parser/dialect/dialect.hpp"
#include "parser/dialect/long_names.hpp"
#include "parser/pg_query/named_tables.hpp"
#include "parser/pg_query/parse_tree.hpp"
#include "parser/pg_query/pg_query_bridge.hpp"
#include "parser/text/depth_bound.hpp"
#include "parser/text/object_text.hpp"
#include "parser/text/text_check.hpp"
#include "parser/transform/transform.hpp"
#include "type/text/utf8_text.hpp"

namespace scaup {

namespace {

/// PostgreSQL's grammar counts with int and builds a tree some twenty times as large as the text.
constexpr size_t kLargestText = size_t{1} << 28;

void CheckText(std::string_view sql) {
  if (sql.size() > kLargestText) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kProgramLimitExceeded,
               fmt::format(
                   "the SQL text has {} bytes, more than the {} that can be parsed; load the data with COPY, "
                   "or split the text",
                   sql.size(), kLargestText));
  }
  if (const size_t nul = sql.find('\0'); nul != std::string_view::npos) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kCharacterNotInRepertoire, "the SQL text contains a NUL byte",
               nul);
  }
  if (const std::optional<size_t> slow = FindSlowOperators(sql)) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kStatementTooComplex,
               "too many operator or comment signs without a space between them", *slow);
  }
  if (const std::optional<size_t> invalid = FindInvalidUtf8(sql)) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kCharacterNotInRepertoire, "the SQL text is not valid UTF-8",
               *invalid);
  }
}

bool LacksAlias(const PgFailure& failure) {
  return failure.message == "subquery in FROM must have an alias" ||
         failure.message == "VALUES in FROM must have an alias";
}

/// Error texts of the grammar that deserve a word of help.
std::string WithHint(const PgFailure& failure) {
  return LacksAlias(failure) ? failure.message + ": write FROM (...) AS name" : failure.message;
}

/// The grammar wants names of subqueries in FROM, which PostgreSQL does not any more since 16: gives one to
/// the subquery that it complains of, the `number`th. False where that is not the failure.
bool NameSubquery(StatementText& text, const std::optional<PgFailure>& failure, size_t number) {
  // Each takes the grammar from the beginning.
  constexpr size_t kMostUnnamed = 100;
  if (!failure || !LacksAlias(*failure) || !failure->offset || number > kMostUnnamed) return false;
  const size_t end = text.Closing(text.TokenIndex(static_cast<int64_t>(*failure->offset)));
  if (end == text.tokens.size()) return false;
  text.InsertName(end, number == 1 ? "unnamed_subquery" : fmt::format("unnamed_subquery{}", number));
  return true;
}

[[noreturn]] void ThrowFailure(const PgFailure& failure, std::optional<size_t> position) {
  if (failure.message.starts_with("memory exhausted")) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kStatementTooComplex,
               "the statement is nested too deeply for the parser; split it", position);
  }
  if (failure.message.find("out of memory") != std::string::npos ||
      failure.message.starts_with("invalid memory alloc request size")) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kProgramLimitExceeded,
               "the statement is too large to be parsed; load the data with COPY, or split it", position);
  }
  if (failure.message.starts_with("invalid byte sequence for encoding"))
    ThrowError(ErrorKind::kSyntax, sqlstate::kCharacterNotInRepertoire, failure.message, position);
  const bool is_frame =
      failure.message.starts_with("frame start") || failure.message.starts_with("frame end");
  ThrowError(ErrorKind::kSyntax, is_frame ? sqlstate::kWindowingError : sqlstate::kSyntaxError,
             WithHint(failure), position);
}

/// Returns whether a function body begins, which holds semicolons and ends with END.
bool BeginsFunctionBody(std::span<const Token> tokens, size_t index) {
  return tokens[index].type == TokenType::kBegin && index > 0 && index + 1 < tokens.size() &&
         tokens[index + 1].type == TokenType::kAtomic;
}

/// The statements' tokens, cut at semicolons outside of brackets and of function bodies.
std::vector<std::span<const Token>> SplitStatements(std::span<const Token> tokens) {
  std::vector<std::span<const Token>> statements;
  size_t begin = 0;
  size_t open = 0;
  size_t ends = 0;  // BEGIN ATOMIC, and CASE within it, that END is still to close
  for (size_t i = 0; i <= tokens.size(); ++i) {
    if (i < tokens.size()) {
      if (tokens[i].Is('(')) ++open;
      if (tokens[i].Is(')') && open > 0) --open;
      if (BeginsFunctionBody(tokens, i) || (ends > 0 && tokens[i].type == TokenType::kCase)) ++ends;
      if (ends > 0 && tokens[i].type == TokenType::kEnd) --ends;
      if (!tokens[i].Is(';') || open > 0 || ends > 0) continue;
    }
    if (i > begin) statements.push_back(tokens.subspan(begin, i - begin));
    begin = i + 1;
  }
  return statements;
}

/// PostgreSQL's grammar and the text of its tree do not look at the stack: what they need is known before.
void CheckStackFor(size_t depth) {
  // Measured: 192 bytes a level at most, and 12 KiB besides, most of which kStackReserve is for.
  constexpr size_t kBytesPerLevel = 224 * kStackScale;
  constexpr size_t kBytesBesides = 4 * 1024 * kStackScale;
  if (StackLeft() < kBytesBesides + depth * kBytesPerLevel) ThrowStackTooSmall();
}

/// Calls use(text, root) for the tree that PostgreSQL's grammar makes of a statement. `position` replaces all
/// positions in it, if it is given.
template <typename Use>
auto WithTree(std::string_view sql, std::span<const Token> tokens, size_t max_depth,
              std::optional<size_t> position, const Use& use) {
  const size_t depth = CheckDepth(sql, tokens, max_depth);
  CheckStackFor(depth);
  StatementText text = ApplyDialect(sql, tokens);
  if (position) {
    for (Token& token : text.tokens) token.origin = token.origin_end = static_cast<uint32_t>(*position);
    text.position = *position;
  }
  const LongNames long_names(text);
  std::optional<PgTree> tree(std::in_place, text.text);
  for (size_t number = 1; NameSubquery(text, tree->failure(), number); number++) tree.emplace(text.text);
  if (const auto& failure = tree->failure()) {
    ThrowFailure({long_names.RestoreInMessage(failure->message), failure->offset},
                 failure->offset ? text.Position(static_cast<int64_t>(*failure->offset)) : text.position);
  }
  std::string whole;
  if (!long_names.empty()) whole = long_names.RestoreInJson(tree->json());
  // A step of our depth is at most a handful of JSON brackets.
  const ParseTree json(long_names.empty() ? tree->json() : whole, 16 * depth + 256);
  return use(text, json.root());
}

ast::StatementPtr ParseStatement(std::string_view sql, std::span<const Token> tokens, size_t max_depth,
                                 std::optional<size_t> position = std::nullopt) {
  return WithTree(sql, tokens, max_depth, position,
                  [](const StatementText& text, TreeNode root) { return TransformStatement(text, root); });
}

/// Calls use(tokens) for each statement of a text.
template <typename Use>
void ForEachStatement(std::string_view sql, const Use& use) {
  CheckText(sql);
  std::optional<std::string> masked = MaskObjects(sql);
  const PgScan scan = ScanTokens(masked ? *masked : std::string(sql));
  masked.reset();
  if (scan.failure) ThrowFailure(*scan.failure, scan.failure->offset);
  for (const std::span<const Token> tokens : SplitStatements(scan.tokens)) use(tokens);
}

}  // namespace

ast::ExpressionPtr Parser::ParseExpression(std::string_view expression, size_t position) const {
  const std::string sql = fmt::format("SELECT {}", expression);
  const PgScan scan = ScanTokens(sql);
  SCAUP_CHECK(!scan.failure);
  ast::StatementPtr statement = ParseStatement(sql, scan.tokens, max_depth_, position);
  SCAUP_CHECK(statement->kind == ast::StatementKind::kSelect);
  auto& select = statement->As<ast::SelectStatement>();
  SCAUP_CHECK(select.items.size() == 1);
  return std::move(select.items[0].expression);
}

std::unique_ptr<ast::SelectStatement> Parser::ParseQuery(std::string_view query, size_t position) const {
  CheckText(query);
  const std::optional<std::string> masked = MaskObjects(query);
  const PgScan scan = ScanTokens(masked ? *masked : std::string(query));
  if (scan.failure) ThrowFailure(*scan.failure, position);
  const auto statements = SplitStatements(scan.tokens);
  if (statements.size() != 1)
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "expected one query", position);
  ast::StatementPtr statement = ParseStatement(query, statements[0], max_depth_, position);
  if (statement->kind != ast::StatementKind::kSelect)
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "expected a query", position);
  return std::unique_ptr<ast::SelectStatement>(static_cast<ast::SelectStatement*>(statement.release()));
}

std::vector<ast::StatementPtr> Parser::Parse(std::string_view sql) const {
  std::vector<ast::StatementPtr> statements;
  ForEachStatement(sql, [&](std::span<const Token> tokens) {
    statements.push_back(ParseStatement(sql, tokens, max_depth_));
  });
  return statements;
}

std::vector<TableName> Parser::TableNames(std::string_view sql) const {
  std::vector<TableName> names;
  ForEachStatement(sql, [&](std::span<const Token> tokens) {
    WithTree(sql, tokens, max_depth_, std::nullopt,
             [&](const StatementText&, TreeNode root) { AddTableNames(root, names); });
  });
  return names;
}

}  // namespace scaup
