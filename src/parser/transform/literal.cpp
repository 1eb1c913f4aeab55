// Transforms constants.
#include "parser/transform/transform.hpp"

#include <charconv>

namespace scaup {

using ast::Literal;

int64_t IntegerAt(const StatementText& text, int64_t printed, int64_t location) {
  if (printed != 0 || location < 0) return printed;
  // The grammar folds minus signs, and brackets around them, into the constant: - ( - 5).
  bool negative = false;
  for (size_t i = text.TokenIndex(location); i < text.tokens.size(); ++i) {
    if (text.TokenText(i) == "-") {
      negative = !negative;
    } else if (text.tokens[i].type == TokenType::kInteger) {
      const std::string_view digits = text.TokenText(i);
      int64_t value = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), value);
      return negative ? -value : value;
    } else if (!text.tokens[i].Is('(')) {
      break;
    }
  }
  return 0;
}

namespace {

/// Sets a number given as text. The grammar gives integers beyond 32 bits as text; those that fit into 64
/// bits become integers here.
void SetNumber(std::string_view digits, Literal& literal) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc() && end == digits.data() + digits.size()) {
    literal.literal = Literal::Kind::kInteger;
    literal.integer = value;
  } else {
    literal.literal = Literal::Kind::kNumber;
    literal.text = digits;
  }
}

}  // namespace

ast::ExpressionPtr TransformLiteral(const StatementText& text, TreeNode body) {
  auto literal = std::make_unique<Literal>();
  const int64_t location = body.Integer("location");
  literal->position = text.Position(location);
  if (body.Flag("isnull")) {
    literal->literal = Literal::Kind::kNull;
  } else if (const TreeNode integer = body["ival"]) {
    literal->literal = Literal::Kind::kInteger;
    literal->integer = IntegerAt(text, integer.Integer("ival"), location);
  } else if (const TreeNode string = body["sval"]) {
    literal->literal = Literal::Kind::kString;
    literal->text = string.Text("sval");
  } else if (const TreeNode number = body["fval"]) {
    SetNumber(number.Text("fval"), *literal);
  } else if (const TreeNode boolean = body["boolval"]) {
    literal->literal = Literal::Kind::kBoolean;
    literal->boolean = boolean.Flag("boolval");
  } else if (const TreeNode bits = body["bsval"]) {
    literal->literal = Literal::Kind::kBitString;
    literal->text = bits.Text("bsval");
  } else {
    Refuse(text, "this constant", location);
  }
  return literal;
}

}  // namespace scaup
