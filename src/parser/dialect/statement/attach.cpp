// ATTACH, DETACH, USE and COPY FROM DATABASE: databases beside the one that was opened.
#include "parser/dialect/extensions.hpp"

namespace scaup {

namespace {

/// Writes DROP TABLE in the place of the statement's first word.
void WriteDrop(Rewriter& rewriter) {
  rewriter.Write(0, "DROP", TokenType::kIdentifier).is_keyword = true;
  rewriter.Write(0, "TABLE", TokenType::kIdentifier).is_keyword = true;
}

}  // namespace

bool RewriteAttach(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsWord(0, "attach")) return false;
  rewriter.result().form = StatementForm::kAttach;
  size_t path = tokens.IsWord(1, "database") ? 2 : 1;
  if (tokens.AreWords(path, {"if", "not", "exists"})) {
    rewriter.result().if_not_exists = true;
    path += 3;
  }
  if (!tokens.Is(path, TokenType::kString)) tokens.ThrowSyntaxError(path);
  size_t options = path + 1;
  rewriter.Write(0, "COPY", TokenType::kIdentifier);
  rewriter.Write(0, "database", TokenType::kIdentifier);
  if (tokens.IsWord(options, "as")) {
    if (options + 1 >= tokens.size()) tokens.ThrowSyntaxError(options + 1);
    rewriter.Write(options, ".", TokenType('.'));
    rewriter.WriteName(options + 1);
    options += 2;
  }
  if (options < tokens.size()) {
    if (!tokens.Is(options, '(')) tokens.ThrowSyntaxError(options);
    const size_t close = tokens.Partner(options);
    if (close + 1 < tokens.size()) tokens.ThrowSyntaxError(close + 1);
  }
  rewriter.Write(path, "FROM", TokenType::kFrom);
  rewriter.Copy(path);
  rewriter.RewriteRest(options);
  return true;
}

bool RewriteDetach(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsWord(0, "detach")) return false;
  rewriter.result().form = StatementForm::kDetach;
  size_t name = tokens.IsWord(1, "database") && tokens.size() > 2 ? 2 : 1;
  WriteDrop(rewriter);
  if (tokens.AreWords(name, {"if", "exists"})) {
    rewriter.Copy(name);
    rewriter.Copy(name + 1);
    name += 2;
  }
  if (name + 1 != tokens.size()) tokens.ThrowSyntaxError(name < tokens.size() ? name + 1 : name);
  rewriter.WriteName(name);
  return true;
}

bool RewriteUse(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.IsWord(0, "use") || tokens.size() < 2) return false;
  rewriter.result().form = StatementForm::kUse;
  const size_t end = tokens.NameEnd(1);
  if (end < tokens.size() || end > 4) tokens.ThrowSyntaxError(end > 4 ? 4 : end);
  WriteDrop(rewriter);
  rewriter.WriteName(1);
  if (end == 4) {
    rewriter.Copy(2);
    rewriter.WriteName(3);
  }
  return true;
}

bool RewriteCopyDatabase(Rewriter& rewriter) {
  const StatementTokens& tokens = rewriter.tokens();
  if (!tokens.AreWords(0, {"copy", "from", "database"})) return false;
  rewriter.result().form = StatementForm::kCopyDatabase;
  constexpr size_t kSource = 3, kTo = 4, kTarget = 5, kEnd = 6;
  if (tokens.size() <= kSource) tokens.ThrowSyntaxError(kSource);
  if (!tokens.IsWord(kTo, "to")) tokens.ThrowSyntaxError(kTo);
  if (tokens.size() != kEnd) tokens.ThrowSyntaxError(tokens.size() > kEnd ? kEnd : kTarget);
  WriteDrop(rewriter);
  rewriter.WriteName(kSource);
  rewriter.Write(kTo, ",", TokenType::kComma);
  rewriter.WriteName(kTarget);
  return true;
}

}  // namespace scaup
