// Parses SQL/JSON paths (ISO/IEC 9075-2:2016, 9.39) in the form of PostgreSQL's jsonpath.
#include <iterator>
#include <optional>
#include <utility>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/scalar/json_path/path_node.hpp"
#include "function/scalar/json_path/path_scanner.hpp"
#include "function/scalar/string/regular_expression.hpp"
#include "function/scalar/temporal/date_format.hpp"
#include "type/number/number_text.hpp"
#include "type/number/numeric.hpp"
#include "type/text/json_text.hpp"

namespace scaup::json_path {
namespace {

using NodePointer = std::unique_ptr<PathNode>;

template <typename... Children>
NodePointer Make(PathOp op, Children&&... children) {
  auto node = std::make_unique<PathNode>(PathNode{.op = op});
  (node->children.push_back(std::forward<Children>(children)), ...);
  return node;
}

NodePointer MakeText(PathOp op, std::string text) {
  return std::make_unique<PathNode>(PathNode{.op = op, .text = std::move(text)});
}

/// In the order of PathMethod.
constexpr std::string_view kMethodNames[] = {"type",    "size",    "keyvalue",  "ceiling",     "floor",
                                             "abs",     "double",  "bigint",    "integer",     "number",
                                             "decimal", "boolean", "string",    "datetime",    "date",
                                             "time",    "time_tz", "timestamp", "timestamp_tz"};

std::optional<PathMethod> FindMethod(std::string_view name) {
  for (size_t i = 0; i < std::size(kMethodNames); i++) {
    if (EqualsIgnoringCase(name, kMethodNames[i])) return static_cast<PathMethod>(i);
  }
  return std::nullopt;
}

/// Returns how many numbers a method may have as its arguments.
size_t MostNumbers(PathMethod method) {
  if (method == PathMethod::kDecimal) return 2;
  return method > PathMethod::kDate ? 1 : 0;
}

std::optional<PathOp> FindOperator(const PathToken& token,
                                   std::initializer_list<std::pair<std::string_view, PathOp>> operators) {
  if (token.kind != PathTokenKind::kSymbol) return std::nullopt;
  for (const auto& [symbol, op] : operators) {
    if (token.text == symbol) return op;
  }
  return std::nullopt;
}

/// The current token of a path, and what may follow.
class TokenCursor {
 public:
  explicit TokenCursor(std::string_view text) : scanner_(text) { Advance(); }

  const PathToken& token() const { return token_; }
  void Advance() { token_ = scanner_.Next(); }
  bool IsSymbol(std::string_view symbol) const {
    return token_.kind == PathTokenKind::kSymbol && token_.text == symbol;
  }
  bool IsWord(std::string_view lower) const {
    return token_.kind == PathTokenKind::kName && EqualsIgnoringCase(token_.text, lower);
  }
  bool TakeSymbol(std::string_view symbol) {
    if (!IsSymbol(symbol)) return false;
    Advance();
    return true;
  }
  bool TakeWord(std::string_view lower) {
    if (!IsWord(lower)) return false;
    Advance();
    return true;
  }
  void Expect(std::string_view symbol) {
    if (!TakeSymbol(symbol)) Refuse();
  }
  [[noreturn]] void Refuse() const { scanner_.Refuse(token_); }
  [[noreturn]] void RefuseAt(size_t begin) const { scanner_.RefuseAt(begin); }

 private:
  PathScanner scanner_;
  PathToken token_;
};

NodePointer MakeString(const PathToken& token) {
  std::string json;
  AppendJsonString(token.text, json);
  return MakeText(PathOp::kLiteral, std::move(json));
}

/// Writes a number as JSONB has it: without an exponent.
NodePointer MakeNumber(const TokenCursor& cursor) {
  Numeric number;
  if (ParseNumeric(cursor.token().text, number) != NumericParse::kOk) cursor.Refuse();
  return MakeText(PathOp::kLiteral, NumericToString(number));
}

NodePointer ParseStartsWith(TokenCursor& cursor, NodePointer left) {
  cursor.Advance();
  if (!cursor.TakeWord("with")) cursor.Refuse();
  const PathToken& token = cursor.token();
  if (token.kind != PathTokenKind::kString && token.kind != PathTokenKind::kVariable) cursor.Refuse();
  NodePointer prefix =
      token.kind == PathTokenKind::kString ? MakeString(token) : MakeText(PathOp::kVariable, token.text);
  cursor.Advance();
  return Make(PathOp::kStartsWith, std::move(left), std::move(prefix));
}

/// Turns XQuery's flags into those of regexp_like: with s a point matches line ends, with m ^ and $ match at
/// them.
std::string RegexFlags(std::string_view flags) {
  const auto has = [&](char flag) { return flags.find(flag) != std::string_view::npos; };
  std::string result;
  if (has('i')) result += 'i';
  if (has('q')) return result + 'q';
  if (has('x')) result += 'x';
  if (has('s')) return result + (has('m') ? "w" : "s");
  return result + (has('m') ? "n" : "p");
}

NodePointer ParseLikeRegex(TokenCursor& cursor, NodePointer left) {
  cursor.Advance();
  if (cursor.token().kind != PathTokenKind::kString) cursor.Refuse();
  NodePointer node = Make(PathOp::kLikeRegex, std::move(left));
  node->text = cursor.token().text;
  cursor.Advance();
  std::string flags;
  if (cursor.TakeWord("flag")) {
    const PathToken& token = cursor.token();
    if (token.kind != PathTokenKind::kString || token.text.find_first_not_of("ismxq") != std::string::npos)
      cursor.Refuse();
    flags = token.text;
    cursor.Advance();
  }
  node->flags = RegexFlags(flags);
  // A pattern that is none is refused even if no item is matched against it.
  const RegularExpression checked(node->text, ParseRegularExpressionFlags(node->flags, false));
  return node;
}

uint32_t ParseLevel(TokenCursor& cursor) {
  int32_t level = 0;
  if (cursor.TakeWord("last")) return PathNode::kLastLevel;
  if (cursor.token().kind != PathTokenKind::kNumber || !ParseInteger(cursor.token().text, level))
    cursor.Refuse();
  cursor.Advance();
  return static_cast<uint32_t>(level);
}

NodePointer ParseLevels(TokenCursor& cursor, NodePointer node) {
  if (!cursor.TakeSymbol("{")) return node;
  node->first_level = node->last_level = ParseLevel(cursor);
  if (cursor.TakeWord("to")) node->last_level = ParseLevel(cursor);
  cursor.Expect("}");
  return node;
}

/// A parser by recursive descent: a method per level of precedence.
class PathParser {
 public:
  explicit PathParser(std::string_view text) : cursor_(text) {}

  Path Parse() {
    Path path;
    if (cursor_.IsWord("strict") || cursor_.IsWord("lax")) {
      path.is_strict = cursor_.IsWord("strict");
      cursor_.Advance();
    }
    path.root = ParseOr();
    if (cursor_.token().kind != PathTokenKind::kEnd) cursor_.Refuse();
    return path;
  }

 private:
  /// Refuses a predicate where a value must stand, and the other way around.
  void Require(bool predicate, const NodePointer& node, size_t begin) const {
    if (IsPredicate(node->op) != predicate) cursor_.RefuseAt(begin);
  }

  NodePointer ParseConnective(std::string_view symbol, PathOp op, NodePointer (PathParser::*parse)()) {
    const size_t begin = cursor_.token().begin;
    NodePointer left = (this->*parse)();
    while (cursor_.IsSymbol(symbol)) {
      Require(true, left, begin);
      cursor_.Advance();
      const size_t right_begin = cursor_.token().begin;
      NodePointer right = (this->*parse)();
      Require(true, right, right_begin);
      left = Make(op, std::move(left), std::move(right));
    }
    return left;
  }

  NodePointer ParseOr() {
    CheckStack();
    return ParseConnective("||", PathOp::kOr, &PathParser::ParseAnd);
  }
  NodePointer ParseAnd() { return ParseConnective("&&", PathOp::kAnd, &PathParser::ParseNot); }

  NodePointer ParseNot() {
    if (!cursor_.TakeSymbol("!")) return ParseComparison();
    const size_t begin = cursor_.token().begin;
    if (!cursor_.IsSymbol("(") && !cursor_.IsWord("exists")) cursor_.Refuse();
    NodePointer operand = ParsePrimary();
    Require(true, operand, begin);
    return Make(PathOp::kNot, std::move(operand));
  }

  NodePointer ParseComparison() {
    const size_t begin = cursor_.token().begin;
    NodePointer left = ParseSum();
    const auto op = FindOperator(cursor_.token(), {{"==", PathOp::kEqual},
                                                   {"!=", PathOp::kNotEqual},
                                                   {"<>", PathOp::kNotEqual},
                                                   {"<", PathOp::kLess},
                                                   {"<=", PathOp::kLessOrEqual},
                                                   {">", PathOp::kGreater},
                                                   {">=", PathOp::kGreaterOrEqual}});
    if (op) {
      Require(false, left, begin);
      cursor_.Advance();
      const size_t right_begin = cursor_.token().begin;
      NodePointer right = ParseSum();
      Require(false, right, right_begin);
      return Make(*op, std::move(left), std::move(right));
    }
    if (!cursor_.IsWord("starts") && !cursor_.IsWord("like_regex")) return left;
    Require(false, left, begin);
    return cursor_.IsWord("starts") ? ParseStartsWith(cursor_, std::move(left))
                                    : ParseLikeRegex(cursor_, std::move(left));
  }

  NodePointer ParseBinary(std::initializer_list<std::pair<std::string_view, PathOp>> operators,
                          NodePointer (PathParser::*parse)()) {
    const size_t begin = cursor_.token().begin;
    NodePointer left = (this->*parse)();
    while (const auto op = FindOperator(cursor_.token(), operators)) {
      Require(false, left, begin);
      cursor_.Advance();
      const size_t right_begin = cursor_.token().begin;
      NodePointer right = (this->*parse)();
      Require(false, right, right_begin);
      left = Make(*op, std::move(left), std::move(right));
    }
    return left;
  }

  NodePointer ParseSum() {
    return ParseBinary({{"+", PathOp::kAdd}, {"-", PathOp::kSubtract}}, &PathParser::ParseProduct);
  }
  NodePointer ParseProduct() {
    return ParseBinary({{"*", PathOp::kMultiply}, {"/", PathOp::kDivide}, {"%", PathOp::kModulo}},
                       &PathParser::ParseUnary);
  }

  NodePointer ParseUnary() {
    const auto op = FindOperator(cursor_.token(), {{"+", PathOp::kPlus}, {"-", PathOp::kMinus}});
    if (!op) return ParsePrimary();
    CheckStack();
    cursor_.Advance();
    const size_t begin = cursor_.token().begin;
    NodePointer operand = ParseUnary();
    Require(false, operand, begin);
    return Make(*op, std::move(operand));
  }

  NodePointer ParsePrimary() {
    NodePointer node = cursor_.TakeWord("exists") ? ParseExists()
                       : cursor_.TakeSymbol("(")  ? ParseParenthesis()
                                                  : ParseValue();
    while (true) {
      if (cursor_.TakeSymbol(".")) {
        node = ParseDot(std::move(node));
      } else if (cursor_.TakeSymbol("[")) {
        node = ParseBracket(std::move(node));
      } else if (cursor_.TakeSymbol("?")) {
        node = ParseFilter(std::move(node));
      } else {
        return node;
      }
    }
  }

  NodePointer ParseExists() {
    cursor_.Expect("(");
    const size_t begin = cursor_.token().begin;
    NodePointer operand = ParseOr();
    Require(false, operand, begin);
    cursor_.Expect(")");
    return Make(PathOp::kExists, std::move(operand));
  }

  NodePointer ParseParenthesis() {
    NodePointer node = ParseOr();
    cursor_.Expect(")");
    if (!IsPredicate(node->op) || !cursor_.TakeWord("is")) return node;
    if (!cursor_.TakeWord("unknown")) cursor_.Refuse();
    return Make(PathOp::kIsUnknown, std::move(node));
  }

  NodePointer MakeName() const {
    if (cursor_.token().text == "true" || cursor_.token().text == "false" || cursor_.token().text == "null")
      return MakeText(PathOp::kLiteral, cursor_.token().text);
    if (!cursor_.IsWord("last")) cursor_.Refuse();
    if (subscript_depth_ == 0) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kSyntaxError,
                 "\"last\" has a meaning only within the subscripts of an array, as in $[last]");
    }
    return Make(PathOp::kLast);
  }

  NodePointer MakeCurrent() const {
    if (filter_depth_ == 0) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kSyntaxError,
                 "@ has a meaning only within a filter, as in $ ? (@ > 1)");
    }
    return Make(PathOp::kCurrent);
  }

  NodePointer ParseValue() {
    NodePointer node;
    switch (cursor_.token().kind) {
      case PathTokenKind::kString: node = MakeString(cursor_.token()); break;
      case PathTokenKind::kNumber: node = MakeNumber(cursor_); break;
      case PathTokenKind::kVariable: node = MakeText(PathOp::kVariable, cursor_.token().text); break;
      case PathTokenKind::kName: node = MakeName(); break;
      case PathTokenKind::kSymbol:
        if (cursor_.token().text == "$") node = Make(PathOp::kRoot);
        if (cursor_.token().text == "@") node = MakeCurrent();
        break;
      case PathTokenKind::kEnd: break;
    }
    if (node == nullptr) cursor_.Refuse();
    cursor_.Advance();
    return node;
  }

  NodePointer ParseDot(NodePointer base) {
    if (cursor_.TakeSymbol("*")) return Make(PathOp::kAllMembers, std::move(base));
    if (cursor_.TakeSymbol("**")) return ParseLevels(cursor_, Make(PathOp::kWithin, std::move(base)));
    if (cursor_.token().kind != PathTokenKind::kName && cursor_.token().kind != PathTokenKind::kString)
      cursor_.Refuse();
    const PathToken name = cursor_.token();
    cursor_.Advance();
    NodePointer node = Make(PathOp::kMember, std::move(base));
    node->text = name.text;
    if (name.kind != PathTokenKind::kName || !cursor_.TakeSymbol("(")) return node;
    const auto method = FindMethod(name.text);
    if (!method) cursor_.RefuseAt(name.begin);
    node->op = PathOp::kMethod;
    node->method = *method;
    ParseMethodArguments(*node);
    cursor_.Expect(")");
    return node;
  }

  void ParseMethodArguments(PathNode& node) {
    if (node.method == PathMethod::kDateTime && cursor_.token().kind == PathTokenKind::kString) {
      node.format = std::make_shared<DateFormat>(cursor_.token().text);
      cursor_.Advance();
    }
    const size_t most = MostNumbers(node.method);
    if (most == 0 || cursor_.IsSymbol(")")) return;
    do {
      if (node.numbers.size() == most) cursor_.Refuse();
      node.numbers.push_back(ParseMethodNumber(node.method == PathMethod::kDecimal));
    } while (cursor_.TakeSymbol(","));
  }

  int32_t ParseMethodNumber(bool may_be_negative) {
    const bool is_negative = may_be_negative && cursor_.TakeSymbol("-");
    int32_t number = 0;
    if (cursor_.token().kind != PathTokenKind::kNumber || !ParseInteger(cursor_.token().text, number))
      cursor_.Refuse();
    cursor_.Advance();
    return is_negative ? -number : number;
  }

  NodePointer ParseBracket(NodePointer base) {
    if (cursor_.TakeSymbol("*")) {
      cursor_.Expect("]");
      return Make(PathOp::kAllElements, std::move(base));
    }
    NodePointer node = Make(PathOp::kSubscripts, std::move(base));
    subscript_depth_++;
    do {
      node->children.push_back(ParseSubscript());
      node->children.push_back(cursor_.TakeWord("to") ? ParseSubscript() : nullptr);
    } while (cursor_.TakeSymbol(","));
    subscript_depth_--;
    cursor_.Expect("]");
    return node;
  }

  NodePointer ParseSubscript() {
    const size_t begin = cursor_.token().begin;
    NodePointer subscript = ParseSum();
    Require(false, subscript, begin);
    return subscript;
  }

  NodePointer ParseFilter(NodePointer base) {
    cursor_.Expect("(");
    const size_t begin = cursor_.token().begin;
    filter_depth_++;
    NodePointer condition = ParseOr();
    filter_depth_--;
    Require(true, condition, begin);
    cursor_.Expect(")");
    return Make(PathOp::kFilter, std::move(base), std::move(condition));
  }

  TokenCursor cursor_;
  size_t filter_depth_ = 0, subscript_depth_ = 0;
};

}  // namespace

std::string_view PathMethodName(PathMethod method) { return kMethodNames[static_cast<size_t>(method)]; }

Path ParsePath(std::string_view text) {
  if (text.empty()) {
    ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
               "an SQL/JSON path cannot be empty; $ is the whole value");
  }
  return PathParser(text).Parse();
}

}  // namespace scaup::json_path
