// RE2 behind a small class: compiled patterns for the operators ~ and SIMILAR TO and for the regexp_
// functions.
#include "function/scalar/operators/regular_expression.hpp"

#include <re2/re2.h>

#include "common/throw.hpp"

namespace scaup {
namespace {

constexpr const char* kInvalidRegularExpression = "2201B";

re2::RE2::Options MakeOptions(bool ignore_case) {
  re2::RE2::Options options;
  options.set_log_errors(false);  // A library writes nothing to stderr.
  options.set_case_sensitive(!ignore_case);
  options.set_dot_nl(true);  // As in PostgreSQL, . matches a line's end too.
  return options;
}

re2::StringPiece Piece(std::string_view text) { return {text.data(), text.size()}; }

}  // namespace

struct RegularExpression::Impl {
  Impl(std::string_view pattern, bool ignore_case) : expression(Piece(pattern), MakeOptions(ignore_case)) {}
  re2::RE2 expression;
};

RegularExpression::RegularExpression(std::string_view pattern, bool ignore_case)
    : impl_(std::make_unique<Impl>(pattern, ignore_case)) {
  if (!impl_->expression.ok()) {
    ThrowError(ErrorKind::kOutOfRange, kInvalidRegularExpression,
               "invalid regular expression: " + impl_->expression.error());
  }
}
RegularExpression::~RegularExpression() = default;
RegularExpression::RegularExpression(RegularExpression&&) noexcept = default;
RegularExpression& RegularExpression::operator=(RegularExpression&&) noexcept = default;

bool RegularExpression::Finds(std::string_view text) const {
  return re2::RE2::PartialMatch(Piece(text), impl_->expression);
}

bool RegularExpression::MatchesAll(std::string_view text) const {
  return re2::RE2::FullMatch(Piece(text), impl_->expression);
}

void RegularExpression::Replace(std::string& text, const std::string& rewrite, bool all) const {
  if (all) {
    re2::RE2::GlobalReplace(&text, impl_->expression, rewrite);
  } else {
    re2::RE2::Replace(&text, impl_->expression, rewrite);
  }
}

bool RegularExpression::AcceptsRewrite(const std::string& rewrite) const {
  std::string reason;
  return impl_->expression.CheckRewriteString(rewrite, &reason);
}

bool PatternFromSimilarTo(std::string_view pattern, std::string_view escape,
                          std::string& regular_expression) {
  std::string& out = regular_expression;
  out = "(?:";
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
      case '%': out += ".*"; break;
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

const std::string* ConstantText(const BindArgument& argument) {
  if (argument.constant == nullptr || argument.constant->is_null()) return nullptr;
  if (argument.constant->type() != TypeId::kVarchar) return nullptr;
  return &argument.constant->GetString();
}

}  // namespace scaup
