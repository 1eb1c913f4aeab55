// Named statements, and statements that contain EXECUTE.
#include "main/statement/named_statements.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "parser/parser.hpp"

namespace scaup {

NamedStatement& NamedStatements::Require(const std::string& name, size_t position) const {
  const auto found = statements_.find(name);
  if (found == statements_.end()) {
    ThrowError(
        ErrorKind::kUsage, "26000",
        fmt::format("prepared statement \"{}\" does not exist; pg_prepared_statements lists those that do",
                    name),
        position);
  }
  return *found->second;
}

void NamedStatements::CheckIsFree(const std::string& name) const {
  if (!statements_.contains(name)) return;
  ThrowError(ErrorKind::kUsage, "42P05",
             fmt::format("prepared statement \"{0}\" already exists; DEALLOCATE {0} removes it", name));
}

void NamedStatements::Add(const std::string& name, std::unique_ptr<NamedStatement> statement) {
  SCAUP_ASSERT(statements_.count(name) == 0);
  statements_.emplace(name, std::move(statement));
}

void NamedStatements::Remove(const std::string& name, size_t position) {
  // DEALLOCATE ALL has an empty name.
  if (name.empty()) return statements_.clear();
  Require(name, position);
  statements_.erase(name);
}

namespace {

/// Returns EXECUTE within EXPLAIN or CREATE TABLE AS; null if there is none. EXPLAIN may have CREATE TABLE AS
/// within itself.
const ast::Statement* InnerExecute(const ast::Statement& statement) {
  const ast::Statement* inner = nullptr;
  if (statement.kind == ast::StatementKind::kExplain) {
    inner = statement.As<ast::ExplainStatement>().statement.get();
    if (inner->kind == ast::StatementKind::kCreateTable) inner = InnerExecute(*inner);
  } else if (statement.kind == ast::StatementKind::kCreateTable) {
    inner = statement.As<ast::CreateTableStatement>().execute.get();
  }
  return inner != nullptr && inner->kind == ast::StatementKind::kExecute ? inner : nullptr;
}

/// Parses a prepared statement again, since the new statement owns its tree and the named one needs its own.
ast::StatementPtr ParseAgain(const NamedStatement& named, size_t max_depth) {
  auto statements = Parser(max_depth).Parse(named.text);
  return std::move(statements.at(0)->As<ast::PrepareStatement>().statement);
}

}  // namespace

bool IsAboutNamed(const ast::Statement& statement) {
  return statement.kind == ast::StatementKind::kPrepare || statement.kind == ast::StatementKind::kExecute ||
         statement.kind == ast::StatementKind::kDeallocate || InnerExecute(statement) != nullptr;
}

const ast::ExecuteStatement& ExecuteIn(const ast::Statement& statement) {
  const ast::Statement* inner = InnerExecute(statement);
  return (inner != nullptr ? *inner : statement).As<ast::ExecuteStatement>();
}

ast::StatementPtr WithoutExecute(const ast::Statement& statement, const NamedStatement& named,
                                 size_t max_depth) {
  if (statement.kind == ast::StatementKind::kExecute) return nullptr;
  if (statement.kind == ast::StatementKind::kExplain) {
    const auto& explain = statement.As<ast::ExplainStatement>();
    auto copy = std::make_unique<ast::ExplainStatement>();
    copy->analyze = explain.analyze;
    copy->format = explain.format;
    copy->statement = WithoutExecute(*explain.statement, named, max_depth);
    if (!copy->statement) copy->statement = ParseAgain(named, max_depth);
    copy->parameter_count = copy->statement->parameter_count;
    return copy;
  }
  const auto& create = statement.As<ast::CreateTableStatement>();
  ast::StatementPtr query = ParseAgain(named, max_depth);
  if (query->kind != ast::StatementKind::kSelect) {
    ThrowError(ErrorKind::kBinder, sqlstate::kWrongObjectType, "prepared statement is not a SELECT",
               ExecuteIn(statement).name_position);
  }
  auto copy = std::make_unique<ast::CreateTableStatement>();
  copy->table.schema = create.table.schema;
  copy->table.name = create.table.name;
  copy->table.position = create.table.position;
  copy->if_not_exists = create.if_not_exists;
  copy->column_names = create.column_names;
  copy->with_no_data = create.with_no_data;
  copy->parameter_count = query->parameter_count;
  copy->query.reset(static_cast<ast::SelectStatement*>(query.release()));
  return copy;
}

}  // namespace scaup
