// Finds the database in which a statement defines or changes objects.
#include "binder/statement/target_database.hpp"

#include <utility>
#include <vector>

#include "common/throw.hpp"

namespace scaup {

namespace {

using Kind = ast::StatementKind;
using Names = std::vector<ast::NamedTable*>;

void AddReferenced(std::vector<ast::TableConstraint>& constraints, Names& names) {
  for (ast::TableConstraint& constraint : constraints) {
    if (constraint.kind == ast::TableConstraint::Kind::kForeignKey) names.push_back(&constraint.referenced);
  }
}

void AddAll(std::vector<ast::NamedTable>& tables, Names& names) {
  for (ast::NamedTable& table : tables) names.push_back(&table);
}

Names NamesOfDrop(ast::DropStatement& drop) {
  Names names;
  const bool is_schema = drop.object == ast::DropStatement::Object::kSchema;
  for (ast::NamedTable& name : drop.names) {
    if (!is_schema || !name.database.empty()) names.push_back(&name);
  }
  return names;
}

Names NamesOfTable(ast::CreateTableStatement& create) {
  Names names{&create.table};
  AddReferenced(create.constraints, names);
  for (ast::LikeClause& like : create.likes) names.push_back(&like.table);
  return names;
}

Names NamesOfAlter(ast::AlterTableStatement& alter) {
  Names names{&alter.table};
  for (ast::AlterAction& action : alter.actions) AddReferenced(action.constraints, names);
  return names;
}

Names NamesOfVacuum(ast::VacuumStatement& vacuum) {
  Names names;
  for (ast::VacuumTarget& target : vacuum.targets) names.push_back(&target.table);
  return names;
}

Names NamesOfTrigger(ast::TriggerStatement& trigger) {
  Names names{&trigger.table};
  if (trigger.action == ast::TriggerStatement::Action::kCreate) names.push_back(&trigger.function);
  return names;
}

Names NamesOfDropFunction(ast::DropFunctionStatement& drop) {
  Names names;
  for (ast::FunctionName& function : drop.names) names.push_back(&function.name);
  return names;
}

/// Returns the names of the objects that a statement defines or changes.
Names TargetNames(ast::Statement& statement) {
  Names names;
  switch (statement.kind) {
    case Kind::kCreateTable: return NamesOfTable(statement.As<ast::CreateTableStatement>());
    case Kind::kCreateIndex: return {&statement.As<ast::CreateIndexStatement>().table};
    case Kind::kCreateView: return {&statement.As<ast::CreateViewStatement>().view};
    case Kind::kRefresh: return {&statement.As<ast::RefreshStatement>().view};
    case Kind::kCreateSequence: return {&statement.As<ast::CreateSequenceStatement>().sequence};
    case Kind::kCreateType: return {&statement.As<ast::CreateTypeStatement>().type};
    case Kind::kCreateDomain: return {&statement.As<ast::CreateDomainStatement>().domain};
    case Kind::kAlterDomain: return {&statement.As<ast::AlterDomainStatement>().domain};
    case Kind::kCreateFunction: return {&statement.As<ast::CreateFunctionStatement>().name};
    case Kind::kAlterTable: return NamesOfAlter(statement.As<ast::AlterTableStatement>());
    case Kind::kAlterType: return {&statement.As<ast::AlterTypeStatement>().type};
    case Kind::kAlterSequence: return {&statement.As<ast::AlterSequenceStatement>().sequence};
    case Kind::kAlterFunction: return {&statement.As<ast::AlterFunctionStatement>().function.name};
    case Kind::kTrigger: return NamesOfTrigger(statement.As<ast::TriggerStatement>());
    case Kind::kRename: return {&statement.As<ast::RenameStatement>().from};
    case Kind::kDrop: return NamesOfDrop(statement.As<ast::DropStatement>());
    case Kind::kDropFunction: return NamesOfDropFunction(statement.As<ast::DropFunctionStatement>());
    case Kind::kComment: return {&statement.As<ast::CommentStatement>().name};
    case Kind::kLockTable: AddAll(statement.As<ast::LockTableStatement>().tables, names); return names;
    case Kind::kTruncate: AddAll(statement.As<ast::TruncateStatement>().tables, names); return names;
    case Kind::kVacuum: return NamesOfVacuum(statement.As<ast::VacuumStatement>());
    case Kind::kExplain: return TargetNames(*statement.As<ast::ExplainStatement>().statement);
    default: return names;
  }
}

/// Returns the database in which a schema is created; null for the one in use.
const DatabaseView* DatabaseOfSchema(const BindSession& session, const ast::Statement& statement) {
  const std::string& name = statement.As<ast::CreateSchemaStatement>().database;
  if (name.empty()) return nullptr;
  const DatabaseViews& databases = *session.context().databases;
  const DatabaseView& found = databases.Require(name, statement.position);
  return &found == &databases.home() ? nullptr : &found;
}

}  // namespace

void SplitTargetNames(ast::Statement& statement, const DatabaseViews& databases) {
  for (ast::NamedTable* name : TargetNames(statement)) {
    if (!name->database.empty() || name->schema.empty()) continue;
    if (databases.FirstOfTwo(name->schema, databases.home(), name->position) != nullptr)
      name->database = std::exchange(name->schema, "");
  }
}

const DatabaseView* TargetDatabase(const BindSession& session, const ast::Statement& statement) {
  // EXPLAIN binds the statement within it.
  if (session.context().databases == nullptr || statement.kind == Kind::kExplain) return nullptr;
  if (statement.kind == Kind::kCreateSchema) return DatabaseOfSchema(session, statement);
  const DatabaseView* found = nullptr;
  bool is_first = true;
  // The names are not changed.
  for (const ast::NamedTable* name : TargetNames(const_cast<ast::Statement&>(statement))) {
    const DatabaseView* database = session.PlaceOf(*name).database;
    if (database == &session.context().databases->home()) database = nullptr;
    // Names without a database in a later place, such as REFERENCES p, mean the database of the first.
    if (!is_first && (database == found || (name->database.empty() && name->schema.empty()))) continue;
    if (!is_first) {
      ThrowNotSupported(
          "a statement defines and changes objects of one database, and these are in several: foreign keys "
          "and "
          "LIKE do not cross databases; change one after the other",
          name->position);
    }
    found = database;
    is_first = false;
  }
  return found;
}

}  // namespace scaup
