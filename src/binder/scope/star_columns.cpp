// Finds the columns of * and t.*, and applies EXCLUDE, REPLACE and RENAME.
#include "binder/scope/star_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

namespace {

class ChangedColumns {
 public:
  ChangedColumns(const QueryLevel& level, std::vector<StarColumn>& columns)
      : level_(level), columns_(columns) {}

  void Apply(const ast::ChangedStar& changes) {
    // Names in the lists are those before any change, so that columns may swap their names.
    for (const ast::ChangedStar::ColumnRef& column : changes.exclude) {
      Find(column, "EXCLUDE");
      std::erase_if(columns_, [&](const StarColumn& each) { return Matches(each, column); });
    }
    for (const ast::ChangedStar::Replacement& replacement : changes.replace) {
      for (StarColumn* found : Find(replacement.column, "REPLACE"))
        found->replacement = replacement.expression.get();
    }
    std::vector<std::vector<StarColumn*>> renamed;
    for (const ast::ChangedStar::Renaming& renaming : changes.rename)
      renamed.push_back(Find(renaming.column, "RENAME"));
    for (size_t i = 0; i < renamed.size(); i++) {
      for (StarColumn* found : renamed[i]) found->name = changes.rename[i].new_name;
    }
  }

 private:
  bool Matches(const StarColumn& each, const ast::ChangedStar::ColumnRef& column) const {
    if (each.name != column.names.back()) return false;
    if (column.names.size() == 1) return true;
    ast::Column syntax;
    syntax.names = column.names;
    syntax.position = column.position;
    return each.value->Equals(*ResolveColumn(level_, syntax));
  }

  std::vector<StarColumn*> Find(const ast::ChangedStar::ColumnRef& column, const char* list) {
    std::vector<StarColumn*> found;
    for (StarColumn& each : columns_) {
      if (Matches(each, column)) found.push_back(&each);
    }
    if (!found.empty()) return found;
    std::vector<std::string> candidates;
    for (const StarColumn& each : columns_) candidates.push_back(each.name);
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
               fmt::format("column \"{}\" in {} is not among the columns of *{}",
                           fmt::join(column.names, "."), list, DidYouMean(column.names.back(), candidates)),
               column.position);
  }

  const QueryLevel& level_;
  std::vector<StarColumn>& columns_;
};

}  // namespace

std::vector<StarColumn> ColumnsOfStar(const QueryLevel& level, const ast::Star& star) {
  SCAUP_ASSERT(level.scope != nullptr || !star.qualifier.empty());
  if (star.of) ThrowNotSupported("(x).* outside of the SELECT list", star.position);
  std::vector<StarColumn> columns;
  for (ScopeColumn& column :
       star.qualifier.empty() ? level.scope->AllVisible() : ResolveStar(level, star).AllColumns())
    columns.push_back({std::move(column.name), std::move(column.value)});
  if (star.changes) ChangedColumns(level, columns).Apply(*star.changes);
  for (StarColumn& column : columns) {
    ForEachColumnRef(column.value,
                     [&](ColumnRefExpression& reference) { reference.position = star.position; });
    column.value->position = star.position;
  }
  return columns;
}

}  // namespace scaup
