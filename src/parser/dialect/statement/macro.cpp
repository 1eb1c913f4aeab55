// Functions and aggregates in other languages than SQL; CREATE MACRO and DROP MACRO, functions whose
// arguments need no types; TEMP and IF NOT EXISTS of functions.
#include "parser/dialect/extensions.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

/// Returns whether a token begins the default of an argument.
bool BeginsDefault(const StatementTokens& tokens, size_t index) {
  return tokens.Is(index, TokenType::kColonEquals) || tokens.Is(index, '=') ||
         tokens.Is(index, TokenType::kEqualsGreater) || tokens.IsWord(index, "default");
}

/// Returns the first token from `index` on that ends a part of an argument: a comma or `close`, or with
/// `or_default` the beginning of the default.
size_t PartEnd(const StatementTokens& tokens, size_t index, size_t close, bool or_default) {
  for (; index < close && !tokens.Is(index, ','); index++) {
    if (or_default && BeginsDefault(tokens, index)) break;
    if (tokens.Partner(index) > index && tokens.Partner(index) < close) index = tokens.Partner(index);
  }
  return index;
}

bool IsArgumentName(const StatementTokens& tokens, size_t index) {
  const char first = tokens.TextOf(index)[0];
  return first == '"' || first == '_' || (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') ||
         static_cast<unsigned char>(first) >= 0x80;
}

/// Writes the arguments of a macro between its parentheses. Those without a type get one that stands for any.
void WriteArguments(Rewriter& rewriter, size_t open) {
  const StatementTokens& tokens = rewriter.tokens();
  const size_t close = tokens.Partner(open);
  rewriter.Copy(open);
  for (size_t i = open + 1; i < close; i++) {
    if (!IsArgumentName(tokens, i)) tokens.ThrowSyntaxError(i);
    rewriter.WriteName(i);
    const size_t type_end = PartEnd(tokens, i + 1, close, true);
    if (type_end == i + 1) {
      rewriter.Write(i, "\"any\"", TokenType::kIdentifier);
    } else {
      rewriter.Rewrite(i + 1, type_end);
    }
    i = type_end;
    if (i < close && BeginsDefault(tokens, i)) {
      rewriter.Write(i, "DEFAULT", TokenType::kIdentifier).is_keyword = true;
      const size_t begin = i + 1;
      i = PartEnd(tokens, begin, close, false);
      if (i == begin) tokens.ThrowSyntaxError(begin);
      rewriter.Rewrite(begin, i);
    }
    if (i < close) rewriter.Copy(i);
  }
  rewriter.Copy(close);
}

/// Returns whether AS begins an option of CREATE FUNCTION, the body as a string, and not a macro's
/// expression.
bool BeginsStringBody(const StatementTokens& tokens, size_t as) {
  const bool is_string = tokens.Is(as + 1, TokenType::kString);
  if (!is_string) return false;
  for (const std::string_view option : {"language", "immutable", "stable", "volatile", "strict", "called",
                                        "returns", "cost", "rows", "parallel", "security", "leakproof"}) {
    if (tokens.IsWord(as + 2, option)) return true;
  }
  return false;
}

/// The words before a function's name.
struct FunctionHead {
  size_t object = 0;      ///< FUNCTION, AGGREGATE or MACRO
  size_t name_begin = 0;  ///< behind IF NOT EXISTS
  bool is_temporary = false;
  bool if_not_exists = false;
};

/// Reads CREATE [OR REPLACE] [TEMP]; `object` is the token behind it.
FunctionHead ReadHead(const StatementTokens& tokens) {
  FunctionHead head;
  head.object = tokens.AreWords(1, {"or", "replace"}) ? 3 : 1;
  head.is_temporary = tokens.IsWord(head.object, "temp") || tokens.IsWord(head.object, "temporary");
  head.object += head.is_temporary ? 1 : 0;
  head.name_begin = head.object + 1;
  head.if_not_exists = tokens.AreWords(head.name_begin, {"if", "not", "exists"});
  if (head.if_not_exists) head.name_begin += 3;
  return head;
}

/// Writes CREATE [OR REPLACE] FUNCTION name, with what the grammar lacks as flags.
void WriteHead(Rewriter& rewriter, const FunctionHead& head, size_t name_end) {
  rewriter.result().is_temporary = head.is_temporary;
  rewriter.result().if_not_exists = head.if_not_exists;
  rewriter.Rewrite(0, head.is_temporary ? head.object - 1 : head.object);
  rewriter.Write(head.object, "FUNCTION", TokenType::kIdentifier).is_keyword = true;
  rewriter.Rewrite(head.name_begin, name_end);
}

}  // namespace

bool RewriteCreateMacro(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsWord(0, "create")) return false;
  const FunctionHead head = ReadHead(tokens);
  const bool is_macro = tokens.IsName(head.object, "macro");
  if (!is_macro && !tokens.IsWord(head.object, "function")) return false;
  const size_t open = tokens.NameEnd(head.name_begin);
  const size_t as = tokens.Is(open, '(') ? tokens.Partner(open) + 1 : open;
  if (!is_macro && (!tokens.Is(open, '(') || !tokens.IsWord(as, "as") || BeginsStringBody(tokens, as))) {
    if (!head.is_temporary && !head.if_not_exists) return false;
    WriteHead(rewriter, head, open);
    rewriter.RewriteRest(open);
    return true;
  }
  if (!tokens.Is(open, '(')) tokens.ThrowSyntaxError(open);
  if (!tokens.IsWord(as, "as")) tokens.ThrowSyntaxError(as);
  StatementText& result = rewriter.result();
  result.is_macro = true;
  // AS TABLE t is a table macro, too: the query TABLE t would be.
  result.is_table_macro = tokens.IsWord(as + 1, "table");
  WriteHead(rewriter, head, open);
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

/// Returns whether the statement is CREATE AGGREGATE f(...) RETURNS ..., which PostgreSQL's grammar lacks. It
/// has CREATE AGGREGATE f(...) (...).
static bool IsAggregate(const StatementTokens& tokens, const FunctionHead& head) {
  if (!tokens.IsWord(head.object, "aggregate")) return false;
  const size_t open = tokens.NameEnd(head.name_begin);
  return tokens.Is(open, '(') && tokens.IsWord(tokens.Partner(open) + 1, "returns");
}

bool RewriteHostedFunction(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsWord(0, "create")) return false;
  const FunctionHead head = ReadHead(tokens);
  const bool is_aggregate = IsAggregate(tokens, head);
  if (!is_aggregate && !tokens.IsWord(head.object, "function")) return false;
  rewriter.result().is_aggregate = is_aggregate;
  size_t language = head.name_begin;
  for (; language + 1 < tokens.size() && !tokens.IsWord(language, "language"); language++) {
    if (tokens.Partner(language) > language && tokens.Partner(language) < tokens.size())
      language = tokens.Partner(language);
  }
  const size_t name = language + 1;
  const auto rewrite_head = [&] {
    WriteHead(rewriter, head, tokens.NameEnd(head.name_begin));
    rewriter.RewriteRest(tokens.NameEnd(head.name_begin));
    return true;
  };
  if (name >= tokens.size() || tokens.IsWord(name, "sql")) return is_aggregate && rewrite_head();
  const bool is_mapped = tokens.IsWord(name + 1, "map");
  const auto begins_body = [&](size_t index) {
    return tokens.Is(index, TokenType::kString) && tokens.TextOf(index).front() == '{';
  };
  size_t body = name + 1;
  while (body < tokens.size() && !begins_body(body)) body++;
  if (!is_mapped && body == tokens.size()) return is_aggregate && rewrite_head();
  WriteHead(rewriter, head, tokens.NameEnd(head.name_begin));
  rewriter.Rewrite(tokens.NameEnd(head.name_begin), name);
  if (is_mapped) {
    const std::string_view written = tokens.TextOf(name);
    const bool is_quoted = written.front() == '"';
    rewriter.Write(name,
                   is_quoted ? std::string(written.substr(0, written.size() - 1)) + "_map\""
                             : std::string(written) + "_map",
                   TokenType::kIdentifier);
  } else {
    rewriter.Copy(name);
  }
  rewriter.Rewrite(name + (is_mapped ? 2 : 1), body);
  if (body == tokens.size()) return true;
  const std::string_view text = tokens.TextOf(body);
  // The scanner joins a string with one in the next line, which must not become part of the body.
  if (text.back() != '}') tokens.ThrowSyntaxError(body);
  rewriter.Write(body, "AS", TokenType::kAs).is_keyword = true;
  rewriter.Write(body, QuotedText(text.substr(1, text.size() - 2)), TokenType::kString);
  rewriter.RewriteRest(body + 1);
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
