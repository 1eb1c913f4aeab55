// INSERT INTO c OBJECT {...}: documents as JSON objects without quotes. MaskObjects has made each object a
// string token before.
#include "parser/dialect/extensions.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

class ObjectForm final : public FormRewriter {
 public:
  size_t Rewrite(Rewriter& rewriter, size_t index) override {
    const StatementTokens& tokens = rewriter.tokens();
    if (!tokens.IsWord(index, "object") || !IsObject(tokens, index + 1)) return index;
    const bool is_in_merge =
        index > 1 && tokens.Is(index - 1, TokenType::kInsert) && tokens.Is(index - 2, TokenType::kThen);
    if (!is_in_merge && !FollowsInsertInto(tokens, index)) tokens.ThrowSyntaxError(index);
    rewriter.Write(index, "VALUES", TokenType::kValues).is_object = true;
    for (size_t i = index + 1;; i += 2) {
      const std::string_view object = tokens.TextOf(i);
      // The scanner joins a string with one in the next line, which must not become part of an object.
      if (object.back() != '}') tokens.ThrowSyntaxError(i);
      rewriter.Write(i, "(", TokenType::kLeftParen);
      rewriter.Write(i, QuotedText(object), TokenType::kString);
      rewriter.Write(i, "::", TokenType::kTypeCast);
      rewriter.Write(i, "json", TokenType::kIdentifier);
      rewriter.Write(i, ")", TokenType::kRightParen);
      if (!tokens.Is(i + 1, ',') || !IsObject(tokens, i + 2)) return i + 1;
      rewriter.Copy(i + 1);
    }
  }

 private:
  static bool IsObject(const StatementTokens& tokens, size_t index) {
    return tokens.Is(index, TokenType::kString) && tokens.TextOf(index).front() == '{';
  }

  /// Returns whether INSERT INTO name [AS alias] precedes a token.
  static bool FollowsInsertInto(const StatementTokens& tokens, size_t index) {
    if (index > 3 && tokens.Is(index - 2, TokenType::kAs)) index -= 2;
    if (index < 3) return false;
    size_t name = index - 1;
    while (name > 3 && tokens[name - 1].Is('.')) name -= 2;
    return tokens.Is(name - 1, TokenType::kInto) && tokens.Is(name - 2, TokenType::kInsert);
  }
};

}  // namespace

std::unique_ptr<FormRewriter> MakeObjectForm(const StatementTokens&) {
  return std::make_unique<ObjectForm>();
}

}  // namespace scaup
