// regexp_count, regexp_instr, regexp_substr and substring by a regular expression.
#include <fmt/format.h>

#include <optional>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/regular_expression.hpp"
#include "function/scalar/string/utf8.hpp"

namespace scaup {
namespace {

/// The parameters after text and pattern; each function takes some of them, in an order of its own.
enum class Parameter : uint8_t { kStart, kOccurrence, kAtEnd, kFlags, kGroup };

constexpr Parameter kCountParameters[] = {Parameter::kStart, Parameter::kFlags};
constexpr Parameter kPositionParameters[] = {Parameter::kStart, Parameter::kOccurrence, Parameter::kAtEnd,
                                             Parameter::kFlags, Parameter::kGroup};
constexpr Parameter kPartParameters[] = {Parameter::kStart, Parameter::kOccurrence, Parameter::kFlags,
                                         Parameter::kGroup};

constexpr Parameter kExtractParameters[] = {Parameter::kGroup, Parameter::kFlags};

/// The arguments of one row.
struct RegexpSearch {
  std::string_view text;
  std::string_view pattern;
  std::string_view flags;
  int32_t start = 1;
  int32_t occurrence = 1;
  int32_t at_end = 0;
  int32_t group = 0;
  size_t begin = 0;  ///< the byte offset of `start`
};

void CheckSearchParameter(const char* name, int32_t value, int32_t least, int32_t most = INT32_MAX) {
  if (value >= least && value <= most) return;
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             fmt::format("invalid value for parameter \"{}\": {}", name, value));
}

/// Reads rows of arguments; compiles the pattern once per run of rows that share it.
class SearchReader {
 public:
  SearchReader(DataChunk& arguments, std::span<const Parameter> parameters)
      : parameters_(parameters.first(arguments.column_count() - 2)) {
    for (size_t i = 0; i < arguments.column_count(); i++) {
      views_.push_back(arguments.column(i).View(arguments.size()));
    }
  }
  /// Reads a row. Returns false if an argument is NULL.
  bool Read(size_t row, RegexpSearch& search) {
    for (const UnifiedView& view : views_) {
      if (!view.IsValid(row)) return false;
    }
    search = RegexpSearch();
    search.text = Text(0, row);
    search.pattern = Text(1, row);
    for (size_t i = 0; i < parameters_.size(); i++) {
      switch (parameters_[i]) {
        case Parameter::kStart: CheckSearchParameter("start", search.start = Number(i + 2, row), 1); break;
        case Parameter::kOccurrence:
          CheckSearchParameter("n", search.occurrence = Number(i + 2, row), 1);
          break;
        case Parameter::kAtEnd:
          CheckSearchParameter("endoption", search.at_end = Number(i + 2, row), 0, 1);
          break;
        case Parameter::kGroup: CheckSearchParameter("subexpr", search.group = Number(i + 2, row), 0); break;
        case Parameter::kFlags: search.flags = Text(i + 2, row); break;
      }
    }
    search.begin = OffsetOfCharacter(search.text, static_cast<size_t>(search.start) - 1);
    // Beyond the text's end nothing matches, not even an empty match.
    is_outside_ = static_cast<size_t>(search.start) > CountCharacters(search.text) + 1;
    expression_ = &cache_.Get(search.pattern, search.flags);
    return true;
  }
  const RegularExpression& expression() const { return *expression_; }

  /// Finds the wanted group of the wanted match; false if there is none.
  bool Find(const RegexpSearch& search, std::string_view& found) {
    const auto group = static_cast<size_t>(search.group);
    if (is_outside_ || group > expression_->group_count()) return false;
    parts_.resize(group + 1);
    int32_t number = 0;
    bool is_found = false;
    expression_->ForEachMatch(search.text, search.begin, parts_, [&](std::span<std::string_view> parts) {
      if (++number < search.occurrence) return true;
      found = parts[group];
      is_found = found.data() != nullptr;
      return false;
    });
    return is_found;
  }
  int32_t Count(const RegexpSearch& search) {
    int32_t number = 0;
    parts_.resize(1);
    if (is_outside_) return 0;
    expression_->ForEachMatch(search.text, search.begin, parts_, [&](std::span<std::string_view>) {
      number++;
      return true;
    });
    return number;
  }

 private:
  std::string_view Text(size_t column, size_t row) const {
    return views_[column].As<StringRef>()[row].view();
  }
  int32_t Number(size_t column, size_t row) const { return views_[column].As<int32_t>()[row]; }

  std::span<const Parameter> parameters_;
  std::vector<UnifiedView> views_;
  RegularExpressionCache cache_{false};
  const RegularExpression* expression_ = nullptr;
  bool is_outside_ = false;
  std::vector<std::string_view> parts_;
};

void RegexpCount(const ScalarCall&, DataChunk& arguments, Vector& result) {
  SearchReader reader(arguments, kCountParameters);
  RegexpSearch search;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (reader.Read(row, search)) {
      result.MutableData<int32_t>()[row] = reader.Count(search);
    } else {
      result.SetNull(row);
    }
  }
}

void RegexpPosition(const ScalarCall&, DataChunk& arguments, Vector& result) {
  SearchReader reader(arguments, kPositionParameters);
  RegexpSearch search;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!reader.Read(row, search)) {
      result.SetNull(row);
      continue;
    }
    std::string_view found;
    int32_t position = 0;
    if (reader.Find(search, found)) {
      const auto begin = static_cast<size_t>(found.data() - search.text.data());
      const size_t offset = search.at_end == 1 ? begin + found.size() : begin;
      position = static_cast<int32_t>(CountCharacters(search.text.substr(0, offset))) + 1;
    }
    result.MutableData<int32_t>()[row] = position;
  }
}

/// `kFirstGroup`: the result is the first group if the pattern has one, as for substring(text, pattern).
template <bool kFirstGroup>
void RegexpPart(const ScalarCall&, DataChunk& arguments, Vector& result) {
  SearchReader reader(arguments, kPartParameters);
  RegexpSearch search;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!reader.Read(row, search)) {
      result.SetNull(row);
      continue;
    }
    if (kFirstGroup && reader.expression().group_count() > 0) search.group = 1;
    std::string_view found;
    if (reader.Find(search, found)) {
      result.MutableData<StringRef>()[row] = result.AddString(found);
    } else {
      result.SetNull(row);
    }
  }
}

/// Gives the text that a group matches, or an empty text, as DuckDB does.
void RegexpExtract(const ScalarCall&, DataChunk& arguments, Vector& result) {
  SearchReader reader(arguments, kExtractParameters);
  RegexpSearch search;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!reader.Read(row, search)) {
      result.SetNull(row);
      continue;
    }
    std::string_view found;
    if (!reader.Find(search, found)) found = "";
    result.MutableData<StringRef>()[row] = result.AddString(found);
  }
}

template <size_t kFlags>
std::unique_ptr<FunctionData> BindRegexpSearch(ScalarFunction&, std::span<const BindArgument> arguments) {
  CheckConstantPattern(arguments, 1, kFlags, false);
  return nullptr;
}

/// Adds an overload for every number of optional parameters.
template <size_t kFlags>
void AddRegexpSearch(ScalarFunctionList& list, const char* name, TypeId type, ScalarKernel kernel,
                     std::span<const Parameter> parameters, const char* description,
                     std::span<const char* const> examples) {
  for (size_t given = 0; given <= parameters.size(); given++) {
    std::vector<LogicalType> types(2, TypeId::kVarchar);
    for (size_t i = 0; i < given; i++) {
      types.push_back(parameters[i] == Parameter::kFlags ? TypeId::kVarchar : TypeId::kInteger);
    }
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = examples[given],
                    .bind = &BindRegexpSearch<kFlags>});
  }
}

/// substring(text SIMILAR pattern ESCAPE escape); NULL where the pattern does not match.
void SimilarPart(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const auto texts = arguments.column(0).ViewAs<StringRef>(arguments.size());
  const auto patterns = arguments.column(1).ViewAs<StringRef>(arguments.size());
  const auto escapes = arguments.column(2).ViewAs<StringRef>(arguments.size());
  std::string pattern, escape, expression;
  std::optional<RegularExpression> compiled;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!texts.IsValid(row) || !patterns.IsValid(row) || !escapes.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    if (!compiled || patterns[row].view() != pattern || escapes[row].view() != escape) {
      pattern = patterns[row].view();
      escape = escapes[row].view();
      if (CountCharacters(escape) > 1) {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidEscapeSequence,
                   "the escape text must be empty or one character");
      }
      if (!PatternOfSimilarPart(pattern, escape, expression)) {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidEscapeSequence,
                   "SIMILAR TO pattern must not end with escape character");
      }
      compiled.emplace(expression, RegularExpressionOptions());
    }
    std::string_view parts[2];
    if (compiled->Match(texts[row].view(), 0, parts) && parts[1].data() != nullptr) {
      result.MutableData<StringRef>()[row] = result.AddString(parts[1]);
    } else {
      result.SetNull(row);
    }
  }
}

}  // namespace

ScalarFunctionList RegexpSearchFunctions() {
  constexpr const char* kCountExamples[] = {"regexp_count('banana', 'an')", "regexp_count('banana', 'an', 3)",
                                            "regexp_count('bANana', 'an', 1, 'i')"};
  constexpr const char* kPositionExamples[] = {"regexp_instr('banana', 'n')",
                                               "regexp_instr('banana', 'n', 4)",
                                               "regexp_instr('banana', 'n', 1, 2)",
                                               "regexp_instr('banana', 'n', 1, 2, 1)",
                                               "regexp_instr('baNaNa', 'n', 1, 2, 0, 'i')",
                                               "regexp_instr('banana', 'b(a)(n)', 1, 1, 0, '', 2)"};
  constexpr const char* kPartExamples[] = {
      "regexp_substr('banana', 'n.')", "regexp_substr('banana', 'a.', 3)",
      "regexp_substr('apple pear plum', '\\w+', 1, 2)", "regexp_substr('APPLE pear', 'P+.', 1, 1, 'i')",
      "regexp_substr('key=value', '(\\w+)=(\\w+)', 1, 1, '', 2)"};
  ScalarFunctionList list;
  AddRegexpSearch<3>(list, "regexp_count", TypeId::kInteger, &RegexpCount, kCountParameters,
                     "How often a regular expression matches; then the character to begin with, and flags.",
                     kCountExamples);
  AddRegexpSearch<5>(
      list, "regexp_instr", TypeId::kInteger, &RegexpPosition, kPositionParameters,
      "Where a regular expression matches, from 1, or 0; then where to begin, which match, 1 for the place "
      "behind it, flags, and which group.",
      kPositionExamples);
  AddRegexpSearch<4>(
      list, "regexp_substr", TypeId::kVarchar, &RegexpPart<false>, kPartParameters,
      "What a regular expression matches; then where to begin, which match, flags, and which group.",
      kPartExamples);
  constexpr const char* kExtractExamples[] = {"regexp_extract('banana', 'n.')",
                                              "regexp_extract('key=value', '(\\w+)=(\\w+)', 2)",
                                              "regexp_extract('BANANA', 'n.', 0, 'i')"};
  AddRegexpSearch<3>(list, "regexp_extract", TypeId::kVarchar, &RegexpExtract, kExtractParameters,
                     "What a regular expression matches, or an empty text; then which group, and flags.",
                     kExtractExamples);
  list.push_back({.name = "substring",
                  .argument_types = {TypeId::kVarchar, TypeId::kVarchar},
                  .return_type = TypeId::kVarchar,
                  .kernel = &RegexpPart<true>,
                  .description = "What a regular expression matches, or its first group.",
                  .example = "substring('foobar' FROM 'o(.)b')",
                  .bind = &BindRegexpSearch<2>});
  list.push_back({.name = "substring",
                  .argument_types = {TypeId::kVarchar, TypeId::kVarchar, TypeId::kVarchar},
                  .return_type = TypeId::kVarchar,
                  .kernel = &SimilarPart,
                  .description = "The part of a text between the escaped quotation marks of a SIMILAR TO "
                                 "pattern; the third argument is the escape character.",
                  .example = "substring('foobar' SIMILAR '%#\"o_b#\"%' ESCAPE '#')"});
  return list;
}

}  // namespace scaup
