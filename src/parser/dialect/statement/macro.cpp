// CREATE MACRO and DROP MACRO: functions whose arguments have no types.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

/// Writes the arguments of a macro between its parentheses, with a type that stands for any.
void WriteArguments(Rewriter& rewriter, size_t open) {
  const StatementTokens& tokens = rewriter.tokens();
  const size_t close = tokens.Partner(open);
  rewriter.Copy(open);
  for (size_t i = open + 1; i < close; i++) {
    const bool has_default = tokens.Is(i + 1, TokenType::kColonEquals) || tokens.Is(i + 1, '=') ||
                             tokens.Is(i + 1, TokenType::kEqualsGreater) || tokens.IsWord(i + 1, "default");
    if (!has_default && i + 1 != close && !tokens.Is(i + 1, ',')) tokens.ThrowSyntaxError(i + 1);
    const char first = tokens.TextOf(i)[0];
    const bool is_name = first == '"' || first == '_' || (first >= 'a' && first <= 'z') ||
                         (first >= 'A' && first <= 'Z') || static_cast<unsigned char>(first) >= 0x80;
    if (!is_name) tokens.ThrowSyntaxError(i);
    rewriter.WriteName(i);
    rewriter.Write(i, "\"any\"", TokenType::kIdentifier);
    i++;
    if (has_default) {
      rewriter.Write(i, "DEFAULT", TokenType::kIdentifier).is_keyword = true;
      const size_t begin = i + 1;
      for (i = begin; i < close && !tokens.Is(i, ','); i++) {
        if (tokens.Partner(i) > i && tokens.Partner(i) < close) i = tokens.Partner(i);
      }
      if (i == begin) tokens.ThrowSyntaxError(begin);
      rewriter.Rewrite(begin, i);
    }
    if (i < close) rewriter.Copy(i);
  }
  rewriter.Copy(close);
}

}  // namespace

bool RewriteCreateMacro(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsWord(0, "create")) return false;
  size_t index = tokens.AreWords(1, {"or", "replace"}) ? 3 : 1;
  const bool is_temporary = tokens.IsWord(index, "temp") || tokens.IsWord(index, "temporary");
  index += is_temporary ? 1 : 0;
  const size_t macro = index;
  if (!tokens.IsName(macro, "macro")) return false;
  index++;
  const bool if_not_exists = tokens.AreWords(index, {"if", "not", "exists"});
  if (if_not_exists) index += 3;
  const size_t open = tokens.NameEnd(index);
  if (!tokens.Is(open, '(')) tokens.ThrowSyntaxError(open);
  const size_t as = tokens.Partner(open) + 1;
  if (!tokens.IsWord(as, "as")) tokens.ThrowSyntaxError(as);
  StatementText& result = rewriter.result();
  result.is_macro = true;
  result.is_temporary = is_temporary;
  result.if_not_exists = if_not_exists;
  // AS TABLE t is a table macro, too: the query TABLE t would be.
  result.is_table_macro = tokens.IsWord(as + 1, "table");
  rewriter.Rewrite(0, is_temporary ? macro - 1 : macro);
  rewriter.Write(macro, "FUNCTION", TokenType::kIdentifier).is_keyword = true;
  rewriter.Rewrite(index, open);
  WriteArguments(rewriter, open);
  if (result.is_table_macro) {
    if (as + 2 >= tokens.size()) tokens.ThrowSyntaxError(as + 2);
    rewriter.Write(as, "BEGIN", TokenType::kBegin).is_keyword = true;
    rewriter.Write(as + 1, "ATOMIC", TokenType::kAtomic).is_keyword = true;
    rewriter.Rewrite(as + 2, tokens.size(), as + 2);
    rewriter.Write(tokens.size() - 1, ";", CharacterToken(';'));
    rewriter.Write(tokens.size() - 1, "END", TokenType::kEnd).is_keyword = true;
    return true;
  }
  rewriter.Write(as, "RETURN", TokenType::kIdentifier).is_keyword = true;
  rewriter.RewriteRest(as + 1);
  return true;
}

bool RewriteDropMacro(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsWord(0, "drop") || !tokens.IsName(1, "macro")) return false;
  rewriter.result().is_macro = true;
  rewriter.Copy(0);
  rewriter.Write(1, "FUNCTION", TokenType::kIdentifier).is_keyword = true;
  // DROP MACRO TABLE m names a table macro.
  rewriter.RewriteRest(tokens.IsWord(2, "table") ? 3 : 2);
  return true;
}

}  // namespace scaup
