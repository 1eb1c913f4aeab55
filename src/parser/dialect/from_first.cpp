// Queries that begin with FROM: moves the SELECT list to the front, or adds SELECT *.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

bool Opens(const Token& token) { return token.Is('(') || token.Is('['); }
bool Closes(const Token& token) { return token.Is(')') || token.Is(']'); }

class FromFirst final : public FormRewriter {
 public:
  explicit FromFirst(const StatementTokens& tokens) : tokens_(tokens) {}

  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    if (!BeginsQuery(index, rewriter.query_begin())) return index;
    const Extent extent = ExtentOf(index);
    if (extent.select_end == extent.from_end) {
      rewriter.Write(index, "SELECT", TokenType::kSelect);
      rewriter.Write(index, "*", CharacterToken('*'));
    } else {
      rewriter.Rewrite(extent.from_end, extent.select_end);
    }
    rewriter.Copy(index);
    rewriter.Rewrite(index + 1, extent.from_end);
    return extent.select_end;
  }

 private:
  /// The extent of a query that begins with FROM. Its tables end at `from_end`. Its SELECT list, which may be
  /// missing, ends at `select_end`.
  struct Extent {
    size_t from_end = 0;
    size_t select_end = 0;
  };

  /// Returns whether a keyword is a name because of the token before it.
  bool IsName(size_t index) const {
    return index > 0 && (tokens_[index - 1].Is('.') || tokens_[index - 1].type == TokenType::kAs);
  }

  /// Returns whether a query begins with this FROM. One certainly begins at `query_begin`. Other uses of FROM
  /// are told apart by the token before, as in EXTRACT(x FROM y), TRIM(FROM x) or IS DISTINCT FROM.
  bool BeginsQuery(size_t index, size_t query_begin) const {
    if (tokens_[index].type != TokenType::kFrom) return false;
    if (index == query_begin || index == 0) return true;
    const Token& previous = tokens_[index - 1];
    if (previous.Is('(')) return index < 2 || tokens_[index - 2].type != TokenType::kTrim;
    if (previous.Is('.')) return false;
    if (IsSetOperation(previous.type)) return true;
    if (previous.type == TokenType::kAll || previous.type == TokenType::kDistinct)
      return index >= 2 && IsSetOperation(tokens_[index - 2].type);
    return FollowsStatementHead(index);
  }

  /// Returns whether FROM follows the head of a statement, as in WITH ... FROM t, INSERT INTO a FROM t,
  /// EXPLAIN FROM t and CREATE TABLE a AS FROM t. Walks back within the same brackets: the first keyword
  /// found there decides, since a SELECT, for example, has its own FROM.
  bool FollowsStatementHead(size_t index) const {
    const Token& previous = tokens_[index - 1];
    for (size_t i = index; i-- > 0;) {
      if (Closes(tokens_[i])) {
        if (tokens_.Partner(i) == tokens_.size()) return false;
        i = tokens_.Partner(i);
        continue;
      }
      switch (tokens_[i].type) {
        case TokenType::kWith:
          if (tokens_[i + 1].Is('(')) break;  // options of CREATE VIEW
          return previous.Is(')');
        case TokenType::kExplain:
          if (i == 0) return true;
          break;
        case TokenType::kInsert:
          if (i + 1 < index && tokens_[i + 1].type == TokenType::kInto) return true;
          break;
        case TokenType::kCreate: return i == 0 && previous.type == TokenType::kAs;
        case TokenType::kOr:  // CREATE OR REPLACE TABLE and VIEW
          return i == 1 && tokens_.Is(0, TokenType::kCreate) && previous.type == TokenType::kAs;
        case TokenType::kSelect:
        case TokenType::kValues:
        case TokenType::kFrom:
        case TokenType::kWhere:
        case TokenType::kDelete:
        case TokenType::kSet:
        case TokenType::kAnd: return false;
        case TokenType::kOn:
          // CREATE TABLE t ON COMMIT ... AS
          if (tokens_.IsWord(i + 1, "commit")) break;
          return false;
        default: break;
      }
      if (Opens(tokens_[i])) return false;
    }
    return false;
  }

  bool EndsSelectList(size_t index) const {
    if (tokens_.BeginsQualify(index)) return true;
    switch (tokens_[index].type) {
      case TokenType::kSelect: return false;  // The list's own.
      case TokenType::kGroup: return tokens_.Is(index + 1, TokenType::kBy);
      case TokenType::kWhere:
      case TokenType::kHaving: return true;
      default: return tokens_.BeginsLaterClause(index);
    }
  }

  bool EndsTables(size_t index) const {
    if (tokens_[index].type == TokenType::kSelect || tokens_[index].type == TokenType::kInto) return true;
    // WITH ORDINALITY follows the parenthesis of a table function and belongs to the tables. WITH NO DATA
    // does not.
    if (tokens_[index].type == TokenType::kWith) return index > 0 && !tokens_[index - 1].Is(')');
    return EndsSelectList(index);
  }

  Extent ExtentOf(size_t index) const {
    Extent extent;
    size_t i = index + 1;
    const auto skip_to = [&](auto ends) {
      for (; i < tokens_.size() && !Closes(tokens_[i]); ++i) {
        if (Opens(tokens_[i])) {
          i = tokens_.Partner(i);
          if (i >= tokens_.size()) break;
        } else if (!IsName(i) && ends(i)) {
          break;
        }
      }
      return i = i < tokens_.size() ? i : tokens_.size();
    };
    extent.from_end = extent.select_end = skip_to([&](size_t at) { return EndsTables(at); });
    if (i < tokens_.size() && tokens_[i].type == TokenType::kSelect)
      extent.select_end = skip_to([&](size_t at) { return EndsSelectList(at); });
    return extent;
  }

  const StatementTokens& tokens_;
};

}  // namespace

std::unique_ptr<FormRewriter> MakeFromFirst(const StatementTokens& tokens) {
  return std::make_unique<FromFirst>(tokens);
}

}  // namespace scaup
