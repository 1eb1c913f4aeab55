// Rewriter: copies and replaces tokens, with their positions in the user's text.
#include "parser/dialect/rewriter.hpp"

#include <utility>

namespace scaup {

Rewriter::Rewriter(const StatementTokens& tokens) : tokens_(tokens) {
  result_.sql = tokens.sql();
  result_.position = tokens[0].origin;
  result_.length = tokens[tokens.size() - 1].origin_end - tokens[0].origin;
  result_.tokens.reserve(tokens.size() + 4);
}

void Rewriter::Rewrite(size_t begin, size_t end, size_t query_begin) {
  const size_t outer_query_begin = std::exchange(query_begin_, query_begin);
  for (size_t i = begin; i < end;) {
    size_t next = i;
    for (const auto& form : forms_) {
      next = form->Rewrite(*this, i);
      if (next != i) break;
    }
    if (next == i) Copy(next++);
    i = next;
  }
  query_begin_ = outer_query_begin;
}

void Rewriter::Copy(size_t index) {
  const Token& token = tokens_[index];
  if (index > 0 && !result_.tokens.empty() && last_copied_ == index - 1) {
    // The white space between tokens is copied: without it, "a - -1" would become a comment.
    const size_t gap_begin = tokens_[index - 1].origin_end;
    result_.text.append(tokens_.sql().substr(gap_begin, token.origin - gap_begin));
  } else if (!result_.text.empty()) {
    result_.text += ' ';
  }
  Token& copy = result_.tokens.emplace_back(token);
  copy.start = static_cast<uint32_t>(result_.text.size());
  result_.text += tokens_.TextOf(index);
  copy.end = static_cast<uint32_t>(result_.text.size());
  last_copied_ = index;
}

Token& Rewriter::Write(size_t index, std::string_view text, TokenType type) {
  return WriteAt(tokens_[index].origin, tokens_[index].origin_end, text, type);
}

Token& Rewriter::WriteAt(size_t origin, size_t origin_end, std::string_view text, TokenType type) {
  if (!result_.text.empty()) result_.text += ' ';
  Token& token = result_.tokens.emplace_back();
  token.start = static_cast<uint32_t>(result_.text.size());
  result_.text += text;
  token.end = static_cast<uint32_t>(result_.text.size());
  token.origin = static_cast<uint32_t>(origin);
  token.origin_end = static_cast<uint32_t>(origin_end);
  token.type = type;
  return token;
}

void Rewriter::WriteName(size_t index) {
  std::string_view text = tokens_.TextOf(index);
  if (text[0] == '"') return Copy(index);
  const bool is_string = text[0] == '\'';
  if (is_string) text = text.substr(1, text.size() - 2);
  std::string name = "\"";
  for (size_t i = 0; i < text.size(); i++) {
    char c = text[i];
    if (is_string && c == '\'') i++;  // Quotes are doubled in strings.
    if (!is_string && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '"') name += '"';
    name += c;
  }
  Write(index, name + "\"", TokenType::kIdentifier);
}

}  // namespace scaup
