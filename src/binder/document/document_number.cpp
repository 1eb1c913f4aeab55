// document(c), document_id(c) and element_position(c): a row's document, its number, an element's position.
#include <fmt/format.h>

#include "binder/scope/document_source.hpp"
#include "binder/scope/expression_binder.hpp"
#include "common/throw.hpp"

namespace scaup {

namespace {

constexpr std::string_view kDocument = "document";
constexpr std::string_view kDocumentId = "document_id";
constexpr std::string_view kElementPosition = "element_position";

/// Returns the collection in FROM whose alias the argument is; null if there is none.
CollectionUse* FindUse(BindSession& session, const QueryLevel& level, const ast::Expression& argument,
                       size_t& outer_level) {
  if (argument.kind != ast::ExpressionKind::kColumn) return nullptr;
  const auto row = FindWholeRow(level, argument.As<ast::Column>(), true);
  if (!row || !row->documents) return nullptr;
  const Expression& document = *row->columns.back().value;
  if (document.kind() != ExpressionKind::kColumnRef) return nullptr;
  const auto& reference = document.As<ColumnRefExpression>();
  outer_level = reference.outer_level;
  return session.FindCollection(reference.binding.table_index);
}

}  // namespace

bool IsDocumentNumber(std::string_view name) {
  return name == kDocument || name == kDocumentId || name == kElementPosition;
}

/// Binds document(c).
static ExpressionPtr ReadWholeDocument(const QueryLevel& level, const ast::FunctionCall& call) {
  if (call.arguments.size() == 1 && call.arguments[0]->kind == ast::ExpressionKind::kColumn) {
    auto row = FindWholeRow(level, call.arguments[0]->As<ast::Column>(), true);
    if (row && row->documents) return std::move(row->columns.back().value);
  }
  ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
             "document takes the name of a collection or element table in FROM, as in document(c)",
             call.arguments.empty() ? call.position : call.arguments[0]->position);
}

ExpressionPtr BindDocumentNumber(ExpressionBinder& binder, const ast::FunctionCall& call,
                                 const std::string& name) {
  if (name == kDocument) return ReadWholeDocument(binder.level(), call);
  size_t outer_level = 0;
  const CollectionUse* use = call.arguments.size() == 1 && !call.star
                                 ? FindUse(binder.session(), binder.level(), *call.arguments[0], outer_level)
                                 : nullptr;
  const bool is_id = name == kDocumentId;
  const bool is_element = use != nullptr && use->entry()->is_element_table();
  if (use == nullptr || (!is_id && !is_element)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
               fmt::format("{} takes the name of {} in FROM, as in {}(c)", name,
                           is_id ? "a collection or element table" : "an element table", name),
               call.arguments.empty() ? call.position : call.arguments[0]->position);
  }
  const size_t column = !is_id       ? kElementPositionColumn
                        : is_element ? kElementDocumentColumn
                                     : kRowNumberColumn;
  auto number =
      std::make_unique<ColumnRefExpression>(TypeId::kBigInt, ColumnBinding{use->table_index(), column}, name);
  number->outer_level = outer_level;
  number->position = call.position;
  return number;
}

}  // namespace scaup
