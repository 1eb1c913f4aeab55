// Checks the grammar token by token.
#include "format/json/json_tokens.hpp"

#include "type/text/ascii.hpp"

namespace scaup {

namespace {

/// Whether a text is a number of JSON: -1.5e3, without leading zeros.
bool IsJsonNumber(std::string_view text) {
  size_t at = text.starts_with('-') ? 1 : 0;
  const auto skip_digits = [&] {
    const size_t begin = at;
    while (at < text.size() && IsDigit(text[at])) at++;
    return at - begin;
  };
  const bool begins_with_zero = at < text.size() && text[at] == '0';
  const size_t whole = skip_digits();
  if (whole == 0 || (begins_with_zero && whole > 1)) return false;
  if (at < text.size() && text[at] == '.') {
    at++;
    if (skip_digits() == 0) return false;
  }
  if (at < text.size() && (text[at] | 0x20) == 'e') {
    at++;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) at++;
    if (skip_digits() == 0) return false;
  }
  return at == text.size();
}

}  // namespace

JsonKind JsonTokens::kind(size_t value) const {
  switch (first(value)) {
    case '{': return JsonKind::kObject;
    case '[': return JsonKind::kArray;
    case '"': return JsonKind::kString;
    case 't':
    case 'f': return JsonKind::kBoolean;
    case 'n': return JsonKind::kNull;
    default: return JsonKind::kNumber;
  }
}

std::string_view JsonTokens::text(size_t value) const {
  const char begin = first(value);
  if (begin != '{' && begin != '[') return Scalar(value);
  const size_t last = next_[value] - 1;  // its bracket
  return text_.substr(begins_[value], begins_[last] + 1 - begins_[value]);
}

std::string_view JsonTokens::Scalar(size_t token) const {
  const size_t begin = begins_[token];
  size_t end = token + 1 < size_ ? begins_[token + 1] : text_.size();
  while (IsJsonSpace(text_[end - 1])) end--;
  return text_.substr(begin, end - begin);
}

bool JsonTokens::IsString(std::string_view text) const {
  if (text.size() < 2 || text.back() != '"') return false;
  return !HasEscape(text) || IsJsonText(text);
}

/// Whether there is a name of a member, with its colon.
bool JsonTokens::IsName(size_t token) const {
  return token + 2 < size_ && first(token) == '"' && first(token + 1) == ':' && IsString(Scalar(token));
}

bool JsonTokens::IsScalar(size_t token) const {
  const std::string_view text = Scalar(token);
  switch (text.front()) {
    case '"': return IsString(text);
    case 't': return text == "true";
    case 'f': return text == "false";
    case 'n': return text == "null";
    default: return IsJsonNumber(text);
  }
}

/// Passes what follows a value, up to the next one: ends of arrays and objects, and a comma with a name.
/// Returns false if the grammar allows none of that; at the end of the document `token` is its size.
bool JsonTokens::Close(size_t& token) {
  while (!open_.empty()) {
    if (token >= size_) return false;
    const size_t open = open_.back();
    const bool is_object = first(open) == '{';
    const char c = first(token);
    if (c == ',') {
      token++;
      if (!is_object) return true;
      if (!IsName(token)) return false;
      token += 2;
      return true;
    }
    if (c != (is_object ? '}' : ']')) return false;
    token++;
    next_[open] = static_cast<uint32_t>(token);
    open_.pop_back();
  }
  return token == size_;
}

bool JsonTokens::Parse(std::string_view document) {
  text_ = document;
  has_backslash_ = document.find('\\') != std::string_view::npos;
  if (!structure_.Index(document)) return false;
  begins_ = structure_.begins();
  size_ = structure_.size();
  if (next_.size() < size_) next_.resize(size_);
  open_.clear();
  for (size_t token = 0; token < size_;) {
    const char c = first(token);
    const bool is_object = c == '{';
    if (is_object || c == '[') {
      const bool is_empty = token + 1 < size_ && first(token + 1) == (is_object ? '}' : ']');
      if (open_.size() == kMaxJsonDepth) return false;
      if (!is_empty) {
        open_.push_back(static_cast<uint32_t>(token++));
        if (!is_object) continue;
        if (!IsName(token)) return false;
        token += 2;
        continue;
      }
      next_[token] = static_cast<uint32_t>(token + 2);
      token += 2;
    } else {
      if (!IsScalar(token)) return false;
      next_[token] = static_cast<uint32_t>(token + 1);
      token++;
    }
    if (!Close(token)) return false;
    if (open_.empty()) return true;
  }
  return false;
}

}  // namespace scaup
