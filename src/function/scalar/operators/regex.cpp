// The operators ~ ~* !~ !~* and the functions similar_to (for SIMILAR TO) and regexp_like.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/regular_expression.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

RegularExpression CompileSimilar(std::string_view pattern, std::string_view escape) {
  std::string expression;
  if (!PatternFromSimilarTo(pattern, escape, expression)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidEscapeSequence,
               "SIMILAR TO pattern must not end with escape character");
  }
  return RegularExpression(expression, {});
}

/// The kinds of calls, which differ in how the pattern (with the optional third argument) is compiled and
/// matched.
struct Find {
  static RegularExpression Compile(std::string_view pattern, std::string_view flags) {
    return RegularExpression(pattern, ParseRegularExpressionFlags(flags, false));
  }
  static bool Matches(const RegularExpression& expression, std::string_view text) {
    return expression.Finds(text);
  }
  static constexpr std::string_view kDefaultThird = "";
};
struct FindIgnoringCase : Find {
  static constexpr std::string_view kDefaultThird = "i";
};
struct Similar {
  static RegularExpression Compile(std::string_view pattern, std::string_view escape) {
    return CompileSimilar(pattern, escape);
  }
  static bool Matches(const RegularExpression& expression, std::string_view text) {
    return expression.MatchesAll(text);
  }
  static constexpr std::string_view kDefaultThird = "\\";
};

template <typename Kind>
std::unique_ptr<FunctionData> BindRegex(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const std::string default_third(Kind::kDefaultThird);
  const std::string* pattern = ConstantText(arguments[1]);
  const std::string* third = arguments.size() < 3 ? &default_third : ConstantText(arguments[2]);
  if (pattern == nullptr || third == nullptr) return nullptr;
  function.can_fail = false;
  return std::make_unique<RegularExpressionData>(Kind::Compile(*pattern, *third));
}

/// Matches patterns that differ by row; one equal to the previous row's is not compiled again.
template <typename Kind, bool kNegated>
void MatchVaryingRegex(DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const bool has_third = arguments.column_count() > 2;
  const auto text = arguments.column(0).ViewAs<StringRef>(count);
  const auto pattern = arguments.column(1).ViewAs<StringRef>(count);
  const auto third = has_third ? arguments.column(2).ViewAs<StringRef>(count) : pattern;
  uint8_t* out = result.MutableData<uint8_t>();
  std::optional<RegularExpression> compiled;
  std::string last_pattern, last_third;
  for (size_t row = 0; row < count; row++) {
    if (!text.IsValid(row) || !pattern.IsValid(row) || !third.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const std::string_view third_text = has_third ? third[row].view() : Kind::kDefaultThird;
    if (!compiled || pattern[row].view() != last_pattern || third_text != last_third) {
      last_pattern = pattern[row].view();
      last_third = third_text;
      compiled.emplace(Kind::Compile(last_pattern, last_third));
    }
    out[row] = Kind::Matches(*compiled, text[row].view()) != kNegated;
  }
}

template <typename Kind, bool kNegated>
void Match(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  if (call.data == nullptr) return MatchVaryingRegex<Kind, kNegated>(arguments, result);
  const RegularExpression& expression = static_cast<const RegularExpressionData*>(call.data)->expression;
  MapUnary<StringRef, uint8_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    return static_cast<uint8_t>(Kind::Matches(expression, text.view()) != kNegated);
  });
}

template <typename Kind, bool kNegated>
void AddRegexOverload(ScalarFunctionList& list, const char* name, size_t argument_count,
                      const char* description, const char* example) {
  list.push_back({.name = name,
                  .argument_types = std::vector<LogicalType>(argument_count, TypeId::kVarchar),
                  .return_type = TypeId::kBoolean,
                  .kernel = &Match<Kind, kNegated>,
                  .description = description,
                  .example = example,
                  .bind = &BindRegex<Kind>});
}

}  // namespace

ScalarFunctionList RegexOperatorFunctions() {
  ScalarFunctionList list;
  AddRegexOverload<Find, false>(list, "~", 2, "Whether a regular expression is found in a text.",
                                "'scaup' ~ 'c.u'");
  AddRegexOverload<Find, true>(list, "!~", 2, "Whether a regular expression is not found in a text.",
                               "'scaup' !~ 'x'");
  AddRegexOverload<FindIgnoringCase, false>(list, "~*", 2, "~ without regard to case.", "'Scaup' ~* '^SC'");
  AddRegexOverload<FindIgnoringCase, true>(list, "!~*", 2, "!~ without regard to case.", "'Scaup' !~* 'X'");
  for (const size_t argument_count : {2, 3}) {
    AddRegexOverload<Find, false>(
        list, "regexp_like", argument_count,
        "Whether a regular expression is found in a text; the flag 'i' ignores case.",
        "regexp_like('Scaup', 'SC', 'i')");
    AddRegexOverload<Similar, false>(
        list, "similar_to", argument_count,
        "Whether a text matches a SIMILAR TO pattern; the third argument is the escape character.",
        "'scaup' SIMILAR TO '(s|t)c%'");
  }
  return list;
}

}  // namespace scaup
