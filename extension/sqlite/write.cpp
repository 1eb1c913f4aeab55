// Plans and executes statements that write.
#include "write.hpp"

#include <utility>

namespace scaup::sqlite {

void Write::Prepare() {
  if (db_.is_read_only) return;  // Execute says so.
  // Without values, so that what is wrong whatever they are is found now.
  TryDynamicUses(use_, [&](bool& has_dynamic) {
    const WritePlan plan = Translate(nullptr, use_);
    has_dynamic = plan.has_dynamic;
    statement_.columns = MakeColumns(plan.returned, std::vector<ResultColumn>(plan.returned.size()));
    try {
      db_.transaction.Run(Transaction::Mode::kRead,
                          [&] { EngineStatement(db_, plan.statements.back(), plan.exact_parameters); });
    } catch (const Error& error) {
      // Constants that do not fit a column may fit it once its type has followed them.
      if (!plan.kinds.empty() && error.kind() == ErrorKind::kConversion) return;
      if (!plan.kinds.empty() && std::string_view(error.sqlstate()) == "42804") return;
      throw;
    }
  });
}

const WritePlan& Write::PlanFor(const std::vector<SqliteValue>& bindings) {
  std::vector<int> types;
  for (const SqliteValue& value : bindings) types.push_back(value.TypeCode());
  const bool is_current = plan_ && plan_types_ == types && plan_version_ == db_.shared->schema_version &&
                          plan_rollbacks_ == db_.transaction.rollback_count();
  if (is_current) return *plan_;
  prepared_.clear();
  // Each column is adapted at most twice: from nothing to a type, from a type to values of any kind.
  for (int times = 0; times < 3; times++) {
    plan_ = Translate(&bindings, use_);
    const Schema& schema = db_.LoadedSchema();
    const SchemaTable* const table = schema.Find("", plan_->table_name);
    if (table == nullptr || !AdaptColumns(db_, *table, plan_->kinds)) break;
  }
  plan_types_ = std::move(types);
  plan_version_ = db_.shared->schema_version;
  plan_rollbacks_ = db_.transaction.rollback_count();
  return *plan_;
}

void Write::Execute() {
  if (db_.is_read_only) throw SqliteError(SQLITE_READONLY, "attempt to write a readonly database");
  std::string table;
  use_ = DynamicUse::kAsIs;
  try {
    TryDynamicUses(use_, [&](bool& has_dynamic) {
      if (use_ != DynamicUse::kAsIs) plan_.reset();
      db_.transaction.Run(Transaction::Mode::kWrite, [&] {
        const WritePlan& plan = PlanFor(statement_.bindings);
        table = plan.table;
        has_dynamic = plan.has_dynamic;
        std::vector<SqliteValue> bindings = statement_.bindings;
        for (const BoundColumn& bound : plan.bound_columns) {
          SqliteValue& value = bindings[bound.parameter - 1];
          value = StoreValue(bound.storage, bound.affinity, value);
        }
        QueryResult result = Run(plan, std::move(bindings));
        Count(result);
        if (!statement_.columns.empty()) statement_.result = std::move(result);
      });
    });
  } catch (const Error& error) {
    const SqliteError translated = WithShownColumns(TranslateError(error, table));
    Failed(translated);
    throw translated;
  }
}

SqliteError Write::WithShownColumns(const SqliteError& error) const {
  if (!plan_ || (error.code() & 0xff) != SQLITE_CONSTRAINT) return error;
  const SchemaTable* const table = db_.LoadedSchema().Find("", plan_->table_name);
  if (table == nullptr) return error;
  std::string message = error.what();
  for (const SchemaColumn& column : table->columns) {
    const std::string name = table->shown_name + "." + column.name;
    const size_t at = message.find(name);
    const size_t end = at + name.size();
    if (at != std::string::npos && (end == message.size() || message[end] == ','))
      message.replace(at, name.size(), table->shown_name + "." + column.shown_name);
  }
  return {error.code(), message};
}

void Write::Failed(const SqliteError&) {}

void Write::Count(const QueryResult& result) {
  const auto changes = static_cast<int64_t>(result.rows_changed() + std::exchange(other_changes_, 0));
  db_.function_state.changes = changes;
  db_.function_state.total_changes += changes;
}

QueryResult Write::RunStatement(const WritePlan& plan, const std::string& sql,
                                const std::vector<SqliteValue>& bindings) {
  auto found = prepared_.find(sql);
  if (found == prepared_.end())
    found = prepared_.emplace(sql, EngineStatement(db_, sql, plan.exact_parameters)).first;
  return found->second.Execute(bindings);
}

std::string TranslateReturning(SqlWriter& writer, size_t at, const SchemaTable& table, WritePlan& plan) {
  const Tokens& tokens = writer.tokens();
  if (at >= tokens.size()) return {};
  plan.returned = ResultItems(tokens, at + 1, tokens.size(), {{table.name, &table}});
  if (plan.returned.empty()) ThrowSyntaxError(tokens, at + 1);
  return writer.WriteReturning(at + 1, tokens.size(), table);
}

std::string TranslateAssignments(SqlWriter& writer, StoredWriter& stored, size_t begin, size_t end,
                                 const SchemaTable& table, const std::vector<Source>& sources) {
  const Tokens& tokens = writer.tokens();
  std::string text;
  size_t at = begin;
  while (at < end) {
    if (!tokens[at].IsName()) {
      if (tokens[at].IsOperator("("))
        throw SqliteError(SQLITE_ERROR,
                          "SET with a list of columns is not supported; write one assignment for each");
      ThrowSyntaxError(tokens, at);
    }
    const SchemaColumn* column = table.Find(tokens[at].Name());
    SchemaColumn rowid;
    const std::string name = tokens[at].Name();
    if (column == nullptr && !table.rowid_column.empty() &&
        (name == "rowid" || name == "oid" || name == "_rowid_")) {
      rowid.name = table.rowid_column;
      rowid.storage = Storage::kInteger;
      rowid.affinity = Affinity::kInteger;
      column = &rowid;
    }
    if (column == nullptr) throw SqliteError(SQLITE_ERROR, "no such column: " + tokens[at].Unquoted());
    if (at + 1 >= end || !tokens[at + 1].IsOperator("="))
      ThrowSyntaxError(tokens, std::min(at + 1, tokens.size()));
    size_t value_end = at + 2;
    while (value_end < end && !tokens[value_end].IsOperator(","))
      value_end = tokens[value_end].IsOperator("(") ? SkipParentheses(tokens, value_end) : value_end + 1;
    if (value_end == at + 2) ThrowSyntaxError(tokens, value_end);
    text += (text.empty() ? "" : ", ") + QuoteName(column->name) + " = " +
            stored.Write(*column, at + 2, value_end, sources);
    at = value_end + 1;
  }
  return text;
}

}  // namespace scaup::sqlite
