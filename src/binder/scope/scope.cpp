// Resolves column names through scopes and query levels.
#include "binder/scope/scope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "binder/bound/bound_query.hpp"
#include "binder/scope/document_source.hpp"
#include "catalog/catalog.hpp"
#include "common/similar_name.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "document/attribute/document_path.hpp"
#include "expression/bound_call.hpp"
#include "function/scalar/catalog/object_number.hpp"
#include "type/schema_name.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

/// Adds the names of a visible column; several for a collection.
void AddNames(const ScopeColumn& column, std::vector<std::string>& names) {
  if (!column.documents) return names.push_back(column.name);
  for (std::string& name : column.documents->SomeNames()) names.push_back(std::move(name));
}

[[noreturn]] void ThrowAmbiguous(std::string_view name, size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kAmbiguousColumn,
             fmt::format("column reference \"{}\" is ambiguous; name its table, as in table.{}", name, name),
             position);
}

/// Calls visit(level, distance, with_count, sees_columns) for every level that is visible from `level`,
/// innermost first, until it returns true. `with_count` is the number of its visible WITH queries.
/// `sees_columns` is false for a level that is visible only because it defines a WITH query.
template <typename Level>
void ForEachLevel(Level& level, const std::function<bool(Level&, size_t, size_t, bool)>& visit) {
  const QueryLevel* skip_to = nullptr;
  size_t with_limit = 0;
  size_t distance = 0;
  for (Level* at = &level; at != nullptr; distance += at->defined_at == nullptr, at = at->outer) {
    if (skip_to != nullptr && at != skip_to) continue;
    const bool is_definition = at == skip_to;
    if (visit(*at, distance, is_definition ? with_limit : at->visible_with, !is_definition)) return;
    skip_to = at->defined_at;
    with_limit = at->defining_with;
  }
}

ExpressionPtr ReferTo(const ScopeColumn& column, size_t distance, size_t position) {
  ExpressionPtr value = column.value->Clone();
  ForEachColumnRef(value, [&](ColumnRefExpression& reference) {
    reference.outer_level += distance;
    reference.position = position;
  });
  value->position = position;
  return value;
}

/// Returns a column that is not among those of a table, which take precedence: the number of a row under
/// DuckDB's and PostgreSQL's names, or that of the table. Returns null if the table has none of that name.
ExpressionPtr HiddenColumnOf(const ScopeTable& table, const std::string& name, size_t distance,
                             size_t position) {
  ExpressionPtr column;
  const bool is_row_number = name == "rowid" || name == "ctid";
  if (is_row_number && table.is_inserted) {
    ThrowNotSupported(
        fmt::format("INSERT cannot return {}: rows get their numbers when the transaction commits; return a "
                    "key, such as an identity column",
                    name),
        position);
  }
  if (is_row_number && table.stored != nullptr) {
    table.stored->has_row_number = true;
    auto number = std::make_unique<ColumnRefExpression>(
        TypeId::kBigInt, ColumnBinding{table.stored->table_index, kRowNumberColumn}, name);
    number->outer_level = distance;
    column = std::move(number);
  } else if (!table.relation.empty() && name == "tableoid") {
    column = CallBound(ObjectNumberFunction(ObjectNumber::kClass, false),
                       std::make_unique<ConstantExpression>(Value::Varchar(table.relation)));
  }
  if (column) column->position = position;
  return column;
}

/// Resolves the name of a hidden column. Returns null if no level has a table with one.
ExpressionPtr ResolveHidden(const QueryLevel& level, const std::string& name, size_t position) {
  ExpressionPtr found;
  ForEachLevel<const QueryLevel>(level,
                                 [&](const QueryLevel& at, size_t distance, size_t, bool sees_columns) {
                                   if (!sees_columns || at.scope == nullptr) return false;
                                   for (const ScopeTable& table : at.scope->tables()) {
                                     ExpressionPtr column = HiddenColumnOf(table, name, distance, position);
                                     if (column && found) ThrowAmbiguous(name, position);
                                     if (column) found = std::move(column);
                                   }
                                   return found != nullptr;
                                 });
  return found;
}

ExpressionPtr ResolveUnqualified(const QueryLevel& level, const std::string& name, size_t position) {
  ExpressionPtr found;
  std::vector<std::string> candidates;
  ForEachLevel<const QueryLevel>(level,
                                 [&](const QueryLevel& at, size_t distance, size_t, bool sees_columns) {
                                   if (!sees_columns || at.scope == nullptr) return false;
                                   if (const ScopeColumn* column = at.scope->FindVisible(name, position)) {
                                     found = ReferTo(*column, distance, position);
                                     return true;
                                   }
                                   return false;
                                 });
  if (!found) found = ResolveHidden(level, name, position);
  if (found) return found;
  ForEachLevel<const QueryLevel>(level, [&](const QueryLevel& at, size_t, size_t, bool sees_columns) {
    if (sees_columns && at.scope != nullptr) {
      for (const ScopeColumn& column : at.scope->visible()) AddNames(column, candidates);
    }
    return false;
  });
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
             fmt::format("column \"{}\" does not exist{}", name, DidYouMean(name, candidates)), position);
}

[[noreturn]] void ThrowMissingTable(const QueryLevel& level, std::string_view table, size_t position) {
  std::vector<std::string> candidates;
  ForEachLevel<const QueryLevel>(level, [&](const QueryLevel& at, size_t, size_t, bool sees_columns) {
    if (sees_columns && at.scope != nullptr) {
      for (const ScopeTable& candidate : at.scope->tables()) candidates.push_back(candidate.alias);
    }
    return false;
  });
  ThrowError(
      ErrorKind::kBinder, sqlstate::kUndefinedTable,
      fmt::format("missing FROM-clause entry for table \"{}\"{}", table, DidYouMean(table, candidates)),
      position);
}

ExpressionPtr ResolveQualified(const QueryLevel& level, std::string_view schema, const std::string& table,
                               const std::string& name, size_t position) {
  ExpressionPtr found;
  ForEachLevel<const QueryLevel>(
      level, [&](const QueryLevel& at, size_t distance, size_t, bool sees_columns) {
        if (!sees_columns || at.scope == nullptr) return false;
        const ScopeTable* entry = at.scope->FindTable(schema, table, position);
        if (entry == nullptr) return false;
        if (const ScopeColumn* column = FindColumn(*entry, name, position)) {
          found = ReferTo(*column, distance, position);
          return true;
        }
        found = HiddenColumnOf(*entry, name, distance, position);
        if (found) return true;
        std::vector<std::string> candidates;
        for (const ScopeColumn& column : entry->columns) candidates.push_back(column.name);
        if (entry->documents) candidates = entry->documents->SomeNames();
        ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                   fmt::format("column {}.{} does not exist{}", table, name, DidYouMean(name, candidates)),
                   position);
      });
  if (!found) ThrowMissingTable(level, table, position);
  return found;
}

}  // namespace

std::string DidYouMean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string similar = MostSimilar(name, candidates);
  // The dictionary may still contain a key that no document has any more.
  return similar.empty() || similar == name ? "" : fmt::format("; did you mean \"{}\"?", similar);
}

ScopeColumn ScopeColumn::Clone() const {
  CheckStack();
  return {name, value ? value->Clone() : nullptr, documents, hidden};
}

std::vector<ScopeColumn> ScopeTable::AllColumns() const {
  if (documents) return documents->AllColumns();
  std::vector<ScopeColumn> all;
  for (const ScopeColumn& column : columns) all.push_back(column.Clone());
  return all;
}

bool ScopeTable::IsIn(std::string_view qualifier) const {
  if (qualifier == schema) return true;
  if (database.empty() || !qualifier.starts_with(database)) return false;
  const std::string_view rest = qualifier.substr(database.size());
  if (rest.empty()) return database_schema == Catalog::kDefaultSchema;
  return rest[0] == '.' && rest.substr(1) == database_schema;
}

Scope Scope::OfTable(ScopeTable table) {
  Scope scope;
  if (table.documents) scope.visible_.push_back({"", nullptr, table.documents});
  scope.visible_.reserve(table.columns.size());
  for (const ScopeColumn& column : table.columns)
    scope.visible_.push_back({column.name, column.value->Clone()});
  scope.tables_.push_back(std::move(table));
  return scope;
}

Scope Scope::Clone() const {
  CheckStack();
  const auto copy_columns = [](const std::vector<ScopeColumn>& columns) {
    std::vector<ScopeColumn> copies;
    for (const ScopeColumn& column : columns) copies.push_back(column.Clone());
    return copies;
  };
  Scope copy;
  for (const ScopeTable& table : tables_)
    copy.tables_.push_back({table.schema, table.alias, copy_columns(table.columns), table.is_value,
                            table.documents, table.stored, table.database, table.database_schema,
                            table.relation});
  copy.visible_ = copy_columns(visible_);
  return copy;
}

Scope Scope::Combine(Scope left, Scope right, size_t position) {
  // Tables without aliases may have the same name if they are in different schemas. So every table of that
  // name is compared, not just the first.
  const auto have_same_name = [](const ScopeTable& a, const ScopeTable& b) {
    return !a.alias.empty() && a.alias == b.alias &&
           (a.schema.empty() || b.schema.empty() || a.schema == b.schema);
  };
  for (const ScopeTable& table : right.tables_) {
    if (std::none_of(left.tables_.begin(), left.tables_.end(),
                     [&](const ScopeTable& other) { return have_same_name(table, other); }))
      continue;
    ThrowError(
        ErrorKind::kBinder, sqlstate::kDuplicateAlias,
        fmt::format("table name \"{}\" specified more than once; give one of them an alias", table.alias),
        position);
  }
  std::move(right.tables_.begin(), right.tables_.end(), std::back_inserter(left.tables_));
  left.ForgetNames();
  std::move(right.visible_.begin(), right.visible_.end(), std::back_inserter(left.visible_));
  return left;
}

const ScopeColumn* Scope::FindVisible(std::string_view name, size_t position) const {
  // Below this number of columns, a linear search is faster than building the index.
  constexpr size_t kFew = 16;
  const ScopeColumn* found = nullptr;
  bool found_is_new = false;
  std::vector<size_t> candidates;
  const bool are_many = visible_.size() > kFew;
  if (are_many) {
    const Names& names = NamesOfVisible();
    candidates = names.documents;
    if (const auto place = names.places.find(name); place != names.places.end())
      candidates.insert(candidates.end(), place->second.begin(), place->second.end());
    std::sort(candidates.begin(), candidates.end());
  }
  for (size_t i = 0; i < (are_many ? candidates.size() : visible_.size()); i++) {
    const ScopeColumn& column = visible_[are_many ? candidates[i] : i];
    const ScopeColumn* each = &column;
    if (column.documents) {
      const bool is_hidden =
          std::find(column.hidden.begin(), column.hidden.end(), name) != column.hidden.end();
      each = is_hidden ? nullptr : column.documents->FindColumn(name);
    } else if (column.name != name) {
      each = nullptr;
    }
    if (each == nullptr) continue;
    const bool is_new = column.documents && !column.documents->IsOldColumn(name);
    // Keys that are newer than the view give way to other columns, and are never ambiguous.
    if (found != nullptr && is_new) continue;
    if (found != nullptr && !found_is_new) ThrowAmbiguous(name, position);
    found = each;
    found_is_new = is_new;
  }
  return found;
}

const Scope::Names& Scope::NamesOfVisible() const {
  if (names_) return *names_;
  names_ = std::make_unique<Names>();
  for (size_t i = 0; i < visible_.size(); i++) {
    if (visible_[i].documents) {
      names_->documents.push_back(i);
    } else {
      names_->places[visible_[i].name].push_back(i);
    }
  }
  return *names_;
}

bool Scope::IsOldName(std::string_view name) const {
  return std::any_of(visible_.begin(), visible_.end(), [&](const ScopeColumn& column) {
    return column.documents ? column.documents->IsOldColumn(name) : column.name == name;
  });
}

std::vector<ScopeColumn> Scope::AllVisible() const {
  std::vector<ScopeColumn> all;
  for (const ScopeColumn& column : visible_) {
    if (!column.documents) {
      all.push_back(column.Clone());
      continue;
    }
    for (ScopeColumn& each : column.documents->AllColumns()) {
      if (std::find(column.hidden.begin(), column.hidden.end(), each.name) == column.hidden.end())
        all.push_back(std::move(each));
    }
  }
  return all;
}

void Scope::Hide(const std::vector<std::string>& names) {
  ForgetNames();
  std::erase_if(visible_, [&](const ScopeColumn& column) {
    return !column.documents && std::find(names.begin(), names.end(), column.name) != names.end();
  });
  for (ScopeColumn& column : visible_) {
    if (column.documents) column.hidden.insert(column.hidden.end(), names.begin(), names.end());
  }
}

void Scope::ReplaceDocuments(const DocumentSource& old, std::shared_ptr<DocumentSource> documents) {
  for (ScopeTable& table : tables_) {
    if (table.documents.get() == &old) table.documents = documents;
  }
  for (ScopeColumn& column : visible_) {
    if (column.documents.get() == &old) column.documents = documents;
  }
}

const ScopeTable* Scope::FindTable(std::string_view schema, std::string_view alias, size_t position) const {
  const ScopeTable* found = nullptr;
  for (const ScopeTable& table : tables_) {
    if (table.alias != alias || (!schema.empty() && !table.IsIn(SchemaNamed(schema)))) continue;
    if (found != nullptr) {
      ThrowError(ErrorKind::kBinder, sqlstate::kAmbiguousAlias,
                 fmt::format("table reference \"{}\" is ambiguous; name its schema, as in {}.{}", alias,
                             table.schema, alias),
                 position);
    }
    found = &table;
  }
  return found;
}

const ScopeColumn* FindColumn(const ScopeTable& table, std::string_view name, size_t position) {
  if (table.documents) return table.documents->FindColumn(name);
  const ScopeColumn* found = nullptr;
  for (const ScopeColumn& column : table.columns) {
    if (column.name != name) continue;
    if (found != nullptr) ThrowAmbiguous(name, position);
    found = &column;
  }
  return found;
}

std::optional<FoundWith> FindWith(QueryLevel& level, std::string_view name) {
  std::optional<FoundWith> found;
  ForEachLevel<QueryLevel>(level, [&](QueryLevel& at, size_t, size_t with_count, bool) {
    for (size_t i = 0; at.with != nullptr && i < with_count; i++) {
      if ((*at.with)[i].name == name) {
        found = FoundWith{&(*at.with)[i], &at, i};
        return true;
      }
    }
    return false;
  });
  return found;
}

static QueryLevel* FindLevel(QueryLevel& level, size_t outer_level) {
  QueryLevel* found = nullptr;
  ForEachLevel<QueryLevel>(level, [&](QueryLevel& at, size_t distance, size_t, bool) {
    if (distance == outer_level && at.defined_at == nullptr) found = &at;
    return found != nullptr;
  });
  return found;
}

ExpressionPtr ResolveArgument(const QueryLevel& level, size_t index, size_t position) {
  ExpressionPtr found;
  ForEachLevel<const QueryLevel>(level, [&](const QueryLevel& at, size_t distance, size_t, bool) {
    if (!at.is_function) return false;
    const std::vector<ScopeColumn>& arguments = at.scope->tables()[0].columns;
    if (index >= arguments.size()) {
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedParameter,
                 fmt::format("there is no parameter ${}; the function has {} argument{}", index + 1,
                             arguments.size(), arguments.size() == 1 ? "" : "s"),
                 position);
    }
    found = ReferTo(arguments[index], distance, position);
    return true;
  });
  return found;
}

bool LeavesBody(QueryLevel& level, size_t outer_level) {
  bool leaves = false;
  ForEachLevel<QueryLevel>(level, [&](QueryLevel& at, size_t distance, size_t, bool) {
    leaves = at.is_function && distance <= outer_level;
    return leaves;
  });
  return leaves;
}

QueryLevel& LevelAt(QueryLevel& level, size_t outer_level) {
  QueryLevel* const found = FindLevel(level, outer_level);
  SCAUP_CHECK(found != nullptr);
  return *found;
}

std::optional<size_t> FindReusedAlias(const QueryLevel& level, const ast::Column& column) {
  if (level.items == nullptr || column.names.size() != 1) return std::nullopt;
  const std::string& name = column.names[0];
  std::optional<size_t> found;
  size_t count = 0;
  for (size_t i = 0; i < level.visible_items; i++) {
    if ((*level.items)[i].alias != name) continue;
    found = i;
    count++;
  }
  if (!found) return found;
  bool is_column = false;
  ForEachLevel<const QueryLevel>(level, [&](const QueryLevel& at, size_t, size_t, bool sees_columns) {
    is_column =
        sees_columns && at.scope != nullptr && at.scope->FindVisible(name, column.position) != nullptr;
    return is_column;
  });
  if (is_column) return std::nullopt;
  if (count > 1) {
    ThrowError(ErrorKind::kBinder, sqlstate::kAmbiguousColumn,
               fmt::format("alias \"{}\" is ambiguous: {} items of SELECT have it", name, count),
               column.position);
  }
  return found;
}

ExpressionPtr ResolveColumn(const QueryLevel& level, const ast::Column& column) {
  switch (column.names.size()) {
    case 1: return ResolveUnqualified(level, column.names[0], column.position);
    case 2: return ResolveQualified(level, "", column.names[0], column.names[1], column.position);
    case 3:
      return ResolveQualified(level, column.names[0], column.names[1], column.names[2], column.position);
    case 4:
      return ResolveQualified(level, column.names[0] + "." + column.names[1], column.names[2],
                              column.names[3], column.position);
    default:
      ThrowNotSupported(fmt::format("column names of more than four parts are not supported: {}",
                                    fmt::join(column.names, ".")),
                        column.position);
  }
}

std::optional<ScopeTable> FindWholeRow(const QueryLevel& level, const ast::Column& column, bool is_row) {
  std::optional<ScopeTable> row;
  if (column.names.size() != 1) return row;
  const std::string& name = column.names[0];
  bool is_column = false;
  size_t row_distance = 0;
  ForEachLevel<const QueryLevel>(
      level, [&](const QueryLevel& at, size_t distance, size_t, bool sees_columns) {
        if (!sees_columns || at.scope == nullptr) return false;
        is_column = !is_row && at.scope->FindVisible(name, column.position) != nullptr;
        // A column takes precedence, even over a table name that is ambiguous.
        if (is_column) return true;
        const ScopeTable* table = row ? nullptr : at.scope->FindTable("", name, column.position);
        if (table != nullptr) {
          row = ScopeTable{table->schema, table->alias, {}, table->is_value, table->documents};
          row_distance = distance;
          for (const ScopeColumn& each : table->columns)
            row->columns.push_back({each.name, ReferTo(each, distance, column.position)});
        }
        return false;
      });
  if (is_column) row.reset();
  if (row && row->documents)
    row->columns.push_back(
        {name, ReferTo({name, row->documents->ReadDocument()}, row_distance, column.position)});
  return row;
}

size_t CountColumnNames(const QueryLevel& level, const ast::Column& column) {
  const std::vector<std::string>& names = column.names;
  if (names.size() == 1) return 1;
  size_t count = names.size();
  // A key of a document must be resolved as a path. JSON from elsewhere has members.
  const auto has_members = [](const ScopeColumn* found, bool is_key) {
    if (found == nullptr) return false;
    const LogicalType& type = found->value->type();
    return type.id() == TypeId::kStruct || (!is_key && IsJson(type));
  };
  ForEachLevel<const QueryLevel>(level, [&](const QueryLevel& at, size_t, size_t, bool sees_columns) {
    if (!sees_columns || at.scope == nullptr) return false;
    if (const ScopeTable* table = at.scope->FindTable("", names[0], column.position)) {
      const ScopeColumn* found = names.size() > 2 ? FindColumn(*table, names[1], column.position) : nullptr;
      if (has_members(found, table->documents != nullptr)) count = 2;
      return true;
    }
    const bool is_key =
        std::none_of(at.scope->visible().begin(), at.scope->visible().end(),
                     [&](const ScopeColumn& c) { return !c.documents && c.name == names[0]; });
    const bool is_field = has_members(at.scope->FindVisible(names[0], column.position), is_key);
    if (is_field) count = 1;
    return is_field;
  });
  return count;
}

ExpressionPtr ResolvePath(const QueryLevel& level, const ast::Column& column) {
  if (column.names.size() < 2) return nullptr;
  ExpressionPtr found;
  std::string path, without_table;
  for (size_t i = 0; i < column.names.size(); i++) {
    AppendPathKey(column.names[i], path);
    if (i > 0) AppendPathKey(column.names[i], without_table);
  }
  ForEachLevel<const QueryLevel>(
      level, [&](const QueryLevel& at, size_t distance, size_t, bool sees_columns) {
        if (!sees_columns || at.scope == nullptr) return false;
        const ScopeTable* table = at.scope->FindTable("", column.names[0], column.position);
        const ScopeColumn* each = nullptr;
        if (table != nullptr && (table->documents || column.names.size() > 2))
          each = FindColumn(*table, without_table, column.position);
        if (table != nullptr && !table->documents && each == nullptr) return true;
        if (each == nullptr) each = at.scope->FindVisible(path, column.position);
        if (each != nullptr) found = ReferTo(*each, distance, column.position);
        return table != nullptr || found != nullptr;
      });
  return found;
}

/// Returns whether FROM of this level or of an outer one contains a collection.
static bool SeesCollection(const QueryLevel& level) {
  bool sees = false;
  ForEachLevel<const QueryLevel>(level, [&](const QueryLevel& at, size_t, size_t, bool sees_columns) {
    if (!sees_columns || at.scope == nullptr) return false;
    const auto& tables = at.scope->tables();
    sees = std::any_of(tables.begin(), tables.end(),
                       [](const auto& table) { return table.documents != nullptr; });
    return sees;
  });
  return sees;
}

bool IsUnknownKey(const QueryLevel& level, const ast::Column& column, bool may_be_unknown) {
  const std::vector<std::string>& names = column.names;
  const auto takes_any = [&](const std::shared_ptr<DocumentSource>& documents) {
    return documents != nullptr && (may_be_unknown || !documents->HasKeys());
  };
  if (!SeesCollection(level)) return false;
  bool is_unknown = false;
  ForEachLevel<const QueryLevel>(level, [&](const QueryLevel& at, size_t, size_t, bool sees_columns) {
    if (!sees_columns || at.scope == nullptr) return false;
    if (names.size() > 1) {
      // After a table's name, only a column of that table is meant; outer levels are not searched.
      const ScopeTable* table = at.scope->FindTable("", names[0], column.position);
      if (table != nullptr) {
        // c."a.b" is a single name, which may exist.
        const bool is_known = names.size() == 2 && FindColumn(*table, names[1], column.position) != nullptr;
        is_unknown = !is_known && takes_any(table->documents);
        return true;
      }
      table = names.size() == 3 ? at.scope->FindTable(names[0], names[1], column.position) : nullptr;
      if (table != nullptr) {
        is_unknown = FindColumn(*table, names[2], column.position) == nullptr && takes_any(table->documents);
        return true;
      }
    }
    const ScopeColumn* found = at.scope->FindVisible(names[0], column.position);
    bool is_key = false, has_no_keys = false;
    for (const ScopeColumn& each : at.scope->visible()) {
      if (!each.documents) continue;
      is_key = is_key || each.documents->FindColumn(names[0]) == found;
      if (found != nullptr && names.size() == 1) continue;
      is_unknown = is_unknown || takes_any(each.documents);
      has_no_keys = has_no_keys || !each.documents->HasKeys();
    }
    // If all documents are deleted, their keys must not start to mean columns of outer levels.
    if (found == nullptr) return has_no_keys && names.size() == 1;
    is_unknown = is_key && names.size() > 1;
    return true;
  });
  return is_unknown;
}

const ScopeTable& ResolveStar(const QueryLevel& level, const ast::Star& star) {
  const std::vector<std::string>& names = star.qualifier;
  std::string schema = names.size() > 1 ? names[names.size() - 2] : "";
  if (names.size() > 2) schema = names[names.size() - 3] + "." + schema;
  for (const QueryLevel* at = &level; at != nullptr; at = at->outer)
    if (at->scope != nullptr && (at == &level || at->is_trigger))
      if (const auto* table = at->scope->FindTable(schema, names.back(), star.position)) return *table;
  ThrowMissingTable(level, names.back(), star.position);
}

}  // namespace scaup
