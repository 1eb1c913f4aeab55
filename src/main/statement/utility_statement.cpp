// The table of utility statements, and the short ones among them.
#include "main/statement/utility_statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "catalog/catalog_changes.hpp"
#include "common/at_edge.hpp"
#include "common/settings/search_path_text.hpp"
#include "common/throw.hpp"
#include "execution/write/written_rows.hpp"
#include "main/statement/commit_actions.hpp"
#include "main/statement/named_statements.hpp"
#include "main/statement/statement_execution.hpp"
#include "main/transfer/database_copy.hpp"
#include "main/transfer/database_export.hpp"
#include "storage/table/table_sampler.hpp"
#include "transaction/search_path.hpp"

namespace scaup {

DatabaseInstance& UtilityContext::instance() const {
  DatabaseInstance& main = *session.database;
  const auto attached = main.attached().list();
  for (size_t i = 0; attached && i < attached->size(); i++) {
    if (&(*attached)[i].instance->catalog() == home->catalog) return *(*attached)[i].instance;
  }
  return main;
}

void UtilityContext::RefuseInBlock(const char* statement) const {
  if (!is_in_block) return;
  // Their work is not part of a transaction, so a rollback of the block could not undo it.
  ThrowError(ErrorKind::kTransaction, sqlstate::kActiveTransaction,
             fmt::format("{} cannot run in a transaction block: COMMIT first", statement));
}

namespace {

using AfterCommit = std::function<void()>;

void CreateSchema(UtilityContext& utility, const BoundCreateSchema& create) {
  const bool exists = utility.catalog().FindSchema(utility.transaction(), create.name) != nullptr;
  if (!exists || !create.if_not_exists) CreateSchema(utility.catalog(), utility.transaction(), create.name);
}

void CreateType(UtilityContext& utility, const BoundCreateType& create) {
  CreateType(utility.catalog(), utility.transaction(), create.type);
}

void CreateDomain(UtilityContext& utility, const BoundCreateDomain& create) {
  CreateDomain(utility.catalog(), utility.transaction(), create.domain);
}

// Binding skips what IF EXISTS and IF NOT EXISTS make needless: the entry is then null, here and below.
void CreateSequence(UtilityContext& utility, const BoundCreateSequence& create) {
  if (create.sequence) CreateSequence(utility.catalog(), utility.transaction(), create.sequence);
}

void AlterSequence(UtilityContext& utility, const BoundAlterSequence& alter) {
  if (!alter.old) return;
  Catalog& catalog = utility.catalog();
  ReplaceSequence(catalog, utility.transaction(), *alter.old, alter.sequence);
  for (const auto& change : alter.tables)
    ReplaceTable(catalog, utility.transaction(), {change.old, change.table, {}});
  for (const BoundViewChange& change : alter.views)
    ReplaceView(catalog, utility.transaction(), *change.old, change.view);
}

/// Replaces the rows of a materialized view.
void Fill(UtilityContext& utility, BoundAlterTable& fill, size_t next_table_index) {
  // The catalog may have got the table, or a new version of it, with the statement.
  fill.table = utility.catalog().Find<TableEntry>(utility.transaction(), fill.schema, fill.name);
  fill.next_table_index = next_table_index;
  AlterTable(utility, fill);
}

void Refresh(UtilityContext& utility, const BoundRefresh& refresh) {
  Fill(utility, *refresh.fill, refresh.next_table_index);
}

void CreateView(UtilityContext& utility, const BoundCreateView& create) {
  Catalog& catalog = utility.catalog();
  if (create.table) {
    CreateTable(utility, *create.table);
    CreateView(catalog, utility.transaction(), create.view);
    if (create.fill) Fill(utility, *create.fill, create.next_table_index);
    return;
  }
  // Views that read this one go first: ReplaceView refuses to rename a view that another one still names.
  for (const BoundViewChange& change : create.readers)
    ReplaceView(catalog, utility.transaction(), *change.old, change.view);
  if (create.old) {
    ReplaceView(catalog, utility.transaction(), *create.old, create.view);
  } else if (create.view) {
    CreateView(catalog, utility.transaction(), create.view);
  }
}

void RenameIndex(UtilityContext& utility, const BoundRenameIndex& rename) {
  if (rename.from) RenameIndex(utility.catalog(), utility.transaction(), *rename.from, rename.to->name);
}

void SetComment(UtilityContext& utility, const BoundComment& comment) {
  SetComment(utility.catalog(), utility.transaction(), comment.target, comment.comment);
}

void SetForSession(SessionServices& session, const BoundSet& set) {
  if (set.is_local && !session.block.is_open()) {
    ThrowError(ErrorKind::kTransaction, sqlstate::kNoActiveTransaction,
               "SET LOCAL: there is no transaction in progress; BEGIN starts one");
  }
  session.settings =
      ChangedSettings(session.settings, session.database->settings(), set.name, set.value, set.is_local);
}

/// Gives the databases that are attached the settings of the one to which they are.
void FollowSettings(DatabaseInstance& database) {
  const auto attached = database.attached().list();
  for (size_t i = 0; attached && i < attached->size(); i++)
    (*attached)[i].instance->settings().Follow(database.settings().Current());
}

void Set(UtilityContext& utility, const BoundSet& set) {
  DatabaseInstance& database = *utility.session.database;
  if (set.name == "all") {
    utility.session.settings.ResetAll();
  } else if (FindSetting(set.name)->is_for_session) {
    SetForSession(utility.session, set);
  } else if (set.is_local) {
    ThrowNotSupported(
        fmt::format("SET LOCAL does not work for \"{}\", which all sessions share; use SET", set.name));
  } else if (set.value) {
    database.settings().Set(set.name, *set.value);
    FollowSettings(database);
  } else {
    database.settings().Reset(set.name);
    FollowSettings(database);
  }
}

void SetVariable(UtilityContext& utility, const BoundSetVariable& set) {
  SessionVariables& variables = utility.session.variables;
  if (set.value) {
    variables.insert_or_assign(set.name, *set.value);
  } else {
    variables.erase(set.name);
  }
}

/// Plans need not be discarded: each is checked before it is used again. No channel is listened to.
AfterCommit Discard(UtilityContext& utility, BoundStatement& statement) {
  using Target = BoundDiscard::Target;
  const Target target = statement.As<BoundDiscard>().target;
  const bool all = target == Target::kAll;
  if (all) utility.RefuseInBlock("DISCARD ALL");
  const DatabaseView& main = utility.databases.main();
  if (all || target == Target::kTemporary) DropTemporaryRelations(*main.catalog, *main.transaction);
  SessionServices& session = utility.session;
  if (target == Target::kSequences) session.sequences.Forget();
  if (!all) return nullptr;
  return [&session] {
    session.sequences.Forget();
    session.cursors.CloseAll();
    session.named.Remove("", 0);
    session.settings.ResetAll();
    session.variables.clear();
    session.block.ResetDefaults();
    session.home.clear();
  };
}

AfterCommit Checkpoint(UtilityContext& utility, BoundStatement&) {
  utility.RefuseInBlock("CHECKPOINT");
  return [&database = utility.instance()] { database.Checkpoint(); };
}

/// Returns all tables of the database that the transaction sees.
std::vector<TableEntryRef> AllTables(const UtilityContext& utility) {
  std::vector<TableEntryRef> tables;
  for (const auto& schema : utility.catalog().Schemas(utility.transaction())) {
    const auto more = utility.catalog().List<TableEntry>(utility.transaction(), *schema);
    tables.insert(tables.end(), more.begin(), more.end());
  }
  return tables;
}

/// Runs VACUUM, ANALYZE and MATERIALIZE, of the tables that are named or of all.
AfterCommit Vacuum(UtilityContext& utility, BoundStatement& statement) {
  const auto& vacuum = statement.As<BoundVacuum>();
  if (vacuum.vacuum) utility.RefuseInBlock("VACUUM");
  if (vacuum.materialize) utility.RefuseInBlock("MATERIALIZE");
  const std::vector<TableEntryRef> tables = vacuum.tables.empty() ? AllTables(utility) : vacuum.tables;
  for (const TableEntryRef& table : tables) {
    if (!vacuum.analyze) break;
    utility.context.functions.CheckInterrupt();
    table->storage->sampler().Analyze(utility.transaction());
  }
  std::vector<std::shared_ptr<Table>> collections;
  for (const TableEntryRef& table : tables) {
    if (vacuum.materialize && table->is_collection()) collections.push_back(table->storage);
  }
  return [&utility, &database = utility.instance(), vacuums = vacuum.vacuum, collections] {
    if (vacuums) database.Vacuum();
    if (!collections.empty())
      database.Materialize(collections, [&utility] { utility.context.functions.CheckInterrupt(); });
  };
}

void Export(UtilityContext& utility, const BoundExportDatabase& statement) {
  ExportDatabase(utility.context, statement, utility.run_statement);
}

void Import(UtilityContext& utility, const BoundImportDatabase& statement) {
  utility.is_importing = true;
  ImportDatabase(utility.context, statement, utility.run_statement);
}

void Copy(UtilityContext& utility, const BoundCopyDatabase& statement) {
  const DatabaseView& target = utility.databases.Require(statement.target, 0);
  utility.is_importing = true;
  CopyDatabase(utility.databases.Require(statement.source, 0), target, utility.settings.max_expression_depth,
               utility.run_statement, [&](const ast::Statement& inner) {
                 const HomeScope there(utility, target);
                 utility.run_statement(inner);
               });
}

/// Throws Error(kUsage, 55006) for a file that is open in this database already.
void RefuseOpenFile(DatabaseInstance& host, const std::string& path) {
  if (path == ":memory:") return;
  const std::string resolved = host.files().ResolvePath(path);
  const auto refuse = [&](DatabaseInstance& open) {
    if (open.storage() == nullptr || open.storage()->store()->file().path() != resolved) return;
    ThrowError(ErrorKind::kUsage, sqlstate::kObjectInUse,
               fmt::format("the file \"{}\" is open already, as database \"{}\"", path,
                           open.transactions().database().name));
  };
  refuse(host);
  const auto attached = host.attached().list();
  for (size_t i = 0; attached && i < attached->size(); i++) refuse(*(*attached)[i].instance);
}

AfterCommit Attach(UtilityContext& utility, BoundStatement& statement) {
  utility.RefuseInBlock("ATTACH");
  const auto& attach = statement.As<BoundAttach>();
  if (utility.databases.Find(attach.name) != nullptr) {
    if (attach.if_not_exists) return nullptr;
    ThrowError(
        ErrorKind::kCatalog, sqlstate::kDuplicateDatabase,
        fmt::format("there is a database \"{}\" already: attach this one AS another name", attach.name));
  }
  DatabaseInstance& host = *utility.session.database;
  RefuseOpenFile(host, attach.path);
  auto instance = MakeSharedInProcess<DatabaseInstance>(host, attach.name, attach.path, attach.read_only);
  host.attached().Attach(attach.name, std::move(instance));
  return nullptr;
}

AfterCommit Detach(UtilityContext& utility, BoundStatement& statement) {
  utility.RefuseInBlock("DETACH");
  const std::string& name = statement.As<BoundDetach>().name;
  if (name.empty()) return nullptr;
  return [&host = *utility.session.database, name] { host.attached().Detach(name); };
}

void Use(UtilityContext& utility, const BoundUse& use) {
  utility.session.home = use.name == utility.databases.main().name ? "" : use.name;
  // Names without a schema mean the one that was named, of which the other database need not have the like.
  SessionServices& session = utility.session;
  const bool is_elsewhere = use.name != utility.databases.home().name;
  if (!use.schema.empty() || (is_elsewhere && SearchPath::Of(utility.settings))) {
    const auto path = use.schema.empty() ? std::nullopt : std::optional(SearchPathName(use.schema));
    session.settings =
        ChangedSettings(session.settings, session.database->settings(), "search_path", path, false);
  }
}

AfterCommit RefuseTransaction(UtilityContext&, BoundStatement&) {
  ThrowInternal("the session runs statements about transactions");
}

/// Adapts a function for one class of bound statements, with nothing to do after the commit.
template <typename Statement, void (*run)(UtilityContext&, Statement&)>
AfterCommit Run(UtilityContext& utility, BoundStatement& statement) {
  run(utility, statement.As<std::remove_const_t<Statement>>());
  return nullptr;
}

/// A row of the table of utility statements. CHECKPOINT, VACUUM and EXPORT DATABASE change no rows, so
/// read-only transactions may run them.
struct UtilityStatement {
  BoundStatementKind kind;
  bool changes_data;  ///< whether a transaction that only reads refuses it
  AfterCommit (*run)(UtilityContext&, BoundStatement&);
};

using Kind = BoundStatementKind;

constexpr UtilityStatement kUtilityStatements[] = {
    {Kind::kCreateTable, true, &Run<const BoundCreateTable, &CreateTable>},
    {Kind::kCreateSchema, true, &Run<const BoundCreateSchema, &CreateSchema>},
    {Kind::kCreateIndex, true, &Run<const BoundCreateIndex, &CreateIndex>},
    {Kind::kCreateSequence, true, &Run<const BoundCreateSequence, &CreateSequence>},
    {Kind::kCreateView, true, &Run<const BoundCreateView, &CreateView>},
    {Kind::kRefresh, true, &Run<const BoundRefresh, &Refresh>},
    {Kind::kCreateType, true, &Run<const BoundCreateType, &CreateType>},
    {Kind::kCreateDomain, true, &Run<const BoundCreateDomain, &CreateDomain>},
    {Kind::kAlterDomain, true, &Run<const BoundAlterDomain, &AlterDomain>},
    {Kind::kCreateFunction, true, &Run<const BoundCreateFunction, &CreateFunction>},
    {Kind::kDropFunction, true, &Run<const BoundDropFunction, &DropFunctions>},
    {Kind::kAlterTable, true, &Run<BoundAlterTable, &AlterTable>},
    {Kind::kAlterType, true, &Run<const BoundAlterType, &AlterType>},
    {Kind::kAlterSequence, true, &Run<const BoundAlterSequence, &AlterSequence>},
    {Kind::kRenameIndex, true, &Run<const BoundRenameIndex, &RenameIndex>},
    {Kind::kRenameSchema, true, &Run<const BoundRenameSchema, &RenameSchema>},
    {Kind::kDrop, true, &Run<const BoundDrop, &Drop>},
    {Kind::kComment, true, &Run<const BoundComment, &SetComment>},
    {Kind::kLockTable, false, &Run<const BoundLockTable, &LockTables>},
    {Kind::kSetConstraints, false, &Run<const BoundSetConstraints, &SetConstraints>},
    {Kind::kTruncate, true, &Run<const BoundTruncate, &Truncate>},
    {Kind::kSet, false, &Run<const BoundSet, &Set>},
    {Kind::kSetVariable, false, &Run<const BoundSetVariable, &SetVariable>},
    {Kind::kDiscard, false, &Discard},
    {Kind::kTransaction, false, &RefuseTransaction},
    {Kind::kCheckpoint, false, &Checkpoint},
    {Kind::kVacuum, false, &Vacuum},
    {Kind::kExportDatabase, false, &Run<const BoundExportDatabase, &Export>},
    {Kind::kImportDatabase, true, &Run<const BoundImportDatabase, &Import>},
    {Kind::kAttach, false, &Attach},
    {Kind::kDetach, false, &Detach},
    {Kind::kUse, false, &Run<const BoundUse, &Use>},
    {Kind::kCopyDatabase, false, &Run<const BoundCopyDatabase, &Copy>},
};

}  // namespace

std::function<void()> RunUtilityStatement(UtilityContext& utility, BoundStatement& statement) {
  const auto row = std::find_if(std::begin(kUtilityStatements), std::end(kUtilityStatements),
                                [&](const UtilityStatement& known) { return known.kind == statement.kind; });
  SCAUP_CHECK(row != std::end(kUtilityStatements));
  const HomeScope home(
      utility, statement.database.empty() ? *utility.home : utility.databases.Require(statement.database, 0));
  if (row->changes_data) RequireWritable(utility.transaction(), "this statement");
  return row->run(utility, statement);
}

}  // namespace scaup
