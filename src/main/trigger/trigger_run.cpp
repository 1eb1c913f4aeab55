// Fires the AFTER triggers of a statement.
#include "main/trigger/trigger_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "binder/write/before_triggers.hpp"
#include "catalog/function_changes.hpp"
#include "common/throw.hpp"
#include "main/trigger/transition_rows.hpp"
#include "parser/parser.hpp"
#include "parser/pg_query/pg_query_bridge.hpp"
#include "planner/statement/insert.hpp"

namespace scaup {

namespace {

/// Fewer rows are run one by one, whose plans are kept from statement to statement.
constexpr size_t kFewRows = 8;

/// Calls `run`, and names the trigger in its errors. One of a trigger that fires another one names the inner.
template <typename Run>
auto NamingTrigger(const TriggerNames& names, const Run& run) {
  try {
    return run();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInterrupted || error.kind() == ErrorKind::kInternal ||
        error.message().starts_with("in trigger "))
      throw;
    // The position is one in another text than that of the statement.
    throw Error(error.kind(), error.sqlstate(),
                fmt::format("in trigger \"{}\" of table \"{}\": {}", names.trigger.name, names.table->name,
                            error.message()));
  }
}

/// Makes SELECT of VALUES with one row that has a star, as VALUES (NEW.*).
void SelectStarValues(ast::Statement& statement) {
  if (statement.kind != ast::StatementKind::kInsert) return;
  ast::SelectStatement* const query = statement.As<ast::InsertStatement>().query.get();
  if (query == nullptr || query->values.size() != 1) return;
  auto& row = query->values[0];
  if (std::none_of(row.begin(), row.end(),
                   [](const ast::ExpressionPtr& value) { return value->kind == ast::ExpressionKind::kStar; }))
    return;
  for (ast::ExpressionPtr& value : row) {
    ast::SelectItem& item = query->items.emplace_back();
    item.expression = std::move(value);
  }
  query->values.clear();
}

ast::StatementPtr ParseStatement(const std::string& sql) {
  ast::StatementPtr statement = std::move(Parser().Parse(sql).at(0));
  SelectStarValues(*statement);
  return statement;
}

/// Cuts the body of a function into its statements. Parsing would do it, too, but takes long for each time
/// that a trigger fires.
std::vector<std::string> StatementsOf(const std::string& body) {
  std::vector<std::string> statements;
  size_t begin = 0, end = 0;
  bool is_empty = true;
  for (const Token& token : ScanTokens(body).tokens) {
    if (!token.Is(';')) {
      if (std::exchange(is_empty, false)) begin = token.start;
      end = token.end;
      continue;
    }
    if (!std::exchange(is_empty, true)) statements.push_back(body.substr(begin, end - begin));
  }
  if (!is_empty) statements.push_back(body.substr(begin, end - begin));
  return statements;
}

std::vector<Value> ChangedRow(const DataChunk& rows, size_t row) {
  std::vector<Value> values;
  values.reserve(rows.column_count());
  for (size_t i = 0; i < rows.column_count(); i++) values.push_back(rows.column(i).GetValue(row));
  return values;
}

bool IsTrue(const Value& value) { return !value.is_null() && value.GetBoolean(); }

}  // namespace

void TriggerRun::Run(const std::vector<std::unique_ptr<RowChanges::Target>>& targets) {
  for (const auto& target : targets) RunForRows(*target);
  for (const auto& target : targets) RunForStatement(*target, TriggerTiming::kAfter);
}

void TriggerRun::RunBefore(const std::vector<std::unique_ptr<RowChanges::Target>>& targets) {
  for (const auto& target : targets) RunForStatement(*target, TriggerTiming::kBefore);
}

void TriggerRun::RunForRows(const RowChanges::Target& target) {
  if (!target.rows || target.rows->row_count() == 0) return;
  std::vector<Firing> firings = FiringsOf(target, TriggerTiming::kAfter, true);
  if (!firings.empty() && !RunOverRows(target, firings)) RunRowByRow(target, firings);
}

void TriggerRun::RunForStatement(const RowChanges::Target& target, TriggerTiming timing) {
  for (const Firing& firing : FiringsOf(target, timing, false)) {
    NamingTrigger(firing.names, [&] {
      if (firing.condition != nullptr && !Holds(firing, {})) return;
      for (InnerText* statement : firing.statements) host_.RunText(CallOf(firing), *statement, {});
    });
  }
}

std::vector<TriggerRun::Firing> TriggerRun::FiringsOf(const RowChanges::Target& target, TriggerTiming timing,
                                                      bool is_for_each_row) const {
  std::vector<Firing> firings;
  for (const TriggerDefinition& trigger : target.table->constraints.triggers) {
    if (trigger.timing == timing && trigger.is_for_each_row == is_for_each_row &&
        trigger.FiresFor(target.event, *target.table, target.columns))
      firings.push_back(MakeFiring(target, trigger));
  }
  return firings;
}

TriggerRun::Firing TriggerRun::MakeFiring(const RowChanges::Target& target,
                                          const TriggerDefinition& trigger) const {
  Firing firing{{target.table, trigger, target.event, TransitionsOf(target, trigger)}, nullptr, {}, {}};
  NamingTrigger(firing.names, [&] {
    const TriggerHost::Call call = CallOf(firing);
    const std::string key = FunctionKey(FunctionEntry(trigger.function_schema, trigger.function));
    const FunctionEntryRef function =
        FindFunction(*call.database.catalog, *call.database.transaction, trigger.function_schema, key);
    if (!function) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedFunction,
                 fmt::format("function {}() does not exist", trigger.function));
    }
    const auto text_of = [&](const std::string& sql) {
      const std::string text_key =
          fmt::format("{}\n{}\n{}\n{}\n{}\n{}", call.database.name, target.table->schema, target.table->name,
                      trigger.name, target.event, sql);
      return &host_.TriggerText(call, text_key, [&] { return ParseStatement(sql); });
    };
    if (!trigger.condition.empty()) firing.condition = text_of(fmt::format("SELECT ({})", trigger.condition));
    for (const std::string& sql : StatementsOf(WithArgumentsFromOne(function->body)))
      firing.statements.push_back(text_of(sql));
  });
  return firing;
}

bool TriggerRun::RunOverRows(const RowChanges::Target& target, const std::vector<Firing>& firings) const {
  if (target.rows->row_count() < kFewRows) return false;
  std::vector<std::pair<const Firing*, LogicalPlan>> plans;
  std::vector<const Table*> written;
  for (const Firing& firing : firings) {
    if (!firing.names.transitions.empty()) return false;
    const bool fits = NamingTrigger(firing.names, [&] {
      const TriggerHost::Call call = CallOf(firing);
      ExpressionPtr condition;
      if (firing.condition != nullptr) {
        const LogicalPlan* plan = host_.TriggerPlan(call, *firing.condition);
        const Expression* only = plan != nullptr ? OnlyExpression(*plan) : nullptr;
        if (only == nullptr) return false;
        condition = only->Clone();
      }
      for (InnerText* statement : firing.statements) {
        const LogicalPlan* plan = host_.TriggerPlan(call, *statement);
        std::optional<LogicalPlan> over =
            plan != nullptr ? PlanOverRows(*plan, target, condition.get()) : std::nullopt;
        if (!over) return false;
        if (over->root->kind() == LogicalKind::kInsert)
          written.push_back(over->root->As<LogicalInsert>().table->storage.get());
        plans.emplace_back(&firing, std::move(*over));
      }
      return true;
    });
    if (!fits) return false;
  }
  // Rows that several statements insert into one table take turns.
  std::ranges::sort(written);
  if (std::ranges::adjacent_find(written) != written.end()) return false;
  for (auto& [firing, plan] : plans)
    NamingTrigger(firing->names, [&] { host_.RunPlan(CallOf(*firing), std::move(plan)); });
  return true;
}

void TriggerRun::FindWhereHolds(const RowChanges::Target& target, Firing& firing) const {
  if (firing.condition == nullptr || target.rows->row_count() < kFewRows) return;
  const TriggerHost::Call call = CallOf(firing);
  const LogicalPlan* plan = host_.TriggerPlan(call, *firing.condition);
  std::optional<LogicalPlan> over = plan != nullptr ? PlanOverRows(*plan, target, nullptr) : std::nullopt;
  if (!over) return;
  const auto result = host_.RunPlan(call, std::move(*over));
  for (size_t row = 0; row < result->rows.row_count; row++)
    firing.holds.push_back(IsTrue(ValueOf(result->rows.columns[0], row)));
}

bool TriggerRun::Holds(const Firing& firing, std::span<const Value> row) const {
  const auto result = host_.RunText(CallOf(firing), *firing.condition, row);
  return result->rows.row_count == 1 && IsTrue(ValueOf(result->rows.columns[0], 0));
}

void TriggerRun::RunRowByRow(const RowChanges::Target& target, std::vector<Firing>& firings) const {
  for (Firing& firing : firings) NamingTrigger(firing.names, [&] { FindWhereHolds(target, firing); });
  DataChunk rows(target.rows->types());
  size_t number = 0;
  for (size_t piece = 0; piece < target.rows->piece_count(); piece++) {
    target.rows->Read(piece, rows);
    for (size_t i = 0; i < rows.size(); i++, number++) {
      std::vector<Value> row;  // made only if a trigger wants it
      for (const Firing& firing : firings) {
        if (!firing.holds.empty() && !firing.holds[number]) continue;
        if (row.empty()) row = ChangedRow(rows, i);
        NamingTrigger(firing.names, [&] {
          if (firing.condition != nullptr && firing.holds.empty() && !Holds(firing, row)) return;
          for (InnerText* statement : firing.statements) host_.RunText(CallOf(firing), *statement, row);
        });
      }
    }
  }
}

}  // namespace scaup
