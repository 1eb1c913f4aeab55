// INSERT and COPY.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/bind_statement.hpp"
#include "binder/coercion.hpp"
#include "binder/query_binder.hpp"
#include "binder/written_row.hpp"
#include "common/throw.hpp"
#include "function/table/csv/read_csv.hpp"

namespace scaup {

namespace {

std::vector<std::string> NamesOf(const TableEntry& table, const std::vector<size_t>& columns) {
  std::vector<std::string> names;
  for (const size_t column : columns) names.push_back(table.columns[column].name);
  return names;
}

std::vector<LogicalType> TypesOf(const TableEntry& table, const std::vector<size_t>& columns) {
  std::vector<LogicalType> types;
  for (const size_t column : columns) types.push_back(table.columns[column].type);
  return types;
}

/// Completes an INSERT: source column i goes to table column columns[i], the others get their defaults.
void FillValues(BindSession& session, BoundInsert& insert, const std::vector<size_t>& columns,
                size_t table_index, const std::vector<LogicalType>& source_types,
                const std::vector<std::string>& source_names, size_t position) {
  insert.values.resize(insert.table->columns.size());
  for (size_t i = 0; i < columns.size(); i++) {
    auto source = std::make_unique<ColumnRefExpression>(source_types[i], ColumnBinding{table_index, i},
                                                        source_names[i]);
    source->position = position;
    const ColumnDefinition& column = insert.table->columns[columns[i]];
    insert.values[columns[i]] = CoerceForAssignment(session, std::move(source), column.type, column.name);
  }
  for (size_t i = 0; i < insert.values.size(); i++) {
    if (!insert.values[i] || IsGenerated(insert.table->columns[i]))
      insert.values[i] = BindColumnDefault(session, insert.table->columns[i]);
    insert.values[i]->alias = insert.table->columns[i].name;
  }
}

/// With generated columns, the other values become a query of their own, so that each is evaluated once:
/// generated ones are over that.
void AddGenerated(BindSession& session, BoundInsert& insert) {
  const auto& columns = insert.table->columns;
  if (std::none_of(columns.begin(), columns.end(), IsGenerated)) return;
  auto inner = std::make_unique<BoundSelect>();
  inner->from = std::move(insert.source);
  inner->table_index = inner->item_index = session.NewTableIndex();
  const size_t inner_index = inner->table_index;
  for (size_t i = 0; i < columns.size(); i++) {
    inner->names.push_back(columns[i].name);
    inner->types.push_back(columns[i].type);
  }
  inner->items = std::move(insert.values);
  insert.values.clear();
  for (size_t i = 0; i < columns.size(); i++) {
    insert.values.push_back(std::make_unique<ColumnRefExpression>(
        columns[i].type, ColumnBinding{inner_index, i}, columns[i].name));
    insert.values.back()->alias = columns[i].name;
  }
  FillGenerated(session.context(), *insert.table, insert.values);
  insert.source = std::make_unique<BoundQueryTable>(std::move(inner));
}

/// Plain VALUES: rows without WITH, ORDER BY or LIMIT around them.
bool IsPlainValues(const ast::SelectStatement& query) {
  return !query.values.empty() && query.with.empty() && query.order_by.empty() && !query.limit &&
         !query.offset;
}

/// Refuses values for columns that make their own; DEFAULT in VALUES may stand there. With OVERRIDING USER
/// VALUE those of identity columns are forgotten: their positions are returned.
std::vector<bool> CheckGenerated(const ast::InsertStatement& statement, const TableEntry& table,
                                 const std::vector<size_t>& columns) {
  std::vector<bool> is_forgotten(columns.size());
  for (size_t i = 0; i < columns.size(); i++) {
    const ColumnDefinition& column = table.columns[columns[i]];
    if (statement.overriding == ast::Overriding::kUser && column.identity != IdentityKind::kNone) {
      is_forgotten[i] = true;
      continue;
    }
    const bool is_identity =
        column.identity == IdentityKind::kAlways && statement.overriding != ast::Overriding::kSystem;
    if (!IsGenerated(column) && !is_identity) continue;
    const size_t position =
        i < statement.column_positions.size() ? statement.column_positions[i] : statement.query->position;
    if (!IsPlainValues(*statement.query)) ThrowGeneratedColumn(column, "inserted", position);
    for (const auto& row : statement.query->values) {
      if (!IsDefaultMarker(*row[i])) ThrowGeneratedColumn(column, "inserted", row[i]->position);
    }
  }
  return is_forgotten;
}

void CheckCount(size_t given, size_t wanted, bool has_list, size_t position) {
  if (given == wanted || (given < wanted && !has_list)) return;
  ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
             given > wanted
                 ? fmt::format("INSERT has more expressions than target columns ({} for {})", given, wanted)
                 : fmt::format("INSERT has more target columns than expressions ({} for {})", wanted, given),
             position);
}

BoundQueryPtr BindSource(BindSession& session, const ast::InsertStatement& statement, const TableEntry& table,
                         std::vector<size_t>& columns) {
  const ast::SelectStatement& query = *statement.query;
  const bool has_list = !statement.columns.empty();
  if (!IsPlainValues(query)) {
    BoundQueryPtr bound = BindQuery(session, query, session.around, Untyped::kKeep);
    CheckCount(bound->types.size(), columns.size(), has_list, query.position);
    columns.resize(bound->types.size());
    for (size_t i = 0; i < columns.size(); i++) {
      if (bound->types[i].id() == TypeId::kNull)
        TypeOutput(session, *bound, i, table.columns[columns[i]].type);
    }
    return bound;
  }
  const auto& first = query.values[0];
  CheckCount(first.size(), columns.size(), has_list, first.empty() ? query.position : first[0]->position);
  columns.resize(first.size());
  std::vector<ExpressionPtr> defaults(columns.size());  // Bound once, copied into the rows.
  return BindInsertValues(session, query, TypesOf(table, columns), NamesOf(table, columns), [&](size_t i) {
    if (!defaults[i]) defaults[i] = BindColumnDefault(session, table.columns[columns[i]]);
    return defaults[i]->Clone();
  });
}

/// The columns of COPY: without a list, those that are not generated.
std::vector<size_t> CopiedColumns(const TableEntry& table, const ast::CopyStatement& statement) {
  std::vector<size_t> columns = ResolveTableColumns(table, statement.columns, {}, statement.position);
  if (statement.columns.empty()) {
    std::erase_if(columns, [&](size_t column) { return IsGenerated(table.columns[column]); });
    return columns;
  }
  for (const size_t column : columns) {
    if (!IsGenerated(table.columns[column])) continue;
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
               fmt::format("column \"{}\" is a generated column; generated columns cannot be used in COPY",
                           table.columns[column].name),
               statement.position);
  }
  return columns;
}

BoundStatementPtr BindCopyFrom(BindSession& session, const ast::CopyStatement& statement,
                               const CsvOptions& given) {
  auto insert = std::make_unique<BoundInsert>();
  insert->table = FindWrittenTable(session, statement.table);
  const auto columns = CopiedColumns(*insert->table, statement);
  CsvOptions options = given;
  options.names = NamesOf(*insert->table, columns);
  options.types = TypesOf(*insert->table, columns);
  options.columns_are_exact = true;
  std::shared_ptr<const BoundTableFunction> bound =
      BindCsv(session.context().functions, statement.path, options);
  SCAUP_CHECK(bound->column_types.size() == columns.size());
  const size_t table_index = session.NewTableIndex();
  FillValues(session, *insert, columns, table_index, bound->column_types, options.names, statement.position);
  insert->source = std::make_unique<BoundTableFunctionCall>(table_index, MakeReadCsv(),
                                                            TableFunctionArguments(), std::move(bound));
  AddGenerated(session, *insert);
  insert->row_index = session.NewTableIndex();
  insert->checks = BindChecks(session.context(), *insert->table, insert->row_index);
  return insert;
}

/// COPY t (a, b) TO: SELECT a, b FROM t, as a bound query.
BoundQueryPtr SelectColumns(BindSession& session, const ast::CopyStatement& statement) {
  TableEntryRef table = FindTableOrThrow(session, statement.table);
  const auto columns = CopiedColumns(*table, statement);
  auto select = std::make_unique<BoundSelect>();
  const size_t source_index = session.NewTableIndex();
  select->table_index = select->item_index = session.NewTableIndex();
  select->names = NamesOf(*table, columns);
  select->types = TypesOf(*table, columns);
  for (size_t i = 0; i < columns.size(); i++) {
    select->items.push_back(std::make_unique<ColumnRefExpression>(
        select->types[i], ColumnBinding{source_index, columns[i]}, select->names[i]));
    select->items.back()->alias = select->names[i];
  }
  select->from = std::make_unique<BoundBaseTable>(source_index, std::move(table));
  return select;
}

BoundStatementPtr BindCopyTo(BindSession& session, const ast::CopyStatement& statement) {
  auto copy = std::make_unique<BoundCopyTo>();
  copy->path = statement.path;
  for (const auto& option : statement.options)
    copy->options.emplace_back(option.name, option.has_value ? option.value : "true");
  copy->query =
      statement.query ? BindQuery(session, *statement.query, nullptr) : SelectColumns(session, statement);
  return copy;
}

}  // namespace

std::vector<size_t> ResolveTableColumns(const TableEntry& table, const std::vector<std::string>& names,
                                        const std::vector<size_t>& positions, size_t statement_position) {
  std::vector<size_t> columns;
  if (names.empty()) {
    for (size_t i = 0; i < table.columns.size(); i++) columns.push_back(i);
    return columns;
  }
  std::vector<bool> is_used(table.columns.size());
  for (size_t i = 0; i < names.size(); i++) {
    const size_t position = i < positions.size() ? positions[i] : statement_position;
    const auto column = table.FindColumn(names[i]);
    if (!column) {
      std::vector<std::string> candidates;
      for (const auto& candidate : table.columns) candidates.push_back(candidate.name);
      const std::string similar = MostSimilar(names[i], candidates);
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                 fmt::format("column \"{}\" of table \"{}\" does not exist{}", names[i], table.name,
                             similar.empty() ? "" : fmt::format("; did you mean \"{}\"?", similar)),
                 position);
    }
    if (is_used[*column]) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                 fmt::format("column \"{}\" specified more than once", names[i]), position);
    }
    is_used[*column] = true;
    columns.push_back(*column);
  }
  return columns;
}

namespace {

/// What is bound over the written rows.
void BindWrittenRows(BindSession& session, const ast::InsertStatement& statement, BoundInsert& insert) {
  const TableEntry& table = *insert.table;
  insert.row_index = session.NewTableIndex();
  insert.checks = BindChecks(session.context(), table, insert.row_index);
  if (statement.on_conflict)
    insert.on_conflict =
        BindOnConflict(session, *statement.on_conflict, statement.table, table, insert.row_index);
  if (statement.returning.empty()) return;
  const ast::NamedTable& name = statement.table;
  const Scope scope =
      ScopeOfColumns(name.alias.empty() ? table.schema : "", name.alias.empty() ? table.name : name.alias,
                     table.columns, insert.row_index);
  QueryLevel level;
  level.outer = session.around;
  level.scope = &scope;
  insert.returning = BindReturning(session, level, statement.returning);
}

}  // namespace

BoundStatementPtr BindInsert(BindSession& session, const ast::InsertStatement& statement) {
  auto insert = std::make_unique<BoundInsert>();
  QueryLevel level;  // Of WITH, around everything else.
  level.outer = session.around;
  BeginWith(statement.with.queries, statement.with.recursive, level);
  QueryLevel* const around = std::exchange(session.around, &level);
  insert->table = FindWrittenTable(session, statement.table);
  std::vector<size_t> columns =
      ResolveTableColumns(*insert->table, statement.columns, statement.column_positions, statement.position);
  if (!statement.query) {
    FillValues(session, *insert, {}, 0, {}, {}, statement.position);
  } else {
    BoundQueryPtr source = BindSource(session, statement, *insert->table, columns);
    const std::vector<bool> is_forgotten = CheckGenerated(statement, *insert->table, columns);
    FillValues(session, *insert, columns, source->table_index, source->types, source->names,
               statement.query->position);
    for (size_t i = 0; i < columns.size(); i++) {
      const ColumnDefinition& column = insert->table->columns[columns[i]];
      if (is_forgotten[i]) insert->values[columns[i]] = BindColumnDefault(session, column);
    }
    insert->source = std::make_unique<BoundQueryTable>(std::move(source));
  }
  AddGenerated(session, *insert);
  BindWrittenRows(session, statement, *insert);
  insert->ctes = FinishWith(session, level);
  session.around = around;
  return insert;
}

BoundStatementPtr BindCopy(BindSession& session, const ast::CopyStatement& statement) {
  std::vector<std::pair<std::string, Value>> options;
  size_t position = statement.position;
  for (const auto& option : statement.options) {
    options.emplace_back(option.name,
                         option.has_value ? Value::Varchar(option.value) : Value(TypeId::kVarchar));
    if (option.position != 0) position = option.position;
  }
  try {
    const CsvOptions parsed =
        ParseCsvOptions(options, statement.is_from ? CsvUse::kCopyFrom : CsvUse::kCopyTo);
    return statement.is_from ? BindCopyFrom(session, statement, parsed) : BindCopyTo(session, statement);
  } catch (Error& error) {
    error.SetPositionIfUnknown(options.size() == 1 ? position : statement.position);
    throw;
  }
}

}  // namespace scaup
