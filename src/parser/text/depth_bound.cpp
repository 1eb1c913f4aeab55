// Estimates the depth of a statement's tree from its tokens.
#include "parser/text/depth_bound.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/throw.hpp"

namespace scaup {

namespace {

// Stack use of each kind of level, in units of an operator (some 300 bytes).
constexpr size_t kBracketWeight = 1;
constexpr size_t kCallWeight = 2;
constexpr size_t kSubqueryWeight = 4;

/// An open bracket or CASE. Its tree is at most Depth() deep: in the worst case the operators of one
/// expression are nested in each other, and the deepest bracket is below the last of them. Expressions
/// separated by commas, AND, OR or clause keywords are siblings.
struct Level {
  bool is_case = false;
  bool has_conjunction = false;
  size_t weight = 1;
  size_t pending_betweens = 0;  ///< their AND does not separate expressions
  size_t operators = 0;
  size_t inner = 0;
  size_t deepest_expression = 0;
  size_t joins = 0;
  size_t deepest_item = 0;
  size_t set_operations = 0;

  void EndExpression() {
    deepest_expression = std::max(deepest_expression, operators + inner);
    operators = inner = 0;
  }
  void EndItem() {
    EndExpression();
    deepest_item = std::max(deepest_item, joins + deepest_expression);
    joins = deepest_expression = pending_betweens = 0;
  }
  size_t Depth() {
    EndItem();
    return weight + set_operations + deepest_item + (has_conjunction ? 2 : 0);
  }
};

class DepthMeter {
 public:
  DepthMeter(std::string_view sql, std::span<const Token> tokens, size_t max_depth)
      : sql_(sql), tokens_(tokens), max_depth_(max_depth) {
    levels_.emplace_back();
    levels_.back().weight = 0;
  }

  size_t Run() {
    for (size_t i = 0; i < tokens_.size(); ++i) {
      current_ = i;
      // After a dot or AS, a keyword is only a name.
      const bool is_name = tokens_[i].is_keyword && i > 0 &&
                           (tokens_[i - 1].Is('.') || tokens_[i - 1].type == TokenType::kAs) &&
                           tokens_[i].type != TokenType::kSelect;
      if (!is_name) Take(tokens_[i]);
      const Level& level = levels_.back();
      Check(level.operators + level.inner);
      Check(level.joins);
      Check(level.set_operations);
      Check(levels_.size());
    }
    while (levels_.size() > 1) Close();
    const size_t depth = levels_.back().Depth();
    Check(depth);
    return depth;
  }

 private:
  TokenType Next(size_t distance = 1) const {
    return current_ + distance < tokens_.size() ? tokens_[current_ + distance].type : CharacterToken(';');
  }

  void Check(size_t depth) const {
    if (depth <= max_depth_) return;
    ThrowError(
        ErrorKind::kSyntax, sqlstate::kStatementTooComplex,
        fmt::format(
            "the statement is nested too deeply: brackets, operators in a row, joins, set operations "
            "and subqueries may be at most {} deep together; split it, or use IN, AND or a WITH clause",
            max_depth_),
        tokens_[current_].origin);
  }

  void Open(bool is_case, size_t weight) {
    levels_.emplace_back();
    levels_.back().is_case = is_case;
    levels_.back().weight = weight;
  }

  void Close() {
    const size_t depth = levels_.back().Depth();
    levels_.pop_back();
    levels_.back().inner = std::max(levels_.back().inner, depth);
    Check(levels_.back().operators + levels_.back().inner);
  }

  void CloseBracket() {
    while (levels_.size() > 1 && levels_.back().is_case) Close();
    if (levels_.size() > 1) Close();
  }

  size_t BracketWeight() const {
    switch (Next()) {
      case TokenType::kSelect:
      case TokenType::kWith:
      case TokenType::kValues:
      case TokenType::kFrom:
      case TokenType::kTable: return kSubqueryWeight;
      default: return FollowsFunctionName() ? kCallWeight : kBracketWeight;
    }
  }

  /// Returns whether a bracket follows a function's name: a name, or a keyword that can be one.
  bool FollowsFunctionName() const {
    if (current_ == 0) return false;
    const Token& previous = tokens_[current_ - 1];
    switch (previous.type) {
      case TokenType::kAnd:
      case TokenType::kOr:
      case TokenType::kNot:
      case TokenType::kIn:
      case TokenType::kWhen:
      case TokenType::kThen:
      case TokenType::kElse:
      case TokenType::kWhere:
      case TokenType::kOn:
      case TokenType::kSelect:
      case TokenType::kFrom:
      case TokenType::kJoin:
      case TokenType::kBetween: return false;
      default: return previous.is_keyword || previous.type == TokenType::kIdentifier;
    }
  }

  /// Returns whether CASE begins an expression. It may also be a column's label (SELECT 1 case, 2 ...), which
  /// ends the item.
  bool OpensCase() const {
    switch (Next()) {
      case TokenType::kFrom:
      case TokenType::kWhere:
      case TokenType::kGroup:
      case TokenType::kHaving:
      case TokenType::kWindow:
      case TokenType::kOrder:
      case TokenType::kLimit:
      case TokenType::kOffset:
      case TokenType::kFetch:
      case TokenType::kFor:
      case TokenType::kUnion:
      case TokenType::kIntersect:
      case TokenType::kExcept:
      case TokenType::kInto:
      case TokenType::kReturning:
      case TokenType::kOn:
      case TokenType::kWith: return false;
      default:
        return Next() != CharacterToken(',') && Next() != CharacterToken(')') &&
               Next() != CharacterToken(';');
    }
  }

  void Take(const Token& token) {
    // {'a': 1} becomes a call.
    if (token.Is('{')) return Open(false, kCallWeight);
    if (token.Is('}')) return CloseBracket();
    Level& level = levels_.back();
    switch (token.type) {
      case TokenType::kLeftParen:
      case TokenType::kLeftBracket: Open(false, BracketWeight()); return;
      case TokenType::kRightParen:
      case TokenType::kRightBracket: CloseBracket(); return;
      case TokenType::kComma: level.EndItem(); return;
      case TokenType::kCase:
        if (OpensCase()) Open(true, kBracketWeight);
        return;
      case TokenType::kEnd:
        if (level.is_case) Close();
        return;
      case TokenType::kBetween:
        ++level.pending_betweens;
        ++level.operators;
        return;
      case TokenType::kAnd:
        if (level.pending_betweens > 0) {
          --level.pending_betweens;
          return;
        }
        [[fallthrough]];
      case TokenType::kOr:
        level.has_conjunction = true;
        level.EndExpression();
        return;
      case TokenType::kJoin: ++level.joins; return;
      case TokenType::kUnion:
      case TokenType::kIntersect:
      case TokenType::kExcept:
        ++level.set_operations;
        level.EndItem();
        return;
      default: TakeRest(token, level);
    }
  }

  // Here, only reserved words end an expression, because others can be names inside of one. GROUP and ORDER
  // do so only before BY, because WITHIN GROUP (...) is a part of an expression. FROM does not in IS DISTINCT
  // FROM.
  void TakeRest(const Token& token, Level& level) {
    switch (token.type) {
      case TokenType::kFrom:
        if (current_ > 0 && tokens_[current_ - 1].type == TokenType::kDistinct) return;
        level.EndExpression();
        return;
      case TokenType::kGroup:
      case TokenType::kOrder:
        if (Next() == TokenType::kBy) level.EndExpression();
        return;
      case TokenType::kSelect: level.EndItem(); return;
      case TokenType::kAt: level.operators += kCallWeight; return;
      case TokenType::kWhen:
      case TokenType::kThen:
      case TokenType::kElse:
      case TokenType::kWhere:
      case TokenType::kHaving:
      case TokenType::kOn: level.EndExpression(); return;
      case TokenType::kOperator:
        // The dialect step splits "?+?+?" into parameters and operators.
        level.operators +=
            sql_.substr(token.origin, token.origin_end - token.origin).find('?') == std::string_view::npos
                ? 1
                : token.origin_end - token.origin;
        return;
      case TokenType::kPlus:
      case TokenType::kMinus:
      case TokenType::kStar:
      case TokenType::kSlash:
      case TokenType::kPercent:
      case TokenType::kCaret:
      case TokenType::kLess:
      case TokenType::kGreater:
      case TokenType::kEqual:
      case TokenType::kTypeCast:
      case TokenType::kLessEquals:
      case TokenType::kGreaterEquals:
      case TokenType::kNotEquals:
      case TokenType::kNot:
      case TokenType::kIs:
      case TokenType::kIsNull:
      case TokenType::kNotNull:
      case TokenType::kLike:
      case TokenType::kIlike:
      case TokenType::kSimilar:
      case TokenType::kIn:
      case TokenType::kCollate:
      case TokenType::kOperatorWord:
      case TokenType::kOverlaps:
      case TokenType::kUnique: ++level.operators; return;
      default: return;
    }
  }

  std::string_view sql_;
  std::span<const Token> tokens_;
  size_t max_depth_;
  size_t current_ = 0;
  std::vector<Level> levels_;
};

}  // namespace

size_t CheckDepth(std::string_view sql, std::span<const Token> tokens, size_t max_depth) {
  if (tokens.empty()) return 0;
  return DepthMeter(sql, tokens, max_depth).Run();
}

}  // namespace scaup
