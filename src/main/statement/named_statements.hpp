// Statements that PREPARE gave a name.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "main/statement/statement_execution.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// One of them. Its plan is renewed by EXECUTE when it no longer fits.
struct NamedStatement {
  std::string text;  ///< of PREPARE
  ast::StatementPtr statement;
  PreparedPlan prepared;
  /// The types of the catalog within those of its parameters and columns, as they were when it was planned.
  std::vector<TypeEntryRef> types;
  int64_t prepared_micros = 0;  ///< when, since 1970-01-01 (UTC)
};

/// The named statements of a session. Guarded by the session's mutex. Not part of transactions: a rollback
/// leaves them. Positions in errors are those of the present statement's text.
class NamedStatements {
 public:
  using Map = std::map<std::string, std::unique_ptr<NamedStatement>>;
  const Map& all() const { return statements_; }
  /// Throws Error(kUsage, 26000).
  NamedStatement& Require(const std::string& name, size_t position) const;
  /// Throws Error(kUsage, 42P05) where there is one of that name.
  void CheckIsFree(const std::string& name) const;
  /// REQUIRES: CheckIsFree.
  void Add(const std::string& name, std::unique_ptr<NamedStatement> statement);
  /// Throws Error(kUsage, 26000); "": all of them.
  void Remove(const std::string& name, size_t position);

 private:
  Map statements_;
};

/// Whether the session runs a statement by these: PREPARE, DEALLOCATE, EXECUTE, EXPLAIN EXECUTE and CREATE
/// TABLE ... AS EXECUTE.
bool IsAboutNamed(const ast::Statement& statement);
/// EXPLAIN or CREATE TABLE AS with the prepared statement itself in the place of EXECUTE; null where
/// `statement` is EXECUTE. Throws Error(kBinder, 42809) where a table is to be made of something else than a
/// query.
ast::StatementPtr WithoutExecute(const ast::Statement& statement, const NamedStatement& named,
                                 size_t max_depth);
/// EXECUTE, alone or within the statement.
const ast::ExecuteStatement& ExecuteIn(const ast::Statement& statement);

}  // namespace scaup
