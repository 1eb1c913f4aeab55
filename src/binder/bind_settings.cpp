// SET, SHOW, PRAGMA and DESCRIBE: answers that the binder knows already are bound to VALUES.
#include <fmt/format.h>

#include "binder/bind_statement.hpp"
#include "binder/query_binder.hpp"
#include "common/throw.hpp"

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
    for (const auto& table : context.catalog.Tables(context.transaction, *schema)) {
      rows.push_back(
          {schema->name == Catalog::kDefaultSchema ? table->name : schema->name + "." + table->name});
    }
  }
  return AnswerWith(session, {"name"}, rows);
}

/// The table behind DESCRIBE t, which is written SELECT * FROM t; null for other queries.
TableEntryRef DescribedTable(BindSession& session, const ast::SelectStatement& query) {
  if (query.items.size() != 1 || query.items[0].expression->kind != ast::ExpressionKind::kStar ||
      query.from.size() != 1 || query.from[0]->kind != ast::TableRefKind::kTable || !query.with.empty()) {
    return nullptr;
  }
  const auto& table = query.from[0]->As<ast::NamedTable>();
  const BinderContext& context = session.context();
  return context.catalog.FindTable(context.transaction, table.schema, table.name);
}

/// A table function of this prefix can be called by PRAGMA, without the prefix.
constexpr const char* kPragmaPrefix = "pragma_";

[[noreturn]] void ThrowUnknownPragma(const FunctionRegistry& registry,
                                     const ast::PragmaStatement& statement) {
  std::vector<std::string> pragmas, candidates;
  for (const TableFunction* function : registry.AllTable()) {
    if (function->name.starts_with(kPragmaPrefix))
      pragmas.push_back(function->name.substr(std::string_view(kPragmaPrefix).size()));
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

/// PRAGMA name('argument') is SELECT * FROM pragma_name('argument').
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

}  // namespace

BoundStatementPtr BindSet(BindSession&, const ast::SetStatement& statement) {
  auto set = std::make_unique<BoundSet>();
  set->name = FindSettingOrThrow(statement.name, statement.position).name;
  set->value = statement.value;
  return set;
}

BoundStatementPtr BindShow(BindSession& session, const ast::ShowStatement& statement) {
  if (statement.name == "tables") return ShowTables(session);
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
  std::vector<TextRow> rows;
  for (size_t i = 0; i < query->names.size(); i++) {
    std::optional<std::string> default_text;
    if (table && !table->columns[i].default_text.empty()) default_text = table->columns[i].default_text;
    rows.push_back({query->names[i], query->types[i].ToString(),
                    table && table->columns[i].not_null ? "NO" : "YES", default_text});
  }
  return AnswerWith(session, {"column_name", "column_type", "null", "default"}, rows);
}

BoundStatementPtr BindPragma(BindSession& session, const ast::PragmaStatement& statement) {
  const FunctionRegistry& registry = session.context().registry;
  if (FindSetting(statement.name) == nullptr) {
    if (registry.FindTableFunction(kPragmaPrefix + statement.name) == nullptr) {
      ThrowUnknownPragma(registry, statement);
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
