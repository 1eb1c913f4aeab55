// Named statements: those that PREPARE has given a name.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "main/statement/prepared_plan.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// A named statement. Owned by NamedStatements. EXECUTE plans it again when its plan no longer fits.
struct NamedStatement {
  std::string text;  ///< of PREPARE
  ast::StatementPtr statement;
  PreparedPlan prepared;
  /// The enums that the types of its parameters and columns contain, as they were when it was planned.
  std::vector<TypeEntryRef> types;
  int64_t prepared_micros = 0;  ///< when, since 1970-01-01 (UTC)
};

/// The named statements of a session. Owned by the session and guarded by its mutex. They are not part of
/// transactions: a rollback leaves them. Positions in errors refer to the text of the calling statement.
class NamedStatements {
 public:
  using Map = std::map<std::string, std::unique_ptr<NamedStatement>>;
  const Map& all() const { return statements_; }
  /// Returns a statement by its name. Throws Error(kUsage, 26000) if there is none.
  NamedStatement& Require(const std::string& name, size_t position) const;
  /// Throws Error(kUsage, 42P05) if the name is taken.
  void CheckIsFree(const std::string& name) const;
  /// REQUIRES: CheckIsFree.
  void Add(const std::string& name, std::unique_ptr<NamedStatement> statement);
  /// Removes a statement; all of them if `name` is "". Throws Error(kUsage, 26000).
  void Remove(const std::string& name, size_t position);

 private:
  Map statements_;
};

/// Returns whether a statement concerns named statements: PREPARE, DEALLOCATE, EXECUTE, EXPLAIN EXECUTE and
/// CREATE TABLE ... AS EXECUTE.
bool IsAboutNamed(const ast::Statement& statement);
/// Returns EXPLAIN or CREATE TABLE AS with the prepared statement in the place of EXECUTE; null if
/// `statement` is EXECUTE itself. Throws Error(kBinder, 42809) if CREATE TABLE AS is given something else
/// than a query.
ast::StatementPtr WithoutExecute(const ast::Statement& statement, const NamedStatement& named,
                                 size_t max_depth);
/// Returns EXECUTE, which may be within the statement.
const ast::ExecuteStatement& ExecuteIn(const ast::Statement& statement);

}  // namespace scaup
