// The state that the parts of the binder share while they bind one statement.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "binder/scope/derived_collation.hpp"
#include "catalog/catalog.hpp"
#include "catalog/database_views.hpp"
#include "common/settings/settings.hpp"
#include "document/attribute/attribute_dictionary.hpp"
#include "function/function_context.hpp"
#include "function/function_registry.hpp"
#include "parser/ast/query.hpp"
#include "scaup/type.hpp"

namespace scaup {

class CollectionUse;
class ForeignTables;
class VisibleAttributes;

/// The values of SET VARIABLE by their names, which are in lower case.
using SessionVariables = std::map<std::string, Value, std::less<>>;

/// The environment that a statement is bound against. All members are borrowed and must outlive the binder.
struct BinderContext {
  const Catalog& catalog;
  const Transaction& transaction;
  const FunctionContext& functions;
  const FunctionRegistry& registry;
  const Settings& settings;
  /// Tables that the program offers; null if it offers none.
  ForeignTables* foreign = nullptr;
  /// Runs a query at once and returns its rows, for statements whose columns depend on data; null where no
  /// query can be run. The bound statement is then valid for this execution only.
  std::function<std::vector<std::vector<Value>>(std::unique_ptr<struct BoundQuery>)> rows_of;
  /// Null where there is no session.
  const SessionVariables* variables = nullptr;
  /// Whether CREATE FUNCTION binds the body.
  bool checks_bodies = true;
  /// Collects the functions of the user that are called, also those in bodies; null if they are not needed.
  std::vector<std::shared_ptr<const struct FunctionEntry>>* called = nullptr;
  /// Makes functions of the catalog in languages that the program hosts callable; null where there is none.
  class HostedFunctions* hosted = nullptr;
  /// The databases that names may begin with; null if only those of `catalog` can be named.
  const DatabaseViews* databases = nullptr;
  /// The database to which `catalog` belongs, if it is not the home of the statement; otherwise null.
  const DatabaseView* elsewhere = nullptr;
  /// The names that a statement of a trigger's function may use; null for any other statement.
  const struct TriggerNames* trigger = nullptr;
};

/// Returns the environment in which texts of a table's definition are bound: the given one if the table is of
/// its database, otherwise `other`, which is set for it.
const BinderContext& ContextOf(const BinderContext& context, const TableEntry& table,
                               std::optional<BinderContext>& other);

/// A table or view that a query reads. Recorded for the definition of a view.
struct ReadRelation {
  CatalogEntryRef entry;
  size_t table_index;  ///< table index of its columns
  size_t position;     ///< of its name, in the query's text
  bool has_alias;
  bool has_sample;
};

/// A collection that a statement reads, and the version of its attributes when names of its paths were bound.
struct KnownAttributes {
  std::shared_ptr<const Table> collection;
  uint64_t epoch;  ///< VisibleAttributes::epoch
  /// Paths that the statement depends on: VisibleAttributes::asked.
  std::shared_ptr<const std::set<PathId>> paths;
};

/// Counters and parameter types of one statement. Used by one thread.
class BindSession {
 public:
  explicit BindSession(const BinderContext& context) : statement_context_(context), context_(&context) {}
  /// The environment, which is that of another database while a DatabaseScope lives.
  const BinderContext& context() const { return *context_; }
  /// The environment of the statement itself.
  const BinderContext& statement_context() const { return statement_context_; }

  /// The place of a relation, type or function with a name.
  struct NamePlace {
    const DatabaseView* database;  ///< null for the database of context()
    std::string schema;            ///< "" for the usual search
  };
  /// Finds out what the parts of a name mean. Within definitions, such as the query of a view, no names of
  /// databases have a meaning: they refer to what is in their own. Throws Error(kCatalog, 3D000) for a
  /// database that is not attached, and 42P09 for a first name of two that means a schema and a database.
  NamePlace PlaceOf(const std::string& database, const std::string& schema, const std::string& name,
                    size_t position) const;
  NamePlace PlaceOf(const ast::NamedTable& name) const {
    return PlaceOf(name.database, name.schema, name.name, name.position);
  }
  /// Returns the name of a relation's schema for the qualified names of its columns. Relations of other
  /// databases are known by these.
  std::string ScopeSchema(const std::string& schema) const;
  /// Returns the name of the database of context(); "" if names of databases have no meaning.
  std::string DatabaseName() const;

  /// Returns an index that no other table of the statement has.
  size_t NewTableIndex() { return next_table_index_++; }
  size_t next_table_index() const { return next_table_index_; }

  /// Counts a query. Throws 54001 if there are too many, because inlined CTEs can multiply without bound.
  void CountQuery(size_t position);

  /// The number of enclosing constructs in which a recursive query must not refer to itself.
  struct Surroundings {
    size_t subqueries = 0;   ///< subqueries in expressions
    size_t outer_joins = 0;  ///< sides of outer joins whose columns may become NULL
    size_t intersects = 0;
    size_t excepts = 0;
  };
  Surroundings surroundings;
  /// Whether data-modifying statements are allowed in WITH of the statement being bound.
  bool allows_changes = false;
  /// The level around a statement in WITH, whose names are visible to it; null for any other statement.
  struct QueryLevel* around = nullptr;
  /// Whether the meaning of the statement depends on the types of the values given for untyped parameters.
  /// This is so if it reads paths of documents or puts values into documents.
  bool follows_given_types = false;
  /// Whether the statement has the values of variables in it, and so must be bound anew each time.
  bool uses_variables = false;
  /// Whether the statement calls a temporary macro or a function of the program.
  bool uses_temporary_function = false;
  /// Returns the schema in which a name that is no relation's is to be found, or "" for the path. In stored
  /// texts names without a schema mean the default one, whatever the path is now.
  std::string SchemaOfName(const std::string& schema) const;
  /// Whether a text is being bound that the catalog has stored, but not the body of a function.
  bool is_stored_text = false;
  /// The view whose query is being bound; null outside of views.
  const ViewEntry* view = nullptr;
  /// Returns the schema in which a name without one is to be found, or "" for the usual search. The query of
  /// a view means what it meant when the view was made, whatever temporary relations there are now.
  std::string SchemaOf(std::string_view schema, std::string_view name) const;
  /// The functions whose bodies are being bound, the innermost last.
  std::vector<const struct FunctionEntry*> functions;
  /// Whether the query of a view is being bound whose rows FOR UPDATE or FOR SHARE locks.
  bool locks_rows = false;
  /// The tables whose rows the statement locks, by their storage's ids; see Transaction::SetLockedTables.
  std::vector<uint64_t> locked_tables;
  /// Collects the tables and views that the query of a new view reads; null if they are not needed.
  std::vector<ReadRelation>* reads = nullptr;

  /// Registers a collection that the statement reads, for FindCollection.
  void AddCollection(std::shared_ptr<CollectionUse> use);
  /// Returns the collection that was bound under a table index; null if it is not a collection.
  CollectionUse* FindCollection(size_t table_index) const;
  /// Returns the number of uses of collections in the statement so far.
  size_t collection_count() const { return collections_.size(); }
  /// Returns the attributes of a collection that are visible to the statement. Records them in
  /// known_attributes(), because a cached plan is valid only as long as the names of paths keep their
  /// meaning.
  const std::shared_ptr<VisibleAttributes>& AttributesOf(const TableEntry& collection);
  /// Returns the attributes of documents with this dictionary: those of a collection of the statement, or
  /// else all that the dictionary knows.
  const std::shared_ptr<VisibleAttributes>& AttributesOf(
      const std::shared_ptr<AttributeDictionary>& dictionary) const;
  /// Returns what the statement has asked so far about the attributes of each collection.
  std::vector<KnownAttributes> known_attributes() const;

  /// Records that a column of a query has document values though it does not belong to a collection.
  void NoteDocumentColumn(size_t table_index, size_t column) {
    document_columns_.emplace(table_index, column);
  }
  bool IsDocumentColumn(size_t table_index, size_t column) const {
    return document_columns_.contains({table_index, column});
  }

  /// Whether COLLATE has been bound. Without it no expression has a collation.
  bool has_collations = false;
  /// The collations of columns of queries, by table index and column.
  std::map<std::pair<size_t, size_t>, DerivedCollation> column_collations;

  void ReserveParameters(size_t count) { parameter_types_.resize(count); }
  /// Returns the type of parameter $index+1; kNull while it is undetermined.
  LogicalType ParameterType(size_t index) const;
  /// Sets the type of a parameter, unless an earlier call has set it.
  void SetParameterType(size_t index, const LogicalType& type);
  /// Makes parameters VARCHAR that are still undetermined.
  void SettleParameters();
  const std::vector<LogicalType>& parameter_types() const { return parameter_types_; }

 private:
  friend class DatabaseScope;

  const BinderContext& statement_context_;
  const BinderContext* context_;
  size_t next_table_index_ = 0;
  size_t query_count_ = 0;
  std::vector<LogicalType> parameter_types_;
  std::map<size_t, std::shared_ptr<CollectionUse>> collections_;
  std::vector<KnownAttributes> known_attributes_;
  mutable std::map<const AttributeDictionary*, std::shared_ptr<VisibleAttributes>> attributes_;
  std::set<std::pair<size_t, size_t>> document_columns_;
};

/// The time while a text is bound that the catalog has stored. Lives on the stack.
class StoredTextScope {
 public:
  explicit StoredTextScope(BindSession& session)
      : session_(session), before_(std::exchange(session.is_stored_text, true)) {}
  ~StoredTextScope() { session_.is_stored_text = before_; }
  StoredTextScope(const StoredTextScope&) = delete;
  StoredTextScope& operator=(const StoredTextScope&) = delete;

 private:
  BindSession& session_;
  const bool before_;
};

/// Returns the schema in which a statement creates what it names: the one that is written, or else the first
/// on the search path that exists. Throws Error(kCatalog, 3F000) if none does.
std::string CreationSchema(const BindSession& session, const std::string& schema, size_t position);

/// The time while names are looked up in another database: of a relation that the statement reads or writes,
/// of a definition that is stored there, of a statement that defines something there. Lives on the stack.
class DatabaseScope {
 public:
  /// Null stays in the session's database.
  DatabaseScope(BindSession& session, const DatabaseView* database);
  /// Goes to the database of a table.
  DatabaseScope(BindSession& session, const TableEntry& table);
  /// Goes back to the home of the statement, as for the query of CREATE TABLE AS.
  static DatabaseScope OfStatement(BindSession& session);
  ~DatabaseScope() { session_.context_ = before_; }
  DatabaseScope(const DatabaseScope&) = delete;
  DatabaseScope& operator=(const DatabaseScope&) = delete;

 private:
  DatabaseScope(BindSession& session, const BinderContext& context)
      : session_(session), before_(session.context_) {
    session_.context_ = &context;
  }
  void Enter(const DatabaseView& database);

  BindSession& session_;
  const BinderContext* before_;
  std::optional<BinderContext> context_;  // of the other database
};

}  // namespace scaup
