// A catalog that test statements define tables in, as the database would.
#pragma once

#include "bind_fixture.hpp"
#include "catalog/catalog_changes.hpp"

namespace scaup::test {

struct DefinitionFixture : BindFixture {
  /// CREATE TABLE, CREATE INDEX, CREATE SEQUENCE, ALTER TABLE: bound, then done in the catalog.
  void Run(const std::string& sql) {
    const auto bound = Bind(sql);
    if (bound->kind == BoundStatementKind::kCreateTable) {
      const auto& create = bound->As<BoundCreateTable>();
      for (const auto& sequence : create.sequences) CreateSequence(catalog, *transaction, sequence);
      CreateTable(catalog, *transaction,
                  std::make_shared<const TableEntry>(create.schema, create.table, create.columns, nullptr,
                                                     create.constraints));
    } else if (bound->kind == BoundStatementKind::kCreateIndex) {
      CreateIndex(catalog, *transaction, bound->As<BoundCreateIndex>().index);
    } else if (bound->kind == BoundStatementKind::kCreateSequence) {
      CreateSequence(catalog, *transaction, bound->As<BoundCreateSequence>().sequence);
    } else if (bound->kind == BoundStatementKind::kAlterTable) {
      const auto& alter = bound->As<BoundAlterTable>();
      ReplaceTable(catalog, *transaction,
                   {alter.table,
                    std::make_shared<const TableEntry>(alter.schema, alter.name, alter.columns, nullptr,
                                                       alter.constraints),
                    alter.renamed_columns, alter.cascade});
    } else {
      FAIL("not a definition");
    }
  }
  TableEntryRef Table(const std::string& name) {
    return catalog.Find<TableEntry>(*transaction, "main", name);
  }
};

/// "[a, b]" of expressions as text.
inline std::string Texts(const std::vector<ExpressionPtr>& expressions) {
  std::string text;
  for (const ExpressionPtr& expression : expressions)
    text += (text.empty() ? "" : ", ") + expression->ToString();
  return text;
}

/// The table index and column of a reference: "3.1"; "?" of anything else.
inline std::string Binding(const Expression& expression) {
  if (expression.kind() != ExpressionKind::kColumnRef) return "?";
  const auto& binding = expression.As<ColumnRefExpression>().binding;
  return std::to_string(binding.table_index) + "." + std::to_string(binding.column_index);
}

}  // namespace scaup::test
