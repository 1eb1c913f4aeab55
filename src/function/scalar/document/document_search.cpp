// Full-text search in the strings of documents.
#include "common/memory/object_pool.hpp"
#include "document/document_strings.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "function/scalar/text/text_search.hpp"

namespace scaup {

namespace {

struct SearchData final : DocumentSearch {
  using DocumentSearch::DocumentSearch;
  mutable ObjectPool<DocumentStrings> pool;
};

/// R is uint8_t for matches and double for scores.
template <typename R>
void Search(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = static_cast<const SearchData&>(*call.data);
  RowQueries queries(data.query ? &*data.query : nullptr, std::is_same_v<R, uint8_t>);
  std::unique_ptr<DocumentStrings> finder = data.pool.Take(
      [&] { return std::make_unique<DocumentStrings>(data.dictionary, std::vector<PathId>{data.path}); });
  const size_t count = arguments.size();
  const auto records = arguments.column(0).ViewAs<StringRef>(count);
  const auto given = arguments.column(2).ViewAs<StringRef>(count);
  R* out = result.MutableData<R>();
  std::vector<std::string_view> strings;
  for (size_t row = 0; row < count; row++) {
    if (!records.IsValid(row) || !given.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    TextMatcher& matcher = queries.MatcherFor(given[row].view());
    finder->Collect(records[row].view(), strings);
    if (strings.empty()) {
      result.SetNull(row);
      continue;
    }
    matcher.Begin();
    for (const std::string_view text : strings) matcher.AddText(text);
    PutResult(matcher, row, out);
  }
  data.pool.GiveBack(std::move(finder));
}

}  // namespace

ResolvedScalar DocumentSearchFunction(bool is_score, std::shared_ptr<AttributeDictionary> dictionary,
                                      PathId path, const std::string* query) {
  ScalarFunction function;
  function.name = is_score ? "document_score" : "document_matches";
  function.argument_types = {TypeId::kBlob, TypeId::kVarchar, TypeId::kVarchar};
  function.return_type = is_score ? TypeId::kDouble : TypeId::kBoolean;
  function.kernel = is_score ? &Search<double> : &Search<uint8_t>;
  auto data = std::make_unique<SearchData>(std::move(dictionary), path);
  if (query != nullptr) data->query = TextQuery::Parse(*query);
  return {std::move(function), std::move(data)};
}

}  // namespace scaup
