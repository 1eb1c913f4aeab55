// regexp_match, regexp_matches, regexp_split_to_array and regexp_split_to_table.
#include "function/scalar/nested/list_binding.hpp"
#include "function/scalar/string/regular_expression.hpp"
#include "function/text_account.hpp"

namespace scaup {
namespace {

/// Calls make(expression, text, slots) for every row without NULLs; the result is NULL where it returns
/// false.
template <typename Make>
void ForEachText(RegularExpressionCache& cache, DataChunk& arguments, Vector& result, Make&& make) {
  const size_t count = arguments.size();
  const bool has_flags = arguments.column_count() == 3;
  const auto patterns = arguments.column(1).ViewAs<StringRef>(count);
  const auto flags = arguments.column(has_flags ? 2 : 1).ViewAs<StringRef>(count);
  MakeStrings(arguments.column(0), count, result, [&](size_t row, std::string_view text, std::string& slots) {
    if (!patterns.IsValid(row) || !flags.IsValid(row)) return false;
    const std::string_view given = has_flags ? flags[row].view() : std::string_view();
    return make(cache.Get(patterns[row].view(), given), text, slots);
  });
}

/// Appends the texts of the groups or, if there are none, of the whole match.
void AppendGroups(std::span<const std::string_view> parts, std::string& slots) {
  for (size_t i = parts.size() > 1 ? 1 : 0; i < parts.size(); i++) {
    if (parts[i].data() == nullptr) {
      AppendNullSlot(TypeId::kVarchar, slots);
    } else {
      AppendStringSlot(parts[i], slots);
    }
  }
}

void Match(const ScalarCall&, DataChunk& arguments, Vector& result) {
  RegularExpressionCache cache(false);
  std::vector<std::string_view> parts;
  ForEachText(cache, arguments, result,
              [&](const RegularExpression& expression, std::string_view text, std::string& slots) {
                parts.resize(expression.group_count() + 1);
                if (!expression.Match(text, 0, parts)) return false;
                AppendGroups(parts, slots);
                return true;
              });
}

/// Returns a list of groups for the first match, or for all matches with flag g.
void Matches(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  RegularExpressionCache cache(true);
  const LogicalType& groups_type = call.return_type.element();
  std::vector<std::string_view> parts;
  std::string groups;
  TextAccount account(call.context);
  ForEachText(cache, arguments, result,
              [&](const RegularExpression& expression, std::string_view text, std::string& slots) {
                parts.resize(expression.group_count() + 1);
                expression.ForEachMatch(text, 0, parts, [&](std::span<const std::string_view> found) {
                  groups.clear();
                  AppendGroups(found, groups);
                  AppendNestedSlot(groups_type, groups, slots);
                  account.Note(slots);
                  return cache.options().all_matches;
                });
                return true;
              });
}

/// Returns the texts of all matches.
void ExtractAll(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  RegularExpressionCache cache(false);
  std::vector<std::string_view> whole(1);
  TextAccount account(call.context);
  ForEachText(cache, arguments, result,
              [&](const RegularExpression& expression, std::string_view text, std::string& slots) {
                expression.ForEachMatch(text, 0, whole, [&](std::span<const std::string_view> found) {
                  AppendStringSlot(found[0], slots);
                  account.Note(slots);
                  return true;
                });
                return true;
              });
}

/// Splits at matches. Empty matches split only between two characters: not at the ends, nor directly after a
/// match.
void Split(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  RegularExpressionCache cache(false);
  std::vector<std::string_view> whole(1);
  TextAccount account(call.context);
  ForEachText(cache, arguments, result,
              [&](const RegularExpression& expression, std::string_view text, std::string& slots) {
                size_t copied = 0, last_end = 0;
                expression.ForEachMatch(text, 0, whole, [&](std::span<const std::string_view> found) {
                  const auto begin = static_cast<size_t>(found[0].data() - text.data());
                  const size_t end = begin + found[0].size();
                  if (begin < text.size() && end > last_end) {
                    AppendStringSlot(text.substr(copied, begin - copied), slots);
                    account.Note(slots);
                    copied = end;
                  }
                  last_end = end;
                  return true;
                });
                AppendStringSlot(text.substr(copied), slots);
                return true;
              });
}

template <bool kAllowsAll>
std::unique_ptr<FunctionData> BindRegexpList(ScalarFunction&, std::span<const BindArgument> arguments) {
  CheckConstantPattern(arguments, 1, 2, kAllowsAll);
  return nullptr;
}

}  // namespace

ScalarFunctionList RegexpListFunctions() {
  ScalarFunctionList list;
  const LogicalType text = TypeId::kVarchar, texts = LogicalType::List(text);
  const auto add = [&](const char* name, const LogicalType& type, ScalarKernel kernel, ScalarBind bind,
                       bool returns_set, const char* description, const char* example,
                       const char* flags_example) {
    for (const bool has_flags : {false, true}) {
      std::vector<LogicalType> types(has_flags ? 3 : 2, text);
      list.push_back({.name = name,
                      .argument_types = std::move(types),
                      .return_type = type,
                      .kernel = kernel,
                      .description = description,
                      .example = has_flags ? flags_example : example,
                      .bind = bind,
                      .returns_set = returns_set});
    }
  };
  add("regexp_match", texts, &Match, &BindRegexpList<false>, false,
      "What the groups of a regular expression match first, or the whole match; NULL if nothing does.",
      "regexp_match('key=value', '(\\w+)=(\\w+)')", "regexp_match('SCAUP', '[aeiou]', 'i')");
  add("regexp_matches", LogicalType::List(texts), &Matches, &BindRegexpList<true>, true,
      "The same as rows: for the first match or with flag g for all.", "regexp_matches('banana', 'a(.)')",
      "regexp_matches('banana', 'a(.)', 'g')");
  add("regexp_split_to_array", texts, &Split, &BindRegexpList<false>, false,
      "The parts of a text between matches of a regular expression.",
      "regexp_split_to_array('a, b,c', ',\\s*')", "regexp_split_to_array('axbXc', 'x', 'i')");
  add("regexp_split_to_table", texts, &Split, &BindRegexpList<false>, true,
      "A row for each part of a text between matches of a regular expression.",
      "regexp_split_to_table('a, b,c', ',\\s*')", "regexp_split_to_table('axbXc', 'x', 'i')");
  list.push_back({.name = "regexp_extract_all",
                  .argument_types = {text, text},
                  .return_type = texts,
                  .kernel = &ExtractAll,
                  .description = "All that a regular expression matches, as a list.",
                  .example = "regexp_extract_all('banana', 'an?')",
                  .bind = &BindRegexpList<false>});
  return list;
}

}  // namespace scaup
