// StatementPreparer: from a syntax tree to a plan.
#pragma once

#include <span>
#include <vector>

#include "main/statement/prepared_plan.hpp"
#include "main/statement/utility_statement.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Binds and plans statements in the transaction of a StatementExecution, which owns it. Used by one thread.
class StatementPreparer {
 public:
  /// Borrows `utility`. `catalog_version` is that of the transaction.
  StatementPreparer(UtilityContext& utility, uint64_t catalog_version)
      : utility_(utility), catalog_version_(catalog_version) {}

  /// Binds and plans a statement. `parameters`, if they are known already, declare the types of $1, $2, ...
  PreparedPlan Prepare(const ast::Statement& statement, std::span<const Value> parameters = {});
  /// Prepares with declared types; kNull for unknown ones.
  PreparedPlan PrepareTyped(const ast::Statement& statement, std::span<const LogicalType> types);
  /// Prepares with types as PREPARE names them.
  PreparedPlan Prepare(const ast::Statement& statement, const std::vector<ast::TypeName>& types);
  /// Splits names of databases from those of the objects that a statement defines or changes. Called once,
  /// before the statement is prepared.
  void SplitTargetNames(ast::Statement& statement) const;
  /// Creates the collections that the statement writes to, if nothing has their name (Argo/SQL): the targets
  /// of INSERT INTO ... OBJECT, also in WITH, and of COPY ... FROM of JSON. Throws Error(kCatalog, 42P01) for
  /// EXPLAIN without ANALYZE, which creates none. Called before the statement is prepared.
  void CreateCollectionFor(const ast::Statement& statement);

  /// Returns whether a plan fits the catalog, the settings and the attributes of documents of the
  /// transaction.
  bool Fits(const PreparedPlan& prepared) const;
  /// Returns whether the transaction has changed the catalog itself, so that no kept plan fits.
  bool has_changed_catalog() const;

  /// Returns the enums of the catalog that the types of its parameters and columns contain.
  std::vector<TypeEntryRef> TypesWithin(const PreparedPlan& prepared) const;
  /// Replaces in `types` the enums `entries` by what the catalog says of them now.
  void FollowTypes(const std::vector<TypeEntryRef>& entries, std::vector<LogicalType>& types) const;
  /// Returns the types of the arguments of EXECUTE, without a context: kNull for quoted literals and NULL.
  std::vector<LogicalType> ArgumentTypes(const std::vector<ast::ExpressionPtr>& arguments,
                                         std::span<const Value> parameters);
  /// Returns the values of the arguments of EXECUTE, converted to the types of the parameters. `parameters`
  /// are those of EXECUTE itself.
  std::vector<Value> EvaluateArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                       std::span<const LogicalType> types, std::span<const Value> parameters);
  /// Lets statements use the names of a trigger. Borrowed as long as this.
  void UseTrigger(const TriggerNames* names) { trigger_ = names; }
  const Settings& settings() const { return utility_.settings; }

 private:
  BinderContext MakeBinderContext();
  /// Runs a query that the binder needs the rows of.
  std::vector<std::vector<Value>> RowsOf(std::unique_ptr<BoundQuery> query);

  UtilityContext& utility_;
  const uint64_t catalog_version_;
  const TriggerNames* trigger_ = nullptr;
  bool has_run_queries_ = false;  // so that what was bound fits the rows that these returned
};

}  // namespace scaup
