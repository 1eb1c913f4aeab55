// UPDATE and DELETE.
#include "write.hpp"

namespace scaup::sqlite {

namespace {

/// Returns the conflict action behind OR, or "ABORT", and moves behind it.
std::string ReadAction(const Tokens& tokens, size_t& at) {
  if (!IsAt(tokens, at, tokens.size(), "OR")) return "ABORT";
  if (at + 1 >= tokens.size()) ThrowSyntaxError(tokens, at + 1);
  const std::string action = ToUpper(tokens[at + 1].text);
  at += 2;
  return action;
}

class Update final : public Write {
 public:
  using Write::Write;

 private:
  WritePlan Translate(const std::vector<SqliteValue>* bindings, DynamicUse use) override {
    const Tokens& tokens = statement().tokens;
    const size_t count = tokens.size();
    TranslationState state = db().NewTranslation();
    state.parameters = statement().parameters;
    state.dynamic_use = use;
    SqlWriter writer(tokens, state);
    StoredWriter stored(db(), writer, bindings);
    const size_t update = FindWord(tokens, 0, count, {"UPDATE"});
    size_t at = update + 1;
    action_ = ReadAction(tokens, at);
    if (action_ != "ABORT" && action_ != "ROLLBACK")
      throw SqliteError(SQLITE_ERROR,
                        "UPDATE OR " + action_ + " is not supported; use UPDATE or UPDATE OR ROLLBACK");
    const SchemaTable& table = ReadTable(tokens, at, *state.schema);
    Source target{table.name, &table};
    if (IsAt(tokens, at, count, "AS") && at + 1 < count) {
      target.alias = tokens[at + 1].Name();
      at += 2;
    }
    if (!IsAt(tokens, at, count, "SET")) ThrowSyntaxError(tokens, at);
    const size_t set_end = FindWord(tokens, at, count, {"FROM", "WHERE", "RETURNING", "ORDER", "LIMIT"});
    const size_t returning = FindWord(tokens, at, count, {"RETURNING"});
    const size_t limit = FindWord(tokens, at, returning, {"ORDER", "LIMIT"});
    if (limit < returning) ThrowSyntaxError(tokens, limit);
    std::vector<Source> sources{target};
    if (IsAt(tokens, set_end, count, "FROM")) {
      const std::set<std::string> common_tables = CommonTables(tokens);
      for (const Source& source :
           SourcesBehindFrom(tokens, set_end + 1, returning, *state.schema, common_tables))
        sources.push_back(source);
    }
    WritePlan plan;
    plan.table = table.shown_name;
    plan.table_name = table.name;
    std::string sql = update > 0 ? writer.WriteQuery(0, update) + " " : "";
    sql += "UPDATE " + table.QuotedName() + " AS " + QuoteName(target.alias) + " SET ";
    sql += TranslateAssignments(writer, stored, at + 1, set_end, table, sources) + " ";
    sql += writer.WriteOver(set_end, returning, sources);
    const std::string returned = TranslateReturning(writer, returning, table, plan);
    if (!returned.empty()) sql += " RETURNING " + returned;
    plan.kinds = stored.kinds();
    plan.bound_columns = stored.bound_columns();
    plan.exact_parameters = state.exact_parameters;
    plan.has_dynamic = state.has_dynamic;
    plan.statements.push_back(std::move(sql));
    db().Authorize(SQLITE_UPDATE, table.shown_name, "");
    AuthorizeReads(db(), state);
    return plan;
  }

  QueryResult Run(const WritePlan& plan, std::vector<SqliteValue> bindings) override {
    db().shared->ForgetLastRowids();
    return RunStatement(plan, plan.statements.back(), bindings);
  }

  void Failed(const SqliteError& error) override {
    if ((error.code() & 0xff) == SQLITE_CONSTRAINT && action_ == "ROLLBACK" && db().transaction.is_open())
      db().transaction.Rollback();
  }

  std::string action_ = "ABORT";
};

class Delete final : public Write {
 public:
  using Write::Write;

 private:
  WritePlan Translate(const std::vector<SqliteValue>*, DynamicUse use) override {
    const Tokens& tokens = statement().tokens;
    const size_t count = tokens.size();
    TranslationState state = db().NewTranslation();
    state.parameters = statement().parameters;
    state.dynamic_use = use;
    SqlWriter writer(tokens, state);
    const size_t begin = FindWord(tokens, 0, count, {"DELETE"});
    size_t at = begin + 1;
    if (!IsAt(tokens, at, count, "FROM")) ThrowSyntaxError(tokens, at);
    at++;
    const SchemaTable& table = ReadTable(tokens, at, *state.schema);
    Source target{table.name, &table};
    if (IsAt(tokens, at, count, "AS") && at + 1 < count) {
      target.alias = tokens[at + 1].Name();
      at += 2;
    }
    if (at < count && !tokens[at].Is("WHERE") && !tokens[at].Is("RETURNING")) ThrowSyntaxError(tokens, at);
    const size_t returning = FindWord(tokens, at, count, {"RETURNING"});
    const size_t limit = FindWord(tokens, at, returning, {"ORDER", "LIMIT"});
    if (limit < returning) ThrowSyntaxError(tokens, limit);
    WritePlan plan;
    plan.table = table.shown_name;
    plan.table_name = table.name;
    std::string sql = begin > 0 ? writer.WriteQuery(0, begin) + " " : "";
    sql += "DELETE FROM " + table.QuotedName() + " AS " + QuoteName(target.alias) + " " +
           writer.WriteOver(at, returning, {target});
    const std::string returned = TranslateReturning(writer, returning, table, plan);
    if (!returned.empty()) sql += " RETURNING " + returned;
    plan.exact_parameters = state.exact_parameters;
    plan.has_dynamic = state.has_dynamic;
    plan.statements.push_back(std::move(sql));
    db().Authorize(SQLITE_DELETE, table.shown_name, "");
    AuthorizeReads(db(), state);
    return plan;
  }

  QueryResult Run(const WritePlan& plan, std::vector<SqliteValue> bindings) override {
    // The largest row id may be free again.
    db().shared->ForgetLastRowids();
    return RunStatement(plan, plan.statements.back(), bindings);
  }
};

}  // namespace

std::unique_ptr<StatementBody> MakeUpdate(sqlite3_stmt& statement) {
  return std::make_unique<Update>(statement);
}
std::unique_ptr<StatementBody> MakeDelete(sqlite3_stmt& statement) {
  return std::make_unique<Delete>(statement);
}

}  // namespace scaup::sqlite
