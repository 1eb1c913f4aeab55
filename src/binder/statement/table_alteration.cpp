// The new definition of an altered table, and the query over its old rows that computes the new ones.
#include "binder/statement/table_alteration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/scope/domain_rules.hpp"
#include "binder/statement/view_renaming.hpp"
#include "binder/write/written_row.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "common/throw.hpp"

namespace scaup {

bool HasName(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TableAlteration::TableAlteration(BindSession& session, TableEntryRef table, size_t position)
    : draft(session, table->schema, table->name),
      result(std::make_unique<BoundAlterTable>()),
      session_(session),
      position_(position),
      old_index_(session.NewTableIndex()) {
  draft.columns = table->columns;
  draft.constraints = table->constraints;
  for (size_t i = 0; i < table->columns.size(); i++)
    origins.push_back({i, std::make_unique<ColumnRefExpression>(
                              table->columns[i].type, ColumnBinding{old_index_, i}, table->columns[i].name)});
  result->table = std::move(table);
}

ColumnDefinition& TableAlteration::Column(const ast::AlterAction& action) {
  return draft.columns[draft.FindColumn(action.name, action.position)];
}

bool TableAlteration::HasColumn(const std::string& name) const {
  return std::any_of(draft.columns.begin(), draft.columns.end(),
                     [&](const ColumnDefinition& column) { return column.name == name; });
}

bool TableAlteration::Uses(const std::string& text, Clause clause, size_t column) const {
  if (text.empty()) return false;
  constexpr size_t kIndex = 0;
  const TableEntry entry = draft.AsEntry();
  const LogicalType type = clause == Clause::kCheck ? LogicalType(TypeId::kBoolean) : TypeOfText(text);
  const ExpressionPtr bound = BindTableText(session_.context(), entry, kIndex, text, clause, type);
  return ColumnsOf(*bound, kIndex, draft.columns.size())[column];
}

LogicalType TableAlteration::TypeOfText(const std::string& text) const {
  for (const ColumnDefinition& column : draft.columns) {
    if (column.generated_text == text) return column.type;
  }
  return TypeId::kVarchar;
}

void TableAlteration::RemoveColumn(const std::string& name) {
  const auto found = std::find_if(draft.columns.begin(), draft.columns.end(),
                                  [&](const ColumnDefinition& column) { return column.name == name; });
  SCAUP_CHECK(found != draft.columns.end());
  const auto index = static_cast<size_t>(found - draft.columns.begin());
  auto& constraints = draft.constraints;
  std::erase_if(constraints.checks,
                [&](const CheckConstraint& check) { return Uses(check.text, Clause::kCheck, index); });
  std::erase_if(constraints.uniques,
                [&](const UniqueConstraint& unique) { return HasName(unique.columns, name); });
  std::erase_if(constraints.foreign_keys, [&](const ForeignKey& key) { return HasName(key.columns, name); });
  draft.columns.erase(draft.columns.begin() + static_cast<std::ptrdiff_t>(index));
  origins.erase(origins.begin() + static_cast<std::ptrdiff_t>(index));
}

/// Returns whether a hidden column has the collation keys of a column in a constraint.
static bool IsKeyOfConstraint(const TableDraft& draft, size_t hidden) {
  const ColumnDefinition* const column = ColumnOfKey(draft.columns, draft.columns[hidden]);
  if (column == nullptr || !draft.columns[hidden].condition_text.empty()) return false;
  const auto has_it = [&](const auto& constraint) { return HasName(constraint.columns, column->name); };
  return std::any_of(draft.constraints.uniques.begin(), draft.constraints.uniques.end(), has_it) ||
         std::any_of(draft.constraints.foreign_keys.begin(), draft.constraints.foreign_keys.end(), has_it);
}

bool TableAlteration::RemoveUnusedHidden(const std::vector<std::string>& dropped_indexes) {
  const BinderContext& context = session_.context();
  const TableEntry& table = *result->table;
  const auto is_kept = [&](const std::string& column) {
    // A hidden column that gets new values has no origin, but still its name.
    return HasColumn(column) || std::any_of(origins.begin(), origins.end(), [&](const Origin& origin) {
             return origin.old && table.columns[*origin.old].name == column;
           });
  };
  std::vector<std::string> used;
  for (const IndexEntryRef& index : IndexesOf(context.catalog, context.transaction, table)) {
    const bool is_whole = std::all_of(index->columns.begin(), index->columns.end(), is_kept);
    if (is_whole && !HasName(dropped_indexes, index->name))
      used.insert(used.end(), index->columns.begin(), index->columns.end());
  }
  dropped_indexes_ = dropped_indexes;
  bool removes = false;
  for (size_t i = draft.columns.size(); i-- > 0;) {
    if (!draft.columns[i].is_hidden() || !origins[i].old) continue;
    if (HasName(used, table.columns[*origins[i].old].name) || IsKeyOfConstraint(draft, i)) continue;
    draft.columns.erase(draft.columns.begin() + static_cast<std::ptrdiff_t>(i));
    origins.erase(origins.begin() + static_cast<std::ptrdiff_t>(i));
    removes = result->rewrites = true;
  }
  return removes;
}

void TableAlteration::RequireNotNull(const std::string& column) {
  if (!HasName(not_null_, column)) not_null_.push_back(column);
}

void TableAlteration::AllowNull(const std::string& column) { std::erase(not_null_, column); }

void TableAlteration::AddConstraint(const ast::TableConstraint& constraint) {
  using ConstraintKind = ast::TableConstraint::Kind;
  const std::string name = draft.AddConstraint(constraint);
  // Hidden columns for the key, whose values are computed at the end as those of generated columns.
  while (origins.size() < draft.columns.size()) {
    origins.push_back({std::nullopt, MakeConstant(Value(draft.columns[origins.size()].type))});
    result->rewrites = true;
  }
  if (constraint.not_valid) {
    auto& constraints = draft.constraints;
    (constraint.kind == ConstraintKind::kCheck ? constraints.checks.back().is_validated
                                               : constraints.foreign_keys.back().is_validated) = false;
    result->adds_not_valid = true;
    return;
  }
  switch (constraint.kind) {
    case ConstraintKind::kCheck: checks_.push_back(name); break;
    case ConstraintKind::kUnique: uniques_.push_back(name); break;
    case ConstraintKind::kForeignKey: foreign_keys_.push_back(name); break;
    case ConstraintKind::kPrimaryKey:
      uniques_.push_back(name);
      for (const std::string& column : constraint.columns) RequireNotNull(column);
      break;
  }
}

void TableAlteration::Validate(const ast::AlterAction& action) {
  const auto validate = [&](auto& constraints, std::vector<std::string>& to_check) {
    for (auto& constraint : constraints) {
      if (constraint.name != action.name) continue;
      // One that is valid already need not be checked again.
      if (!std::exchange(constraint.is_validated, true)) to_check.push_back(action.name);
      return true;
    }
    return false;
  };
  if (validate(draft.constraints.checks, checks_) || validate(draft.constraints.foreign_keys, foreign_keys_))
    return;
  ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType,
             fmt::format("constraint \"{}\" of table \"{}\" is not a foreign key or check constraint",
                         action.name, draft.name),
             action.position);
}

void TableAlteration::RecheckDomain(const ColumnDefinition& column) {
  for (std::string& name : RuleNames(session_.context(), column.domain)) checks_.push_back(std::move(name));
}

void TableAlteration::SettleOwnReferences() {
  std::erase_if(draft.constraints.foreign_keys, [&](const ForeignKey& key) {
    if (key.referenced_schema != draft.schema || key.referenced_table != draft.name ||
        draft.HasKey(key.referenced_columns))
      return false;
    if (!result->cascade) {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kDependentObjects,
          fmt::format("cannot drop a key of table \"{}\" because its foreign key \"{}\" depends on it; use "
                      "CASCADE to drop that too",
                      draft.name, key.name),
          position_);
    }
    return true;
  });
}

std::unique_ptr<BoundAlterTable> TableAlteration::Finish() {
  SettleOwnReferences();
  if (result->rewrites && result->table->has_hidden_columns()) RemoveUnusedHidden(dropped_indexes_);
  auto rows = std::make_unique<BoundSelect>();
  rows->from = std::make_unique<BoundBaseTable>(old_index_, result->table);
  rows->table_index = rows->item_index = session_.NewTableIndex();
  const TableEntry entry = draft.AsEntry();
  std::vector<ExpressionPtr> values;
  for (Origin& origin : origins) values.push_back(std::move(origin.value));
  // FillGenerated recomputes all generated columns, but existing ones keep their stored values.
  std::vector<ExpressionPtr> kept(values.size());
  for (size_t i = 0; i < values.size(); i++) {
    if (IsGenerated(draft.columns[i]) && origins[i].old) kept[i] = values[i]->Clone();
  }
  FillGenerated(session_.context(), entry, values);
  for (size_t i = 0; i < values.size(); i++) {
    if (kept[i]) values[i] = std::move(kept[i]);
    values[i]->alias = draft.columns[i].name;
    rows->names.push_back(draft.columns[i].name);
    rows->types.push_back(draft.columns[i].type);
  }
  rows->items = std::move(values);
  ListNew(entry, rows->table_index);
  const bool is_moved = draft.schema != result->table->schema || draft.name != result->table->name;
  if (is_moved || !result->renamed_columns.empty()) {
    result->readers = RenameInViews(
        session_, {result->table, draft.schema, draft.name, result->renamed_columns}, position_);
  }
  result->rows = std::move(rows);
  result->materialization = result->table->materialization;
  result->schema = draft.schema;
  result->name = draft.name;
  result->columns = std::move(draft.columns);
  result->constraints = std::move(draft.constraints);
  result->new_sequences = std::move(draft.sequences);
  return std::move(result);
}

void TableAlteration::ListNew(const TableEntry& entry, size_t table_index) {
  for (size_t i = 0; i < entry.columns.size(); i++) {
    if (HasName(not_null_, entry.columns[i].name)) result->new_not_null.push_back(i);
  }
  for (BoundCheck& check : BindChecks(session_.context(), entry, table_index)) {
    if (HasName(checks_, check.name)) result->new_checks.push_back(std::move(check));
  }
  for (const UniqueConstraint& unique : entry.constraints.uniques) {
    if (HasName(uniques_, unique.name)) result->new_uniques.push_back(unique.name);
  }
  for (const ForeignKey& key : entry.constraints.foreign_keys) {
    if (HasName(foreign_keys_, key.name)) result->new_foreign_keys.push_back(key.name);
  }
}

}  // namespace scaup
