// Finds queries that begin with FROM, and where their parts end.
#include "parser/dialect/from_first.hpp"

namespace scaup {

namespace {

bool Opens(const Token& token) { return token.Is('(') || token.Is('['); }
bool Closes(const Token& token) { return token.Is(')') || token.Is(']'); }

}  // namespace

FromFirstFinder::FromFirstFinder(std::span<const Token> tokens)
    : tokens_(tokens), match_(tokens.size(), tokens.size()) {
  std::vector<size_t> open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (Opens(tokens[i])) open.push_back(i);
    if (!Closes(tokens[i]) || open.empty()) continue;
    match_[i] = open.back();
    match_[open.back()] = i;
    open.pop_back();
  }
}

bool FromFirstFinder::IsName(size_t index) const {
  return index > 0 && (tokens_[index - 1].Is('.') || tokens_[index - 1].type == TokenType::kAs);
}

bool FromFirstFinder::BeginsQuery(size_t index, size_t query_begin) const {
  if (tokens_[index].type != TokenType::kFrom) return false;
  if (index == query_begin || index == 0) return true;
  const Token& previous = tokens_[index - 1];
  if (previous.Is('(')) return index < 2 || tokens_[index - 2].type != TokenType::kTrim;
  if (previous.Is('.')) return false;
  if (IsSetOperation(previous.type)) return true;
  if (previous.type == TokenType::kAll || previous.type == TokenType::kDistinct) {
    return index >= 2 && IsSetOperation(tokens_[index - 2].type);
  }
  // What comes before it in the same brackets tells FROM t of WITH ... FROM t, INSERT INTO a FROM t, EXPLAIN
  // FROM t and CREATE TABLE a AS FROM t from the FROM of a SELECT.
  for (size_t i = index; i-- > 0;) {
    if (Closes(tokens_[i])) {
      if (match_[i] == tokens_.size()) return false;
      i = match_[i];
      continue;
    }
    switch (tokens_[i].type) {
      case TokenType::kWith:
        if (tokens_[i + 1].Is('(')) break;  // Options of CREATE VIEW.
        return previous.Is(')');
      case TokenType::kExplain:
        if (i == 0) return true;
        break;
      case TokenType::kInsert:
        if (i + 1 < index && tokens_[i + 1].type == TokenType::kInto) return true;
        break;
      case TokenType::kCreate: return i == 0 && previous.type == TokenType::kAs;
      case TokenType::kSelect:
      case TokenType::kValues:
      case TokenType::kFrom:
      case TokenType::kWhere:
      case TokenType::kDelete:
      case TokenType::kSet:
      case TokenType::kAnd:
      case TokenType::kOr:
      case TokenType::kOn: return false;
      default: break;
    }
    if (Opens(tokens_[i])) return false;
  }
  return false;
}

bool FromFirstFinder::EndsSelectList(size_t index) const {
  const TokenType next = index + 1 < tokens_.size() ? tokens_[index + 1].type : CharacterToken(';');
  switch (tokens_[index].type) {
    case TokenType::kGroup:
    case TokenType::kOrder: return next == TokenType::kBy;
    case TokenType::kWhere:
    case TokenType::kHaving:
    case TokenType::kWindow:
    case TokenType::kLimit:
    case TokenType::kOffset:
    case TokenType::kFetch:
    case TokenType::kFor:
    case TokenType::kUnion:
    case TokenType::kIntersect:
    case TokenType::kExcept:
    case TokenType::kReturning:
    case TokenType::kWith: return true;
    default: return false;
  }
}

bool FromFirstFinder::EndsTables(size_t index) const {
  if (tokens_[index].type == TokenType::kSelect || tokens_[index].type == TokenType::kInto) return true;
  // WITH ORDINALITY belongs to the table function, WITH NO DATA does not.
  if (tokens_[index].type == TokenType::kWith) return index > 0 && !tokens_[index - 1].Is(')');
  return EndsSelectList(index);
}

FromFirst FromFirstFinder::Extent(size_t index) const {
  FromFirst extent;
  size_t i = index + 1;
  const auto skip_to = [&](auto ends) {
    for (; i < tokens_.size() && !Closes(tokens_[i]); ++i) {
      if (Opens(tokens_[i])) {
        i = match_[i];
        if (i >= tokens_.size()) break;
      } else if (!IsName(i) && ends(i)) {
        break;
      }
    }
    return i = i < tokens_.size() ? i : tokens_.size();
  };
  extent.from_end = extent.select_end = skip_to([&](size_t at) { return EndsTables(at); });
  if (i < tokens_.size() && tokens_[i].type == TokenType::kSelect) {
    extent.select_end = skip_to([&](size_t at) { return EndsSelectList(at); });
  }
  return extent;
}

}  // namespace scaup
