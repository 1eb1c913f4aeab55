// Binds SET, SHOW, PRAGMA, DESCRIBE and SUMMARIZE. Answers known to the binder are bound to VALUES.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/query_binder.hpp"
#include "catalog/create_statement.hpp"
#include "common/similar_name.hpp"
#include "common/throw.hpp"
#include "format/text/option_values.hpp"
#include "function/database_listing.hpp"
#include "parser/parser.hpp"
#include "system/table_function_registry.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

using TextRow = std::vector<std::optional<std::string>>;

BoundStatementPtr AnswerWith(BindSession& session, std::vector<std::string> names,
                             const std::vector<TextRow>& rows) {
  auto values = std::make_unique<BoundValues>();
  values->table_index = session.NewTableIndex();
  values->types.assign(names.size(), TypeId::kVarchar);
  values->names = std::move(names);
  for (const TextRow& row : rows) {
    std::vector<ExpressionPtr> bound;
    for (const auto& text : row) {
      bound.push_back(
          std::make_unique<ConstantExpression>(text ? Value::Varchar(*text) : Value(TypeId::kVarchar)));
    }
    values->rows.push_back(std::move(bound));
  }
  return std::make_unique<BoundQueryStatement>(std::move(values));
}

std::string ListSettings() {
  std::string names;
  for (const SettingDefinition& setting : AllSettings())
    names += (names.empty() ? "" : ", ") + std::string(setting.name);
  return names;
}

const SettingDefinition& FindSettingOrThrow(const std::string& name, size_t position) {
  if (const SettingDefinition* setting = FindSetting(name)) return *setting;
  std::vector<std::string> candidates;
  for (const SettingDefinition& setting : AllSettings()) candidates.push_back(setting.name);
  const std::string similar = MostSimilar(name, candidates);
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedObject,
             fmt::format("setting \"{}\" does not exist; {}", name,
                         similar.empty() ? "there are: " + ListSettings()
                                         : fmt::format("did you mean \"{}\"?", similar)),
             position);
}

BoundStatementPtr ShowTables(BindSession& session) {
  const BinderContext& context = session.context();
  std::vector<TextRow> rows;
  for (const auto& schema : context.catalog.Schemas(context.transaction)) {
    std::vector<std::string> names;
    for (const auto& table : context.catalog.List<TableEntry>(context.transaction, *schema))
      names.push_back(table->name);
    for (const auto& view : context.catalog.List<ViewEntry>(context.transaction, *schema)) {
      if (view->materialized.empty()) names.push_back(view->name);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names)
      rows.push_back({schema->name == Catalog::kDefaultSchema ? name : schema->name + "." + name});
  }
  return AnswerWith(session, {"name"}, rows);
}

/// Returns the table of DESCRIBE t, which the parser represents as SELECT * FROM t; null for other queries.
TableEntryRef DescribedTable(BindSession& session, const ast::SelectStatement& query) {
  if (query.items.size() != 1 || query.items[0].expression->kind != ast::ExpressionKind::kStar ||
      query.items[0].expression->As<ast::Star>().of != nullptr || query.from.size() != 1 ||
      query.from[0]->kind != ast::TableRefKind::kTable || !query.with.empty()) {
    return nullptr;
  }
  const auto& table = query.from[0]->As<ast::NamedTable>();
  const BindSession::NamePlace place = session.PlaceOf(table);
  const DatabaseScope scope(session, place.database);
  const BinderContext& context = session.context();
  TableEntryRef found = context.catalog.Find<TableEntry>(context.transaction, place.schema, table.name);
  // The paths of collections are listed for the session's database.
  return found && found->is_collection() && context.elsewhere != nullptr ? nullptr : found;
}

/// DESCRIBE of a collection also shows how many documents have a path, and where its values are stored.
BoundStatementPtr DescribeCollection(BindSession& session, const TableEntry& collection,
                                     const BoundQuery& query) {
  const FunctionContext& functions = session.context().functions;
  std::map<std::string, AttributeListing> paths;
  for (const AttributeListing& attribute :
       functions.listing.Attributes(functions, collection.schema, collection.name).attributes) {
    AttributeListing& path = paths[attribute.path];
    path.count += attribute.count;
    path.path_count = attribute.path_count;
    path.physical_count += attribute.physical_count;
  }
  std::vector<TextRow> rows;
  for (size_t i = 0; i < query.names.size(); i++) {
    const AttributeListing& path = paths[query.names[i]];
    rows.push_back({query.names[i], query.types[i].ToString(), "YES", std::nullopt,
                    std::to_string(path.path_count),
                    path.count == 0 ? std::nullopt : std::optional(path.place())});
  }
  return AnswerWith(session, {"column_name", "column_type", "null", "default", "count", "place"}, rows);
}

/// PRAGMA name calls the table function with this prefix in front of the name.
constexpr const char* kPragmaPrefix = "pragma_";

[[noreturn]] void ThrowUnknownPragma(const ast::PragmaStatement& statement) {
  std::vector<std::string> pragmas, candidates;
  for (const TableFunction& function : TableFunctionRegistry::Builtin().All()) {
    if (function.name.starts_with(kPragmaPrefix))
      pragmas.push_back(function.name.substr(std::string_view(kPragmaPrefix).size()));
  }
  candidates = pragmas;
  for (const SettingDefinition& setting : AllSettings()) candidates.push_back(setting.name);
  const std::string similar = MostSimilar(statement.name, candidates);
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedObject,
             similar.empty()
                 ? fmt::format("pragma \"{}\" does not exist; there are {}, and the settings: {}",
                               statement.name, fmt::join(pragmas, ", "), ListSettings())
                 : fmt::format("pragma \"{}\" does not exist; did you mean \"{}\"?", statement.name, similar),
             statement.position);
}

/// Binds PRAGMA name('argument') as SELECT * FROM pragma_name('argument').
BoundStatementPtr BindPragmaFunction(BindSession& session, const ast::PragmaStatement& statement) {
  auto call = std::make_unique<ast::FunctionCall>();
  call->position = statement.position;
  call->name = {kPragmaPrefix + statement.name};
  for (const std::string& argument : statement.arguments) {
    auto literal = std::make_unique<ast::Literal>();
    literal->position = statement.position;
    literal->literal = ast::Literal::Kind::kString;
    literal->text = argument;
    call->arguments.push_back(std::move(literal));
  }
  auto table = std::make_unique<ast::FunctionTable>();
  table->position = statement.position;
  table->call = std::move(call);
  ast::SelectStatement query;
  query.position = statement.position;
  query.items.push_back({std::make_unique<ast::Star>(), ""});
  query.from.push_back(std::move(table));
  return std::make_unique<BoundQueryStatement>(BindQuery(session, query, nullptr));
}

// --- SUMMARIZE

std::unique_ptr<ast::SelectStatement> ParseQuery(const std::string& sql, size_t position) {
  std::vector<ast::StatementPtr> statements = Parser().Parse(sql);
  if (statements.size() != 1 || statements[0]->kind != ast::StatementKind::kSelect ||
      statements[0]->parameter_count > 0) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               "SUMMARIZE takes a table or one query without parameters", position);
  }
  return std::unique_ptr<ast::SelectStatement>(static_cast<ast::SelectStatement*>(statements[0].release()));
}

/// A statistic of SUMMARIZE: an expression over column {0}, for all columns or only for numbers.
struct Statistic {
  const char* name;
  const char* expression;
  bool is_of_numbers;
};
constexpr Statistic kStatistics[] = {
    {"min", "CAST(min({0}) AS VARCHAR)", false},
    {"max", "CAST(max({0}) AS VARCHAR)", false},
    {"approx_unique", "approx_count_distinct({0})", false},
    {"avg", "CAST(avg({0}) AS VARCHAR)", true},
    {"std", "CAST(stddev({0}) AS VARCHAR)", true},
    {"q25", "CAST(approx_quantile({0}, 0.25) AS VARCHAR)", true},
    {"q50", "CAST(approx_quantile({0}, 0.5) AS VARCHAR)", true},
    {"q75", "CAST(approx_quantile({0}, 0.75) AS VARCHAR)", true},
    {"count", "count(*)", false},
    {"null_percentage",
     "CAST(CASE count(*) WHEN 0 THEN 0 ELSE 100.0 * (count(*) - count({0})) / count(*) END AS DECIMAL(5, 2))",
     false},
};

/// Returns the SQL of SUMMARIZE. One pass over the rows computes a single row with one list per statistic,
/// which has one element per column. Parallel unnest() calls then turn the elements into rows.
std::string SummaryOf(const std::string& query, const BoundQuery& bound) {
  std::string names, types, lists, aliases;
  const char* separator = "";
  for (size_t i = 0; i < bound.names.size(); i++) {
    aliases += fmt::format("{}c{}", separator, i);
    names += separator + QuotedText(bound.names[i]);
    types += separator + QuotedText(bound.types[i].ToString());
    separator = ", ";
  }
  for (const Statistic& statistic : kStatistics) {
    lists += ", unnest(ARRAY[";
    for (size_t i = 0; i < bound.names.size(); i++) {
      const bool applies = !statistic.is_of_numbers || bound.types[i].IsNumeric();
      if (i != 0) lists += ", ";
      lists += applies ? fmt::format(fmt::runtime(statistic.expression), fmt::format("c{}", i))
                       : "CAST(NULL AS VARCHAR)";
    }
    lists += fmt::format("]) AS {}", statistic.name);
  }
  return fmt::format(
      "SELECT unnest(ARRAY[{}]) AS column_name, unnest(ARRAY[{}]) AS column_type{} FROM ({}) AS q({})", names,
      types, lists, query, aliases);
}

BoundStatementPtr BindSummarize(BindSession& session, const ast::PragmaStatement& statement) {
  if (statement.arguments.size() != 1) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError, "PRAGMA summarize takes one query as text",
               statement.position);
  }
  const std::string& text = statement.arguments[0];
  std::string sql;
  try {
    const BoundQueryPtr query = BindQuery(session, *ParseQuery(text, statement.position), nullptr);
    sql = SummaryOf(text, *query);
  } catch (const Error& error) {
    // Positions in the inner text mean nothing in the statement's text.
    ThrowError(error.kind(), error.sqlstate(), error.what(), statement.position);
  }
  return std::make_unique<BoundQueryStatement>(
      BindQuery(session, *ParseQuery(sql, statement.position), nullptr));
}

}  // namespace

BoundStatementPtr BindSet(BindSession&, const ast::SetStatement& statement) {
  auto set = std::make_unique<BoundSet>();
  // RESET ALL; no setting can have this name, which is a reserved word.
  set->name =
      statement.name == "all" ? statement.name : FindSettingOrThrow(statement.name, statement.position).name;
  set->value = statement.value;
  set->is_local = statement.is_local;
  return set;
}

BoundStatementPtr BindSetVariable(BindSession& session, const ast::SetVariableStatement& statement) {
  auto set = std::make_unique<BoundSetVariable>();
  set->name = LowerCase(statement.name);
  if (!statement.query) return set;
  const BinderContext& context = session.context();
  if (statement.parameter_count != 0)
    ThrowNotSupported("SET VARIABLE cannot use parameters", statement.position);
  SCAUP_CHECK(context.rows_of != nullptr);
  // The value is computed here, as its type is a part of the statements that will use it.
  BoundQueryPtr query = BindQuery(session, *statement.query, nullptr);
  const std::vector<std::vector<Value>> rows = context.rows_of(std::move(query));
  SCAUP_CHECK(rows.size() == 1 && rows[0].size() == 1);
  set->value = rows[0][0];
  return set;
}

BoundStatementPtr BindShow(BindSession& session, const ast::ShowStatement& statement) {
  if (statement.name == "tables") return ShowTables(session);
  if (statement.name == "databases") {
    std::vector<TextRow> rows;
    for (const std::string& name : session.context().functions.listing.Databases()) rows.push_back({name});
    return AnswerWith(session, {"database_name"}, rows);
  }
  const Settings& settings = session.context().settings;
  if (statement.name == "all") {
    std::vector<TextRow> rows;
    for (const SettingDefinition& setting : AllSettings())
      rows.push_back({setting.name, setting.get(settings), setting.description});
    return AnswerWith(session, {"name", "setting", "description"}, rows);
  }
  const SettingDefinition& setting = FindSettingOrThrow(statement.name, statement.position);
  return AnswerWith(session, {setting.name}, {{setting.get(settings)}});
}

BoundStatementPtr BindDescribe(BindSession& session, const ast::DescribeStatement& statement) {
  const BoundQueryPtr query = BindQuery(session, *statement.query, nullptr);
  const TableEntryRef table = DescribedTable(session, *statement.query);
  if (table && table->is_collection()) return DescribeCollection(session, *table, *query);
  std::vector<TextRow> rows;
  const std::vector<size_t> visible = table ? table->VisibleColumns() : std::vector<size_t>();
  for (size_t i = 0; i < query->names.size(); i++) {
    const ColumnDefinition* column = table ? &table->columns[visible[i]] : nullptr;
    std::optional<std::string> default_text;
    if (column != nullptr && !column->default_text.empty()) default_text = column->default_text;
    rows.push_back({query->names[i], query->types[i].ToString(),
                    column != nullptr && column->not_null ? "NO" : "YES", default_text});
  }
  return AnswerWith(session, {"column_name", "column_type", "null", "default"}, rows);
}

BoundStatementPtr BindPragma(BindSession& session, const ast::PragmaStatement& statement) {
  if (statement.name == "summarize") return BindSummarize(session, statement);
  if (FindSetting(statement.name) == nullptr) {
    if (TableFunctionRegistry::Builtin().Find(kPragmaPrefix + statement.name) == nullptr) {
      ThrowUnknownPragma(statement);
    }
    return BindPragmaFunction(session, statement);
  }
  if (statement.arguments.size() > 1) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("setting \"{}\" takes one value", statement.name), statement.position);
  }
  if (statement.arguments.empty()) {
    ast::ShowStatement show;
    show.name = statement.name;
    return BindShow(session, show);
  }
  auto set = std::make_unique<BoundSet>();
  set->name = statement.name;
  set->value = statement.arguments[0];
  return set;
}

}  // namespace scaup
