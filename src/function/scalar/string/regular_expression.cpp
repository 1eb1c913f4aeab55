// A wrapper of RE2: compiled patterns for ~, SIMILAR TO and the regexp_ functions.
#include "function/scalar/string/regular_expression.hpp"

#include "function/scalar/string/utf8.hpp"

#include <re2/re2.h>

#include "common/running_call.hpp"
#include "common/throw.hpp"

namespace scaup {
namespace {

constexpr const char* kInvalidRegularExpression = "2201B";

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

/// Scans a pattern for escapes and bracket expressions.
class PatternReader {
 public:
  explicit PatternReader(std::string_view pattern) : pattern_(pattern) {}

  /// Translates the pattern to RE2's syntax; sets `is_lazy` if a quantifier asks for the shortest match.
  std::string Translate(bool is_expanded, bool& is_lazy) {
    std::string out;
    is_lazy = false;
    while (at_ < pattern_.size()) {
      const char c = pattern_[at_];
      if (c == '\\' && at_ + 1 < pattern_.size()) {
        TranslateEscape(out);
      } else if (c == '[') {
        CopyClass(out);
      } else if (is_expanded && IsSpace(c)) {
        at_++;
      } else if (is_expanded && c == '#') {
        at_ = std::min(pattern_.find('\n', at_), pattern_.size());
      } else {
        is_lazy = is_lazy || (IsQuantifierEnd(c) && at_ + 1 < pattern_.size() && pattern_[at_ + 1] == '?');
        out.push_back(c);
        at_++;
      }
    }
    return out;
  }

 private:
  static bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  static bool IsQuantifierEnd(char c) { return c == '*' || c == '+' || c == '?' || c == '}'; }

  /// Translates escapes for which PostgreSQL and RE2 use different letters: \y and \Y are word boundaries, \Z
  /// is the text's end.
  void TranslateEscape(std::string& out) {
    out.push_back('\\');
    switch (const char letter = pattern_[at_ + 1]) {
      case 'y': out.push_back('b'); break;
      case 'Y': out.push_back('B'); break;
      case 'Z': out.push_back('z'); break;
      case 'C':  // matches a single byte in RE2, which could split a character
        ThrowError(ErrorKind::kOutOfRange, kInvalidRegularExpression,
                   "invalid regular expression: invalid escape sequence: \\C");
      default: out.push_back(letter);
    }
    at_ += 2;
  }

  /// Copies [...]; a ] in first position, or within [:name:], does not end it.
  void CopyClass(std::string& out) {
    const size_t begin = at_++;
    if (at_ < pattern_.size() && pattern_[at_] == '^') at_++;
    if (at_ < pattern_.size() && pattern_[at_] == ']') at_++;
    while (at_ < pattern_.size() && pattern_[at_] != ']') {
      if (pattern_[at_] == '\\') {
        at_++;
      } else if (pattern_.substr(at_, 2) == "[:") {
        at_ = std::min(pattern_.find(":]", at_), pattern_.size() - 1) + 1;
      }
      at_++;
    }
    at_ = std::min(at_ + 1, pattern_.size());
    out.append(pattern_.substr(begin, at_ - begin));
  }

  std::string_view pattern_;
  size_t at_ = 0;
};

/// Throws for the flag at the beginning of `flags`, which is a whole character in the message.
[[noreturn]] void ThrowBadOption(std::string_view flags) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             flags[0] == 'g' ? "this function does not support the \"global\" option"
                             : "invalid regular expression option: \"" +
                                   std::string(flags.substr(0, CharacterLength(flags, 0))) + "\"");
}

}  // namespace

RegularExpressionOptions ParseRegularExpressionFlags(std::string_view flags, bool allows_all) {
  RegularExpressionOptions options;
  for (const char& flag : flags) {
    switch (flag) {
      case 'i': options.ignore_case = true; break;
      case 'c': options.ignore_case = false; break;
      case 'q': options.is_literal = true; break;
      case 'e': options.is_literal = false; break;
      case 'x': options.is_expanded = true; break;
      case 't': options.is_expanded = false; break;
      case 'n':
      case 'm': options.dot_skips_newline = options.anchors_at_lines = true; break;
      case 's': options.dot_skips_newline = options.anchors_at_lines = false; break;
      case 'p':
        options.dot_skips_newline = true;
        options.anchors_at_lines = false;
        break;
      case 'w':
        options.dot_skips_newline = false;
        options.anchors_at_lines = true;
        break;
      default:
        if (flag == 'g' && allows_all) {
          options.all_matches = true;
          break;
        }
        ThrowBadOption(flags.substr(static_cast<size_t>(&flag - flags.data())));
    }
  }
  return options;
}

struct RegularExpression::Impl {
  Impl(const std::string& pattern, const re2::RE2::Options& options) : expression(pattern, options) {}
  re2::RE2 expression;
};

RegularExpression::RegularExpression(std::string_view pattern, const RegularExpressionOptions& options) {
  re2::RE2::Options re2_options;
  re2_options.set_log_errors(false);  // a library must not write to stderr
  re2_options.set_case_sensitive(!options.ignore_case);
  re2_options.set_literal(options.is_literal);
  re2_options.set_dot_nl(!options.dot_skips_newline);
  bool is_lazy = false;
  std::string translated(pattern);
  if (!options.is_literal) {
    translated = PatternReader(pattern).Translate(options.is_expanded, is_lazy);
    if (options.anchors_at_lines) translated.insert(0, "(?m)");
  }
  re2_options.set_longest_match(!is_lazy);
  impl_ = std::make_unique<Impl>(translated, re2_options);
  if (!impl_->expression.ok()) {
    ThrowError(ErrorKind::kOutOfRange, kInvalidRegularExpression,
               "invalid regular expression: " + impl_->expression.error());
  }
}
RegularExpression::~RegularExpression() = default;
RegularExpression::RegularExpression(RegularExpression&&) noexcept = default;
RegularExpression& RegularExpression::operator=(RegularExpression&&) noexcept = default;

bool RegularExpression::Finds(std::string_view text) const {
  RunningCall::CheckInterrupt();
  return re2::RE2::PartialMatch(Piece(text), impl_->expression);
}

bool RegularExpression::MatchesAll(std::string_view text) const {
  RunningCall::CheckInterrupt();
  return re2::RE2::FullMatch(Piece(text), impl_->expression);
}

size_t RegularExpression::group_count() const {
  return static_cast<size_t>(impl_->expression.NumberOfCapturingGroups());
}

bool RegularExpression::Match(std::string_view text, size_t begin, std::span<std::string_view> parts) const {
  SCAUP_ASSERT(begin <= text.size() && parts.size() <= group_count() + 1);
  RunningCall::CheckInterrupt();
  constexpr size_t kFew = 16;
  re2::StringPiece few[kFew];
  std::vector<re2::StringPiece> many(parts.size() > kFew ? parts.size() : 0);
  re2::StringPiece* found = many.empty() ? few : many.data();
  if (!impl_->expression.Match(Piece(text), begin, text.size(), re2::RE2::UNANCHORED, found,
                               static_cast<int>(parts.size()))) {
    return false;
  }
  for (size_t i = 0; i < parts.size(); i++) parts[i] = {found[i].data(), found[i].size()};
  return true;
}

const RegularExpression& RegularExpressionCache::Get(std::string_view pattern, std::string_view flags) {
  if (!compiled_ || pattern != pattern_ || flags != flags_) {
    pattern_ = pattern;
    flags_ = flags;
    options_ = ParseRegularExpressionFlags(flags, allows_all_);
    compiled_.emplace(pattern, options_);
  }
  return *compiled_;
}

void CheckConstantPattern(std::span<const BindArgument> arguments, size_t pattern, size_t flags,
                          bool allows_all) {
  RegularExpressionOptions options;
  if (flags < arguments.size()) {
    const std::string* text = ConstantText(arguments[flags]);
    if (text == nullptr) return;
    options = ParseRegularExpressionFlags(*text, allows_all);
  }
  if (const std::string* text = ConstantText(arguments[pattern])) RegularExpression(*text, options);
}

/// Appends a SIMILAR TO pattern in a group. A lazy one matches as little as it can.
static bool AppendSimilar(std::string_view pattern, std::string_view escape, bool is_lazy, std::string& out) {
  out += "(?:";
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); i++) {
    if (!escape.empty() && pattern.substr(i, escape.size()) == escape) {
      i += escape.size();
      if (i >= pattern.size()) return false;
      const unsigned char next = static_cast<unsigned char>(pattern[i]);
      const bool is_word = next >= 128 || std::isalnum(next) || next == '_';
      if (!is_word) out.push_back('\\');
      out.push_back(pattern[i]);
      continue;
    }
    const char c = pattern[i];
    if (in_class) {
      in_class = c != ']';
      if (c == '\\') out.push_back('\\');
      out.push_back(c);
      continue;
    }
    switch (c) {
      case '%': out += is_lazy ? ".*?" : ".*"; break;
      case '*':
      case '+':
      case '?':
      case '}':
        out.push_back(c);
        if (is_lazy) out.push_back('?');
        break;
      case '_': out.push_back('.'); break;
      case '[':
        in_class = true;
        out.push_back(c);
        break;
      case '.':
      case '^':
      case '$':
      case '\\':
        out.push_back('\\');
        out.push_back(c);
        break;
      default: out.push_back(c);
    }
  }
  out.push_back(')');
  return true;
}

bool PatternFromSimilarTo(std::string_view pattern, std::string_view escape,
                          std::string& regular_expression) {
  regular_expression.clear();
  return AppendSimilar(pattern, escape, false, regular_expression);
}

bool PatternOfSimilarPart(std::string_view pattern, std::string_view escape,
                          std::string& regular_expression) {
  const std::string separator = std::string(escape) + '"';
  std::vector<std::string_view> parts;
  size_t begin = 0;
  for (size_t i = 0; !escape.empty() && i < pattern.size();) {
    if (pattern.substr(i, separator.size()) == separator) {
      parts.push_back(pattern.substr(begin, i - begin));
      i = begin = i + separator.size();
    } else {
      i += pattern.substr(i, escape.size()) == escape ? escape.size() + 1 : 1;  // the escaped character, too
    }
  }
  parts.push_back(pattern.substr(begin));
  if (parts.size() > 3) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidUseOfEscapeCharacter,
               "SQL regular expression may not contain more than two escape-double-quote separators");
  }
  // Without separators, the whole text is the part; with one, all before the end of the pattern.
  if (parts.size() == 1) parts.insert(parts.begin(), "");
  if (parts.size() == 2) parts.emplace_back("");
  std::string& out = regular_expression;
  out = "^";
  if (!AppendSimilar(parts[0], escape, true, out)) return false;
  out += "(";
  if (!AppendSimilar(parts[1], escape, false, out)) return false;
  out += ")";
  if (!AppendSimilar(parts[2], escape, false, out)) return false;
  out += "$";
  return true;
}

const std::string* ConstantText(const BindArgument& argument) {
  if (argument.constant == nullptr || argument.constant->is_null()) return nullptr;
  if (argument.constant->type() != TypeId::kVarchar) return nullptr;
  return &argument.constant->GetString();
}

}  // namespace scaup
