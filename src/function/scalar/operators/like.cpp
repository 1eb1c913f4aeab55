// LIKE and ILIKE: the operators ~~, !~~, ~~* and !~~*, with an optional escape character.
#include "common/throw.hpp"
#include "function/scalar/operators/like_pattern.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/case_mapping.hpp"
#include "function/scalar/string/regular_expression.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/string_search.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void CompileOrThrow(std::string_view pattern, std::string_view escape, LikePattern& result) {
  if (CountCharacters(escape) > 1) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidEscapeSequence,
               "invalid escape string: it must be empty or one character");
  }
  if (!LikePattern::Compile(pattern, escape, result)) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidEscapeSequence,
               "LIKE pattern must not end with escape character");
  }
}

struct LikeData final : FunctionData {
  LikePattern pattern;
};

/// Compiles a constant pattern at bind time, so that its errors appear before the query runs.
template <bool kIgnoreCase>
std::unique_ptr<FunctionData> BindLike(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const std::string* pattern = ConstantText(arguments[1]);
  const std::string backslash = "\\";
  const std::string* escape = arguments.size() < 3 ? &backslash : ConstantText(arguments[2]);
  if (pattern == nullptr || escape == nullptr) return nullptr;
  auto data = std::make_unique<LikeData>();
  std::string folded;
  if (kIgnoreCase) ToLower(*pattern, folded);
  CompileOrThrow(kIgnoreCase ? folded : *pattern, *escape, data->pattern);
  function.can_fail = false;
  return data;
}

/// Matches a pattern with a known substring: only texts that contain the substring are matched in full.
template <bool kNegated>
void MatchWithPart(const LikePattern& pattern, const KernelTable& kernels, DataChunk& arguments,
                   Vector& result) {
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  uint8_t* out = result.MutableData<uint8_t>();
  StringSearch(kernels, pattern.part()).Mark(texts, count, out);
  if (!pattern.is_contains()) {
    for (size_t row = 0; row < count; row++) {
      if (out[row] != 0) out[row] = pattern.Matches(texts[row].view());
    }
  }
  if constexpr (kNegated) {
    for (size_t row = 0; row < count; row++) out[row] ^= 1;
  }
  if (texts.all_valid()) return;
  for (size_t row = 0; row < count; row++) {
    if (!texts.IsValid(row)) result.SetNull(row);
  }
}

template <bool kNegated, bool kIgnoreCase>
void MatchConstant(const LikePattern& pattern, const KernelTable& kernels, DataChunk& arguments,
                   Vector& result) {
  if constexpr (!kIgnoreCase) {
    if (!pattern.part().empty()) return MatchWithPart<kNegated>(pattern, kernels, arguments, result);
  }
  std::string folded;
  MapUnary<StringRef, uint8_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    if constexpr (kIgnoreCase) {
      ToLower(text.view(), folded);
      return static_cast<uint8_t>(pattern.Matches(folded) != kNegated);
    }
    return static_cast<uint8_t>(pattern.Matches(text.view()) != kNegated);
  });
}

/// Matches patterns that differ by row; a pattern equal to the previous row's is not compiled again.
template <bool kNegated, bool kIgnoreCase>
void MatchVaryingLike(DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const auto text = arguments.column(0).ViewAs<StringRef>(count);
  const auto pattern = arguments.column(1).ViewAs<StringRef>(count);
  const bool has_escape = arguments.column_count() > 2;
  const auto escape = has_escape ? arguments.column(2).ViewAs<StringRef>(count) : pattern;
  uint8_t* out = result.MutableData<uint8_t>();
  LikePattern compiled;
  std::string last_pattern, last_escape, folded_pattern, folded_text;
  bool is_compiled = false;
  for (size_t row = 0; row < count; row++) {
    if (!text.IsValid(row) || !pattern.IsValid(row) || !escape.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    const std::string_view pattern_text = pattern[row].view();
    const std::string_view escape_text = has_escape ? escape[row].view() : std::string_view("\\");
    if (!is_compiled || pattern_text != last_pattern || escape_text != last_escape) {
      last_pattern = pattern_text;
      last_escape = escape_text;
      if (kIgnoreCase) ToLower(pattern_text, folded_pattern);
      CompileOrThrow(kIgnoreCase ? folded_pattern : last_pattern, escape_text, compiled);
      is_compiled = true;
    }
    std::string_view subject = text[row].view();
    if constexpr (kIgnoreCase) {
      ToLower(subject, folded_text);
      subject = folded_text;
    }
    out[row] = compiled.Matches(subject) != kNegated;
  }
}

template <bool kNegated, bool kIgnoreCase>
void Like(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  if (call.data != nullptr) {
    MatchConstant<kNegated, kIgnoreCase>(static_cast<const LikeData*>(call.data)->pattern,
                                         call.context.kernels, arguments, result);
  } else {
    MatchVaryingLike<kNegated, kIgnoreCase>(arguments, result);
  }
}

template <bool kNegated, bool kIgnoreCase>
void AddLikeOverloads(ScalarFunctionList& list, const char* name, const char* description,
                      const char* example) {
  for (const size_t argument_count : {2, 3}) {
    list.push_back({.name = name,
                    .argument_types = std::vector<LogicalType>(argument_count, TypeId::kVarchar),
                    .return_type = TypeId::kBoolean,
                    .kernel = &Like<kNegated, kIgnoreCase>,
                    .description = description,
                    .example = example,
                    .bind = &BindLike<kIgnoreCase>});
  }
}

}  // namespace

ScalarFunctionList LikeFunctions() {
  ScalarFunctionList list;
  AddLikeOverloads<false, false>(list, "~~", "Whether a text matches a LIKE pattern.", "'scaup' LIKE 's%p'");
  AddLikeOverloads<true, false>(list, "!~~", "Whether a text does not match a LIKE pattern.",
                                "'scaup' NOT LIKE 'x%'");
  AddLikeOverloads<false, true>(list, "~~*", "LIKE without regard to case.", "'Scaup' ILIKE 'SC%'");
  AddLikeOverloads<true, true>(list, "!~~*", "NOT LIKE without regard to case.", "'Scaup' NOT ILIKE 'X%'");
  return list;
}

}  // namespace scaup
