// regexp_replace: matches of a regular expression replaced.
#include "common/throw.hpp"
#include "function/scalar/operators/regular_expression.hpp"
#include "function/scalar/scalar_functions.hpp"

namespace scaup {
namespace {

struct Flags {
  bool all = false;
  bool ignore_case = false;
};

Flags ParseFlags(std::string_view text) {
  Flags flags;
  for (const char flag : text) {
    switch (flag) {
      case 'g': flags.all = true; break;
      case 'i': flags.ignore_case = true; break;
      case 'c': flags.ignore_case = false; break;
      case 's': break;  // . matches a line's end anyway.
      default:
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                   std::string("invalid regular expression option: \"") + flag + "\"");
    }
  }
  return flags;
}

/// PostgreSQL's replacement text in RE2's form: \& is the whole match, \1 .. \9 are groups, other backslashes
/// stand for themselves.
void ConvertRewrite(std::string_view replacement, std::string& rewrite) {
  rewrite.clear();
  for (size_t i = 0; i < replacement.size(); i++) {
    if (replacement[i] != '\\') {
      rewrite.push_back(replacement[i]);
      continue;
    }
    const char next = i + 1 < replacement.size() ? replacement[i + 1] : '\0';
    if (next == '&') {
      rewrite += "\\0";
      i++;
    } else if (next >= '1' && next <= '9') {
      rewrite.push_back('\\');
      rewrite.push_back(next);
      i++;
    } else {
      rewrite += "\\\\";
      if (next == '\\') i++;
    }
  }
}

/// Compiles the expression and the replacement once for runs of rows that share them: for constants, once.
void Replace(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const bool has_flags = arguments.column_count() > 3;
  const auto text = arguments.column(0).ViewAs<StringRef>(count);
  const auto pattern = arguments.column(1).ViewAs<StringRef>(count);
  const auto replacement = arguments.column(2).ViewAs<StringRef>(count);
  const auto flag_texts = has_flags ? arguments.column(3).ViewAs<StringRef>(count) : pattern;
  StringRef* out = result.MutableData<StringRef>();
  std::optional<RegularExpression> compiled;
  std::string last_pattern, last_replacement, last_flags, rewrite, replaced;
  Flags flags;
  for (size_t row = 0; row < count; row++) {
    if (!text.IsValid(row) || !pattern.IsValid(row) || !replacement.IsValid(row) ||
        !flag_texts.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const std::string_view flag_text = has_flags ? flag_texts[row].view() : std::string_view();
    if (!compiled || pattern[row].view() != last_pattern || replacement[row].view() != last_replacement ||
        flag_text != last_flags) {
      last_pattern = pattern[row].view();
      last_replacement = replacement[row].view();
      last_flags = flag_text;
      flags = ParseFlags(flag_text);
      compiled.emplace(last_pattern, flags.ignore_case);
      ConvertRewrite(last_replacement, rewrite);
      if (!compiled->AcceptsRewrite(rewrite)) {
        ThrowError(
            ErrorKind::kOutOfRange, "2201B",
            "invalid regular expression: the replacement names a group that the pattern does not have");
      }
    }
    replaced = text[row].view();
    compiled->Replace(replaced, rewrite, flags.all);
    out[row] = result.AddString(replaced);
  }
}

/// Lets errors in constants show before the query runs.
std::unique_ptr<FunctionData> Bind(ScalarFunction&, std::span<const BindArgument> arguments) {
  const std::string* flags = arguments.size() > 3 ? ConstantText(arguments[3]) : nullptr;
  const bool ignore_case = flags != nullptr && ParseFlags(*flags).ignore_case;
  if (const std::string* pattern = ConstantText(arguments[1])) RegularExpression(*pattern, ignore_case);
  return nullptr;
}

}  // namespace

ScalarFunctionList RegexpFunctions() {
  const LogicalType text = TypeId::kVarchar;
  ScalarFunctionList list;
  for (const size_t argument_count : {3, 4}) {
    list.push_back(
        {.name = "regexp_replace",
         .argument_types = std::vector<LogicalType>(argument_count, text),
         .return_type = text,
         .kernel = &Replace,
         .description =
             "The first match (all with flag 'g') replaced; \\1 .. \\9 name groups, \\& the match.",
         .example = "regexp_replace('scaup', '[aeiou]', '-', 'g')",
         .bind = &Bind});
  }
  return list;
}

}  // namespace scaup
