// Statement buffer: the scanner that finds the ends of SQL statements.
#include "statement_buffer.hpp"

#include <algorithm>
#include <cctype>

namespace scaup::shell {

namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

// Returns whether a byte may be part of a name. Bytes above 127 are parts of UTF-8 letters.
bool IsNameByte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

}  // namespace

void StatementBuffer::AddLine(std::string_view line) {
  buffer_.append(line);
  buffer_.push_back('\n');
}

bool StatementBuffer::StartsDollarQuote(size_t position) {
  // A dollar sign within a name is part of the name, and one before a digit begins a parameter.
  if (position > 0 && IsNameByte(buffer_[position - 1])) return false;
  size_t end = position + 1;
  if (end < buffer_.size() && std::isdigit(static_cast<unsigned char>(buffer_[end]))) return false;
  while (end < buffer_.size() && IsNameByte(buffer_[end])) ++end;
  if (end >= buffer_.size() || buffer_[end] != '$') return false;
  dollar_tag_ = buffer_.substr(position, end + 1 - position);
  return true;
}

bool StatementBuffer::FollowsObjectWord(size_t position) const {
  constexpr std::string_view kObject = "object";
  while (position > 0 && IsSpace(buffer_[position - 1])) --position;
  if (position <= kObject.size() || IsNameByte(buffer_[position - kObject.size() - 1])) return false;
  return std::equal(kObject.begin(), kObject.end(), buffer_.begin() + (position - kObject.size()),
                    [](char lower, char c) { return (c | 0x20) == lower; });
}

// Notes the word that begins at `position`: the body of a function has semicolons, and ends with END.
void StatementBuffer::SeeWord(size_t position) {
  std::string word;
  for (; position < buffer_.size() && IsNameByte(buffer_[position]); ++position)
    word.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(buffer_[position]))));
  SeeFunctionWord(word);
  if (body_depth_ == 0) {
    if (word == "atomic" && last_word_ == "begin") body_depth_ = 1;
  } else if (word == "case") {
    ++body_depth_;
  } else if (word == "end") {
    --body_depth_;
  }
  last_word_ = std::move(word);
}

// Follows CREATE [OR REPLACE] [TEMP] FUNCTION ... LANGUAGE name, as the parser does.
void StatementBuffer::SeeFunctionWord(const std::string& word) {
  switch (function_) {
    case Function::kBeforeCreate:
      function_ = word == "create" ? Function::kBeforeFunction : Function::kNone;
      return;
    case Function::kBeforeFunction:
      if (word == "function" || word == "aggregate") {
        function_ = Function::kBeforeLanguage;
      } else if (word != "or" && word != "replace" && word != "temp" && word != "temporary") {
        function_ = Function::kNone;
      }
      return;
    case Function::kBeforeLanguage:
      if (word == "language") function_ = Function::kLanguage;
      if (word == "as" || word == "return" || word == "begin") function_ = Function::kNone;
      return;
    case Function::kLanguage: function_ = word == "sql" ? Function::kNone : Function::kMayBegin; return;
    case Function::kMayBegin:
    case Function::kNone: return;
  }
}

// Scans a byte of the body of a function in braces. Braces in strings and comments do not count.
size_t StatementBuffer::ScanBody(size_t position) {
  const char c = buffer_[position];
  if (state_ == State::kBodyComment) {
    if (c == '\n') state_ = State::kBody;
    return position + 1;
  }
  if (state_ == State::kBodyString) {
    if (c == '\\') return position + 2;
    if (c == '\n' && body_quote_.size() == 1) state_ = State::kBody;
    if (buffer_.compare(position, body_quote_.size(), body_quote_) != 0) return position + 1;
    state_ = State::kBody;
    return position + body_quote_.size();
  }
  if (c == '{') ++brace_depth_;
  if (c == '}' && --brace_depth_ == 0) {
    state_ = State::kPlain;
    function_ = Function::kNone;
  } else if (c == '#') {
    state_ = State::kBodyComment;
  } else if (c == '\'' || c == '"') {
    body_quote_.assign(3, c);
    if (buffer_.compare(position, 3, body_quote_) != 0) body_quote_.assign(1, c);
    state_ = State::kBodyString;
    return position + body_quote_.size();
  }
  return position + 1;
}

// Scans the token at `position`, which is outside of quotes and comments. Returns the position after it.
size_t StatementBuffer::ScanPlain(size_t position) {
  const char c = buffer_[position];
  if (IsSpace(c)) return position + 1;
  const char next = position + 1 < buffer_.size() ? buffer_[position + 1] : '\0';
  if (c == ';' && body_depth_ == 0) {
    found_end_ = true;
    return position + 1;
  }
  if (content_begin_ == std::string::npos) content_begin_ = position;
  if (c == '-' && next == '-') {
    state_ = State::kLineComment;
    return position + 2;
  }
  if (c == '/' && next == '*') {
    state_ = State::kBlockComment;
    comment_depth_ = 1;
    return position + 2;
  }
  has_token_ = true;
  if (!IsNameByte(c)) {
    last_word_.clear();
  } else if (position == 0 || !IsNameByte(buffer_[position - 1])) {
    SeeWord(position);
  }
  // INSERT ... OBJECT {...}, {...} has several objects: a comma after one may be followed by another.
  const bool may_go_on = after_object_;
  after_object_ = may_go_on && c == ',';
  if (c == '{' && function_ == Function::kMayBegin) {
    state_ = State::kBody;
    brace_depth_ = 1;
  } else if (c == '{' && (may_go_on || FollowsObjectWord(position))) {
    state_ = State::kObject;
    object_depth_ = 1;
  } else if (c == '\'') {
    // E'...' has backslash escapes, unless the E ends a longer name.
    const bool escape = position > 0 && (buffer_[position - 1] == 'e' || buffer_[position - 1] == 'E') &&
                        (position < 2 || !IsNameByte(buffer_[position - 2]));
    state_ = escape ? State::kEscapeQuote : State::kSingleQuote;
  } else if (c == '"') {
    state_ = State::kDoubleQuote;
  } else if (c == '$' && StartsDollarQuote(position)) {
    state_ = State::kDollarQuote;
    return position + dollar_tag_.size();
  }
  return position + 1;
}

// Scans inside a quote or comment. A doubled quote ends the quote and begins it again, which has the same
// effect.
size_t StatementBuffer::ScanInside(size_t position) {
  const char c = buffer_[position];
  const char next = position + 1 < buffer_.size() ? buffer_[position + 1] : '\0';
  switch (state_) {
    case State::kSingleQuote:
      if (c == '\'') state_ = State::kPlain;
      return position + 1;
    case State::kEscapeQuote:
      if (c == '\\') return position + 2;
      if (c == '\'' && next == '\'') return position + 2;
      if (c == '\'') state_ = State::kPlain;
      return position + 1;
    case State::kDoubleQuote:
      if (c == '"') state_ = State::kPlain;
      return position + 1;
    case State::kLineComment:
      if (c == '\n') state_ = State::kPlain;
      return position + 1;
    case State::kBlockComment:  // Block comments nest in PostgreSQL.
      if (c == '*' && next == '/') {
        if (--comment_depth_ == 0) state_ = State::kPlain;
        return position + 2;
      }
      if (c == '/' && next == '*') {
        ++comment_depth_;
        return position + 2;
      }
      return position + 1;
    case State::kDollarQuote:
      if (c == '$' && buffer_.compare(position, dollar_tag_.size(), dollar_tag_) == 0) {
        state_ = State::kPlain;
        return position + dollar_tag_.size();
      }
      return position + 1;
    case State::kObject:
      if (c == '"') state_ = State::kObjectString;
      if (c == '{' || c == '[') ++object_depth_;
      if ((c == '}' || c == ']') && --object_depth_ == 0) {
        state_ = State::kPlain;
        after_object_ = true;
      }
      return position + 1;
    case State::kObjectString:
      if (c == '\\') return position + 2;
      if (c == '"') state_ = State::kObject;
      return position + 1;
    case State::kBody:
    case State::kBodyString:
    case State::kBodyComment: return ScanBody(position);
    case State::kPlain: break;
  }
  return position + 1;
}

// Removes the statement that ends before `end` from the buffer, with its semicolon if there is one.
BufferedStatement StatementBuffer::Take(size_t end) {
  BufferedStatement statement;
  const size_t begin = std::min(content_begin_, end);
  size_t last = end;
  while (last > begin && IsSpace(buffer_[last - 1])) --last;
  statement.text = buffer_.substr(begin, last - begin);
  statement.first_line =
      line_ + static_cast<size_t>(std::count(buffer_.begin(), buffer_.begin() + begin, '\n'));
  const size_t cut = std::min(end + 1, buffer_.size());
  line_ += static_cast<size_t>(std::count(buffer_.begin(), buffer_.begin() + cut, '\n'));
  buffer_.erase(0, cut);
  scan_ = 0;
  content_begin_ = std::string::npos;
  has_token_ = false;
  found_end_ = false;
  after_object_ = false;
  last_word_.clear();
  function_ = Function::kBeforeCreate;
  body_depth_ = 0;
  return statement;
}

std::optional<BufferedStatement> StatementBuffer::Next() {
  while (scan_ < buffer_.size()) {
    scan_ = state_ == State::kPlain ? ScanPlain(scan_) : ScanInside(scan_);
    if (!found_end_) continue;
    const bool worth = has_token_;
    BufferedStatement statement = Take(scan_ - 1);
    if (worth) return statement;
  }
  scan_ = std::min(scan_, buffer_.size());
  return std::nullopt;
}

std::optional<BufferedStatement> StatementBuffer::Finish() {
  std::optional<BufferedStatement> last;
  if (has_token_) last = Take(buffer_.size());
  Clear();
  return last;
}

bool StatementBuffer::IsBlank() const { return !has_token_ && state_ == State::kPlain; }

void StatementBuffer::Clear() {
  line_ += static_cast<size_t>(std::count(buffer_.begin(), buffer_.end(), '\n'));
  buffer_.clear();
  scan_ = 0;
  content_begin_ = std::string::npos;
  has_token_ = false;
  found_end_ = false;
  state_ = State::kPlain;
  comment_depth_ = 0;
  after_object_ = false;
  last_word_.clear();
  function_ = Function::kBeforeCreate;
  body_depth_ = 0;
}

std::optional<std::string> OnOneLine(std::string_view statement) {
  if (statement.find('\n') == std::string_view::npos) return std::string(statement);
  // A line comment would swallow the lines that follow it. A quote that spans lines shows as a line in whose
  // middle a quote is still open.
  if (statement.find("--") != std::string_view::npos) return std::nullopt;
  std::string joined;
  char quote = '\0';
  for (char c : statement) {
    if (c == '\n') {
      if (quote != '\0') return std::nullopt;
      joined += ' ';
      continue;
    }
    if (quote != '\0' ? c == quote : (c == '\'' || c == '"')) quote = quote != '\0' ? '\0' : c;
    if (c == '$') return std::nullopt;  // maybe a dollar quote
    joined += c;
  }
  return joined;
}

}  // namespace scaup::shell
