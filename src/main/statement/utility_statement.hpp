// Utility statements: those without a plan, such as definitions, settings and maintenance.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "binder/bound/bound_statement.hpp"
#include "catalog/database_views.hpp"
#include "common/settings/settings.hpp"
#include "execution/rows/materialized_result.hpp"
#include "execution/run/query_context.hpp"
#include "function/sequence_access.hpp"
#include "parser/ast/statement.hpp"
#include "planner/planner.hpp"

namespace scaup {

class DatabaseInstance;
class DeferredChecks;
struct SessionServices;

/// The parts of a statement's execution that utility statements use. Borrowed for the call. Used by one
/// thread.
struct UtilityContext {
  SessionServices& session;
  QueryContext& context;
  const DatabaseViews& databases;
  const DatabaseView* home;  ///< the database in which the statement runs: the session's, or another
  const Settings& settings;  ///< of the statement: the database's, with those of the session over them
  bool is_in_block;          ///< whether the transaction is that of a block, not the statement's own
  /// Runs a plan to its end within the statement. Returns the number of its rows.
  std::function<size_t(LogicalPlan)> run_plan;
  /// Runs a plan to its end within the statement. Returns its rows.
  std::function<MaterializedResult(LogicalPlan)> rows_of;
  /// Runs SQL that the engine has made; errors have no position.
  std::function<size_t(const std::string&, std::span<const Value>)> run_sql;
  /// Runs another statement to its end within this one's transaction; its rows are dropped.
  std::function<void(const ast::Statement&)> run_statement;
  DeferredChecks& checks;  ///< of the transaction
  /// Runs the pending checks of constraints that are not deferred any more.
  std::function<void()> run_checks;
  bool is_importing = false;  ///< IMPORT DATABASE runs: what functions use may come later

  Transaction& transaction() const { return *home->transaction; }
  Catalog& catalog() const { return *home->catalog; }
  /// Returns the open database of `home`.
  DatabaseInstance& instance() const;
  /// Throws Error(kTransaction, 25001) in a transaction block: CHECKPOINT, VACUUM and MATERIALIZE look after
  /// the whole database.
  void RefuseInBlock(const char* statement) const;
};

/// The time while statements run in another database than the session's. Lives on the stack.
class HomeScope {
 public:
  HomeScope(UtilityContext& utility, const DatabaseView& home) : utility_(utility), before_(utility.home) {
    utility.home = &home;
  }
  ~HomeScope() { utility_.home = before_; }
  HomeScope(const HomeScope&) = delete;
  HomeScope& operator=(const HomeScope&) = delete;

 private:
  UtilityContext& utility_;
  const DatabaseView* before_;
};

/// Runs a utility statement, without the commit. Returns what is to be done after the commit, when the
/// statement's own transaction is no longer in its way; null for nothing. Throws Error(kTransaction, 25006)
/// if the transaction is read-only and the statement would change data. REQUIRES: !HasPlan(statement).
std::function<void()> RunUtilityStatement(UtilityContext& utility, BoundStatement& statement);

// Statements with a file of their own (table_statements.cpp, drop_statements.cpp). They throw Error(kCatalog)
// and Error(kConstraint) as docs/sql-*.md say.
void CreateTable(UtilityContext& utility, const BoundCreateTable& statement);
void AlterTable(UtilityContext& utility, BoundAlterTable& statement);
void CreateIndex(UtilityContext& utility, const BoundCreateIndex& statement);
void LockTables(UtilityContext& utility, const BoundLockTable& statement);
void SetConstraints(UtilityContext& utility, const BoundSetConstraints& statement);
void Truncate(UtilityContext& utility, const BoundTruncate& statement);
/// Deletes all rows of a table that the transaction sees.
void DeleteAllRows(Transaction& transaction, const TableEntry& entry, const KernelTable& kernels,
                   const std::function<void()>& check_interrupt);
void AlterType(UtilityContext& utility, const BoundAlterType& statement);
void AlterDomain(UtilityContext& utility, const BoundAlterDomain& statement);
void Drop(UtilityContext& utility, const BoundDrop& statement);
/// Moves what is in a schema into a new one. Throws 0A000 for what cannot move, and for names in texts.
void RenameSchema(UtilityContext& utility, const BoundRenameSchema& statement);
/// Creates, replaces or renames a function. Throws 0A000 if texts name one that gets another name.
void CreateFunction(UtilityContext& utility, const BoundCreateFunction& statement);
void DropFunctions(UtilityContext& utility, const BoundDropFunction& statement);

/// Drops the triggers that call functions which are dropped with `dropped`; 2BP01 without CASCADE. Those of
/// tables in `dropped_schema` are left.
void DropTriggersCalling(UtilityContext& utility, const std::vector<FunctionEntryRef>& functions,
                         const std::string& dropped, bool cascade, const std::string& dropped_schema = "");
/// Looks after the defaults and views that name sequences which have been dropped with `dropped`: CASCADE
/// drops them, too; otherwise 2BP01.
void DropTextsNaming(UtilityContext& utility, const std::vector<SequenceName>& sequences,
                     const std::string& dropped, bool cascade);

}  // namespace scaup
