// The type of a table's rows, which has the table's name: NULL::t.
#include <fmt/format.h>

#include "binder/expression/bind_expression.hpp"
#include "catalog/catalog.hpp"
#include "common/throw.hpp"
#include "type/type_modifier.hpp"
#include "type/type_rules.hpp"

namespace scaup {

/// Definitions keep the text of their expressions, so that the type would change with the table.
static void RefuseInDefinition(ExpressionBinder& binder, const ast::TypeName& type) {
  const Clause clause = binder.place().clause();
  const bool is_definition = clause == Clause::kDefault || clause == Clause::kCheck ||
                             clause == Clause::kGenerated || clause == Clause::kIndexExpression ||
                             clause == Clause::kIndexPredicate || binder.session().reads != nullptr;
  if (!is_definition) return;
  ThrowNotSupported(
      fmt::format("a definition cannot use the type of the rows of table \"{}\"; write the type as "
                  "STRUCT(name TYPE, ...)",
                  type.names.back()),
      type.position);
}

std::optional<LogicalType> FindRowType(ExpressionBinder& binder, const ast::TypeName& type) {
  const bool may_be_table =
      type.fields.empty() && type.modifiers.empty() &&
      (type.names.size() == 2 || (type.names.size() == 1 && !TypeFromName(type.names[0])));
  if (!may_be_table) return std::nullopt;
  const BinderContext& context = binder.session().context();
  const std::string schema = type.names.size() == 2 ? type.names[0] : "";
  if (context.catalog.Find<TypeEntry>(context.transaction, schema, type.names.back())) return std::nullopt;
  const TableEntryRef table =
      context.catalog.Find<TableEntry>(context.transaction, schema, type.names.back());
  if (!table || table->is_collection()) return std::nullopt;
  RefuseInDefinition(binder, type);
  std::vector<StructField> fields;
  for (const ColumnDefinition& column : table->columns) {
    if (!column.is_hidden()) fields.push_back({column.name, WithoutModifier(column.type)});
  }
  if (fields.empty()) return std::nullopt;
  LogicalType result = LogicalType::Struct(std::move(fields));
  for (size_t i = 0; i < type.array_dimensions; i++) result = LogicalType::List(result);
  return result;
}

}  // namespace scaup
