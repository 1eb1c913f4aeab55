// matches and score: full-text search in a text.
#include "function/scalar/text/text_search.hpp"

#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/regular_expression.hpp"
#include "vector/vectorized.hpp"

namespace scaup {

RowQueries::RowQueries(const TextQuery* constant, bool stops_early)
    : is_constant_(constant != nullptr), stops_early_(stops_early) {
  if (!is_constant_) return;
  matcher_ = std::make_unique<TextMatcher>(*constant);
  matcher_->set_stops_early(stops_early_);
}

TextMatcher& RowQueries::MatcherFor(std::string_view query) {
  if (is_constant_ || (matcher_ != nullptr && query == last_)) return *matcher_;
  auto parsed = std::make_unique<const TextQuery>(TextQuery::Parse(query));
  matcher_ = std::make_unique<TextMatcher>(*parsed);
  matcher_->set_stops_early(stops_early_);
  parsed_ = std::move(parsed);
  last_ = query;
  return *matcher_;
}

namespace {

struct SearchData final : FunctionData {
  explicit SearchData(TextQuery query_in) : query(std::move(query_in)) {}
  TextQuery query;
};

/// Parses a constant query at bind time, so that its errors appear before the query runs.
std::unique_ptr<FunctionData> BindTextSearch(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  const std::string* query = ConstantText(arguments[1]);
  if (query == nullptr) return nullptr;
  function.can_fail = false;
  return std::make_unique<SearchData>(TextQuery::Parse(*query));
}

/// R is uint8_t for matches and double for scores.
template <typename R>
void Search(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto* data = static_cast<const SearchData*>(call.data);
  RowQueries queries(data == nullptr ? nullptr : &data->query, std::is_same_v<R, uint8_t>);
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  const auto given = arguments.column(1).ViewAs<StringRef>(count);
  R* out = result.MutableData<R>();
  for (size_t row = 0; row < count; row++) {
    if (!texts.IsValid(row) || !given.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    TextMatcher& matcher = queries.MatcherFor(given[row].view());
    matcher.Begin();
    matcher.AddText(texts[row].view());
    PutResult(matcher, row, out);
  }
}

}  // namespace

ScalarFunctionList TextSearchFunctions() {
  ScalarFunctionList list;
  list.push_back({.name = kMatchesFunction,
                  .argument_types = {TypeId::kVarchar, TypeId::kVarchar},
                  .return_type = TypeId::kBoolean,
                  .kernel = &Search<uint8_t>,
                  .description = "Whether a text has the words that a query asks for; a quoted path names "
                                 "texts of the documents in FROM, '*' all of them.",
                  .example = "matches('Full text search', 'tex* -index')",
                  .bind = &BindTextSearch});
  list.push_back({.name = kScoreFunction,
                  .argument_types = {TypeId::kVarchar, TypeId::kVarchar},
                  .return_type = TypeId::kDouble,
                  .kernel = &Search<double>,
                  .description = "How well a text matches a query, 0 where it does not; a quoted path as for "
                                 "matches.",
                  .example = "round(score('Full text search', 'search'), 3)",
                  .bind = &BindTextSearch});
  return list;
}

}  // namespace scaup
