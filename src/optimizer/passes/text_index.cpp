// Pass: tells scans below a full-text search what is searched, so that they can use a text index.
#include "optimizer/passes/text_index.hpp"

#include "common/stack_bound.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "function/scalar/text/text_search.hpp"
#include "planner/node/filter.hpp"
#include "planner/node/get.hpp"
#include "scaup/error.hpp"
#include "storage/table/maintained_indexes.hpp"
#include "storage/table_index/text_lookup.hpp"

namespace scaup {
namespace {

/// The query in the last argument, if it is constant. Null if it is not, or if it is malformed, which the
/// filter will report.
std::shared_ptr<const TextQuery> QueryOf(const FunctionExpression& call) {
  const Expression& query = *call.arguments.back();
  if (query.kind() != ExpressionKind::kConstant) return nullptr;
  const Value& text = query.As<ConstantExpression>().value;
  if (text.is_null() || text.type().id() != TypeId::kVarchar) return nullptr;
  try {
    return std::make_shared<const TextQuery>(TextQuery::Parse(text.GetString()));
  } catch (const Error&) {
    return nullptr;
  }
}

/// Converts a predicate to a text search on the columns of the scan; nullopt for other predicates.
std::optional<TextSearch> ToTextSearch(const Expression& predicate, const LogicalGet& get) {
  if (predicate.kind() != ExpressionKind::kFunction) return std::nullopt;
  const auto& call = predicate.As<FunctionExpression>();
  const auto* documents = dynamic_cast<const DocumentSearch*>(call.data.get());
  const bool is_match =
      documents != nullptr ? call.type().id() == TypeId::kBoolean : call.function.name == kMatchesFunction;
  if (!is_match || call.arguments[0]->kind() != ExpressionKind::kColumnRef) return std::nullopt;
  TextSearch search{call.arguments[0]->As<ColumnRefExpression>().binding.column_index};
  if (documents != nullptr) {
    search.path = documents->path;
  } else if (const auto& projection = get.table->columns[search.column].projection) {
    search.column = kRecordColumn;
    search.path = projection->path;
  }
  search.query = QueryOf(call);
  return search.query != nullptr ? std::optional(std::move(search)) : std::nullopt;
}

void NoteSearches(const LogicalFilter& filter, LogicalGet& get) {
  if (!get.table->storage) return;
  const TableIndexList indexes = get.table->storage->indexes().List();
  if (indexes.empty()) return;
  for (const ExpressionPtr& predicate : filter.predicates) {
    auto search = ToTextSearch(*predicate, get);
    if (search && ChooseTextIndex(indexes, *search))
      get.predicate.text_searches.push_back(std::move(*search));
  }
}

}  // namespace

LogicalOperatorPtr TextIndexSearch::Rewrite(LogicalOperatorPtr plan) {
  CheckStack();
  for (LogicalOperatorPtr& child : plan->children) child = Rewrite(std::move(child));
  if (plan->kind() == LogicalKind::kFilter && plan->children[0]->kind() == LogicalKind::kGet)
    NoteSearches(plan->As<LogicalFilter>(), plan->children[0]->As<LogicalGet>());
  return plan;
}

}  // namespace scaup
