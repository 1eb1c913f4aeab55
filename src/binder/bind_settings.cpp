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
  if (FindSetting(statement.name) == nullptr || statement.arguments.size() > 1) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kUndefinedObject,
        fmt::format("pragma \"{}\" does not exist; the settings that PRAGMA name = value changes are: {}",
                    statement.name, ListSettings()),
        statement.position);
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
