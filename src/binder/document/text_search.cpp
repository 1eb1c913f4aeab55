// matches(where, query) and score(where, query): resolves a quoted path in the documents of FROM.
#include <fmt/format.h>

#include "binder/scope/coercion.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "common/settings/settings.hpp"
#include "common/throw.hpp"
#include "function/scalar/text/text_search.hpp"

namespace scaup {

namespace {

/// Returns the only collection in FROM; null if FROM has no tables at all.
DocumentSource* SearchedDocuments(const Scope* scope, const ast::FunctionCall& call,
                                  const std::string& function) {
  if (scope == nullptr || scope->tables().empty()) return nullptr;
  DocumentSource* found = nullptr;
  for (const ScopeTable& table : scope->tables()) {
    if (!table.documents) continue;
    if (found != nullptr && found != table.documents.get()) {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kAmbiguousColumn,
          fmt::format("{} does not know which of several collections is meant; write {}({}.path, ...), "
                      "or {}({}, ...) for whole documents",
                      function, function, table.alias, function, table.alias),
          call.arguments[0]->position);
    }
    found = table.documents.get();
  }
  if (found == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedTable,
               fmt::format("a quoted name in {} is a path of documents, but FROM has no collection; write a "
                           "column without quotes: {}(column, ...)",
                           function, function),
               call.arguments[0]->position);
  }
  return found;
}

ExpressionPtr ReadPath(DocumentSource& documents, const ast::Literal& name, UnknownKeys unknown_keys) {
  if (name.text == kWholeDocument) return documents.ReadDocument();
  const ScopeColumn* column = documents.FindColumn(name.text);
  if (column == nullptr) {
    if (unknown_keys == UnknownKeys::kNull || !documents.HasKeys())
      return std::make_unique<ConstantExpression>(Value());
    ThrowError(
        ErrorKind::kBinder, sqlstate::kUndefinedColumn,
        fmt::format("column {} does not exist{}", name.text, DidYouMean(name.text, documents.SomeNames())),
        name.position);
  }
  return column->value->Clone();
}

}  // namespace

bool IsTextSearch(std::string_view name) { return name == kMatchesFunction || name == kScoreFunction; }

ExpressionPtr BindTextSearch(ExpressionBinder& binder, const ast::FunctionCall& call,
                             const std::string& name) {
  const ast::Expression& where = *call.arguments[0];
  ExpressionPtr searched;
  if (where.kind == ast::ExpressionKind::kLiteral &&
      where.As<ast::Literal>().literal == ast::Literal::Kind::kString) {
    // The view was created when the path existed or unknown paths were NULL, so it must stay valid.
    const UnknownKeys unknown_keys = binder.session().view == nullptr
                                         ? binder.session().context().settings.unknown_keys
                                         : UnknownKeys::kNull;
    if (DocumentSource* documents = SearchedDocuments(binder.level().scope, call, name))
      searched = ReadPath(*documents, where.As<ast::Literal>(), unknown_keys);
  }
  if (!searched) searched = binder.Bind(where);
  ExpressionPtr query = binder.Bind(*call.arguments[1]);
  if (!FindPath(binder.session(), *searched)) {
    std::vector<ExpressionPtr> arguments;
    arguments.push_back(std::move(searched));
    arguments.push_back(std::move(query));
    return MakeScalarCall(binder.session(), name, std::move(arguments), call.position);
  }
  const size_t position = call.arguments[1]->position;
  query = Coerce(binder.session(), ReadForCast(binder.session(), std::move(query), TypeId::kVarchar),
                 TypeId::kVarchar);
  try {
    return SearchStrings(binder.session(), std::move(searched), name, std::move(query), call.position);
  } catch (Error& error) {
    error.SetPositionIfUnknown(position);
    throw;
  }
}

}  // namespace scaup
