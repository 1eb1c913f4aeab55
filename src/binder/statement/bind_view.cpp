// Binds CREATE VIEW and ALTER VIEW, and the query of a view where the view is used.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "binder/bound/bound_definition.hpp"
#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/literal.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/scope/written_view.hpp"
#include "binder/statement/path_texts.hpp"
#include "binder/statement/sequence_texts.hpp"
#include "binder/statement/view_renaming.hpp"
#include "catalog/temporary_schema.hpp"
#include "catalog/view_paths.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "document/attribute/document_path.hpp"
#include "parser/parser.hpp"
#include "type/type_name.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

/// Sets the view that the session is binding, and restores the previous one at the end.
class ViewScope {
 public:
  ViewScope(BindSession& session, const ViewEntry* view)
      : session_(session), view_(session.view), reads_(session.reads) {
    session.view = view;
    session.reads = nullptr;
  }
  ~ViewScope() {
    session_.view = view_;
    session_.reads = reads_;
  }
  ViewScope(const ViewScope&) = delete;
  ViewScope& operator=(const ViewScope&) = delete;

 private:
  BindSession& session_;
  const ViewEntry* view_;
  std::vector<ReadRelation>* reads_;
};

void CollectColumns(BoundQuery& query, std::set<ColumnBinding>& columns);

void CollectColumns(Expression& expression, std::set<ColumnBinding>& columns) {
  CheckStack();
  if (expression.kind() == ExpressionKind::kColumnRef)
    columns.insert(expression.As<ColumnRefExpression>().binding);
  if (expression.kind() == ExpressionKind::kSubquery)
    CollectColumns(*expression.As<SubqueryExpression>().query, columns);
  expression.ForEachChild([&](ExpressionPtr& child) { CollectColumns(*child, columns); });
}

/// Collects all columns that the query refers to, including the queries inside it.
void CollectColumns(BoundQuery& query, std::set<ColumnBinding>& columns) {
  CheckStack();
  ForEachQueryExpression(query, [&](ExpressionPtr& expression) { CollectColumns(*expression, columns); });
  ForEachDirectQuery(query, [&](BoundQuery& inner) { CollectColumns(inner, columns); });
}

std::vector<std::string> ColumnNames(const CatalogEntry& relation) {
  std::vector<std::string> names;
  if (relation.kind == CatalogEntryKind::kView) {
    for (const auto& column : static_cast<const ViewEntry&>(relation).columns) names.push_back(column.name);
  } else {
    const auto& table = static_cast<const TableEntry&>(relation);
    for (const size_t column : table.VisibleColumns()) names.push_back(table.columns[column].name);
  }
  return names;
}

/// Returns the column of the relation that ColumnNames has at a place.
size_t PlaceOf(const CatalogEntry& relation, size_t i) {
  return relation.kind == CatalogEntryKind::kTable
             ? static_cast<const TableEntry&>(relation).VisibleColumns()[i]
             : i;
}

const std::string& SchemaOf(const CatalogEntry& relation) {
  return relation.kind == CatalogEntryKind::kView ? static_cast<const ViewEntry&>(relation).schema
                                                  : static_cast<const TableEntry&>(relation).schema;
}

void AddNew(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

/// Adds the paths that another reference to the same collection reads.
void AddPaths(ViewSource& source, std::vector<ViewPath> paths) {
  std::vector<ViewPath> before = HasPaths(source) ? PathsOf(source) : std::vector<ViewPath>();
  const bool has_star = !before.empty() && before[0].is_in_star;
  if (!has_star) std::swap(before, paths);  // the paths of * come first
  std::vector<ViewPath> all;
  std::set<std::string> added;
  for (auto* list : {&before, &paths}) {
    for (ViewPath& path : *list) {
      if (added.insert(path.name).second) all.push_back(std::move(path));
    }
  }
  SetPaths(source, all);
}

/// Lists the tables and views that the query reads, each once. `given` is a view that already knows some of
/// them; it may be null.
std::vector<ViewSource> SourcesOf(const BindSession& session, BoundQuery& query, const ViewEntry* given) {
  std::set<ColumnBinding> used;
  CollectColumns(query, used);
  std::vector<ViewSource> sources;
  for (const ReadRelation& read : *session.reads) {
    const std::string& schema = SchemaOf(*read.entry);
    auto source = std::find_if(sources.begin(), sources.end(), [&](const ViewSource& other) {
      return other.schema == schema && other.name == read.entry->name;
    });
    const std::vector<std::string> names = ColumnNames(*read.entry);
    if (source == sources.end()) {
      source = sources.insert(sources.end(), ViewSource{schema, read.entry->name, names, {}});
      const ViewSource* known = given == nullptr ? nullptr : given->FindSource(schema, read.entry->name);
      if (known != nullptr) source->columns = known->columns;
      if (known != nullptr && HasPaths(*known)) source->used_columns = known->used_columns;
    }
    if (CollectionUse* use = session.FindCollection(read.table_index)) {
      // A given view has the final list of paths, so paths found during name lookup are not added.
      const bool is_known = given != nullptr && given->FindSource(schema, read.entry->name) != nullptr;
      if (is_known && HasPaths(*source)) continue;
      if (!HasPaths(*source)) source->columns.clear();
      AddPaths(*source, use->ReadPaths());
      continue;
    }
    for (size_t i = 0; i < names.size(); i++) {
      if (used.contains({read.table_index, PlaceOf(*read.entry, i)})) AddNew(source->used_columns, names[i]);
    }
  }
  return sources;
}

[[noreturn]] void ThrowDefinition(const std::string& message, size_t position) {
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidTableDefinition, message, position);
}

std::vector<ViewEntry::Column> ColumnsOf(const BindSession& session, BoundQuery& query,
                                         const ast::CreateViewStatement& statement) {
  if (statement.column_names.size() > query.names.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               "CREATE VIEW specifies more column names than columns", statement.view.position);
  }
  std::vector<ViewEntry::Column> columns;
  std::set<std::string_view> names;
  for (size_t i = 0; i < query.names.size(); i++) {
    columns.push_back(
        {i < statement.column_names.size() ? statement.column_names[i] : query.names[i], query.types[i]});
    columns.back().collation =
        StoredCollation(CollationOfColumn(session, query, i), columns.back().name, statement.view.position);
  }
  for (const ViewEntry::Column& column : columns) {
    if (!names.insert(column.name).second) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                 fmt::format("column \"{}\" specified more than once; give it another name", column.name),
                 statement.view.position);
    }
  }
  return columns;
}

/// CREATE OR REPLACE VIEW may only add columns, because others may use the existing ones.
void CheckReplacement(const ViewEntry& old, const ViewEntry& view, size_t position) {
  if (view.columns.size() < old.columns.size())
    ThrowDefinition("cannot drop columns from view; drop the view and make it again", position);
  for (size_t i = 0; i < old.columns.size(); i++) {
    const ViewEntry::Column &before = old.columns[i], &after = view.columns[i];
    if (before.name != after.name) {
      ThrowDefinition(
          fmt::format("cannot change name of view column \"{}\" to \"{}\"", before.name, after.name),
          position);
    }
    if (before.collation != after.collation) {
      const auto shown = [](const std::string& collation) {
        return collation.empty() ? "default" : collation;
      };
      ThrowDefinition(fmt::format("cannot change collation of view column \"{}\" from \"{}\" to \"{}\"",
                                  before.name, shown(before.collation), shown(after.collation)),
                      position);
    }
    if (!(before.type == after.type)) {
      ThrowDefinition(fmt::format("cannot change data type of view column \"{}\" from {} to {}", before.name,
                                  before.type.ToString(), after.type.ToString()),
                      position);
    }
  }
}

void RenameViewColumn(ViewEntry& view, const ast::RenameStatement& statement) {
  const auto find = [&](const std::string& name) {
    return std::find_if(view.columns.begin(), view.columns.end(),
                        [&](const ViewEntry::Column& column) { return column.name == name; });
  };
  const auto column = find(statement.column);
  if (column == view.columns.end()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
               fmt::format("column \"{}\" of view \"{}\" does not exist", statement.column, view.name),
               statement.from.position);
  }
  if (find(statement.to) != view.columns.end()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
               fmt::format("column \"{}\" of view \"{}\" already exists", statement.to, view.name),
               statement.from.position);
  }
  column->name = statement.to;
}

/// Copies the comments of the view that is replaced.
void TakeComments(const ViewEntry& old, ViewEntry& view) {
  view.comment = old.comment;
  for (size_t i = 0; i < old.columns.size(); i++) view.columns[i].comment = old.columns[i].comment;
}

/// Throws 42P17 if the new version of `view` would read itself.
void CheckNoCycle(BindSession& session, const ViewEntry& view, const ViewEntry& from, size_t position) {
  CheckStack();
  const BinderContext& context = session.context();
  for (const ViewSource& source : from.sources) {
    if (source.schema == view.schema && source.name == view.name) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidObjectDefinition,
                 fmt::format("view \"{}\" would read itself", view.name), position);
    }
    if (const auto inner = context.catalog.Find<ViewEntry>(context.transaction, source.schema, source.name))
      CheckNoCycle(session, view, *inner, position);
  }
}

}  // namespace

/// Reads document values as the types that the view has for them, because the types of paths may have
/// changed.
static void ReadAsColumns(BindSession& session, const ViewEntry& view, BoundQuery& query) {
  if (query.kind != BoundQueryKind::kSelect || query.types.size() != view.columns.size()) return;
  const bool reads_documents = std::any_of(view.sources.begin(), view.sources.end(), HasPaths);
  auto& select = query.As<BoundSelect>();
  for (size_t i = 0; i < query.types.size(); i++) {
    ExpressionPtr& item = select.items[i];
    const LogicalType& type = view.columns[i].type;
    if (query.types[i] == type) continue;
    if (IsDocumentValue(session, *item)) {
      item = ReadAs(session, std::move(item), type);
    } else if (reads_documents && CastExists(query.types[i], type)) {
      item = AddCast(std::move(item), type, true);
    } else {
      continue;
    }
    query.types[i] = type;
  }
}

std::vector<ast::StatementPtr> ParseViewQuery(BindSession& session, const ViewEntry& view) {
  const BinderContext& context = session.context();
  const bool may_hide =
      context.elsewhere != nullptr || SearchPath::Of(context.transaction) != nullptr ||
      (TemporarySchema::Of(context.transaction) != nullptr && !IsTemporarySchema(view.schema));
  return Parser(context.settings.max_expression_depth)
      .Parse(may_hide ? WithSequenceSchemas(context, view.text, false) : view.text);
}

BoundQueryPtr BindViewQuery(BindSession& session, const ViewEntryRef& view, size_t position) {
  CheckStack();
  const bool is_in_view = session.view != nullptr;
  const ViewScope scope(session, view.get());
  BoundQueryPtr query;
  const size_t known = session.collection_count();
  try {
    const auto statements = ParseViewQuery(session, *view);
    SCAUP_CHECK(statements.size() == 1 && statements[0]->kind == ast::StatementKind::kSelect);
    query = BindQuery(session, statements[0]->As<ast::SelectStatement>(), nullptr);
  } catch (const Error& error) {
    // Adding the name of every nested view would make a long message that does not explain the cause.
    if (error.sqlstate() == std::string_view(sqlstate::kStatementTooComplex)) throw;
    Error named(error.kind(), error.sqlstate(),
                fmt::format("in view \"{}\": {}", view->name, error.message()));
    named.SetPositionIfUnknown(position);
    throw named;
  }
  // The outermost view's call does this for all nested views, too.
  if (!is_in_view) ForgetPositions(*query);
  ReadAsColumns(session, *view, *query);
  bool fits = query->types.size() == view->columns.size();
  // The types of paths may differ now from those at the creation of the view.
  const bool reads_documents = session.collection_count() > known;
  for (size_t i = 0; fits && !reads_documents && i < query->types.size(); i++)
    fits = query->types[i] == view->columns[i].type;
  if (!fits) {
    ThrowDefinition(
        fmt::format("the query of view \"{}\" no longer gives the columns that the view has; drop "
                    "the view and make it again",
                    view->name),
        position);
  }
  return query;
}

/// Reads WITH (sources = '...') as a view with columns and sources, so that the query is bound like that of
/// an existing view. Returns null if it is not given.
static ViewEntryRef GivenView(BindSession& session, const ast::CreateViewStatement& statement) {
  if (statement.sources.empty()) return nullptr;
  const auto fail = [](const std::string& reason) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue, reason);
  };
  std::vector<ViewEntry::Column> columns;
  std::vector<ViewSource> sources;
  const BinderContext& context = session.context();
  bool is_first = true;
  try {
    for (const auto& part : Parser(context.settings.max_expression_depth).Parse(statement.sources)) {
      if (part->kind != ast::StatementKind::kCreateTable) fail("only CREATE TABLE can stand there");
      const auto& table = part->As<ast::CreateTableStatement>();
      if (std::exchange(is_first, false)) {
        for (const ast::ColumnDefinition& column : table.columns)
          columns.push_back({column.name, BindTypeName(&session, column.type)});
        continue;
      }
      const auto relation =
          context.catalog.FindRelation(context.transaction, table.table.schema, table.table.name);
      if (!relation) fail(fmt::format("\"{}\" does not exist", table.table.name));
      const bool is_collection = relation->kind == CatalogEntryKind::kTable &&
                                 static_cast<const TableEntry&>(*relation).is_collection();
      const bool is_again = !sources.empty() && HasPaths(sources.back()) &&
                            sources.back().name == relation->name &&
                            sources.back().schema == SchemaOf(*relation);
      if (!is_again) sources.push_back({SchemaOf(*relation), relation->name, {}, {}});
      ViewSource& source = sources.back();
      std::vector<ViewPath> paths = is_again ? PathsOf(source) : std::vector<ViewPath>();
      for (const ast::ColumnDefinition& column : table.columns) {
        source.columns.push_back(column.name);
        if (is_collection && !SplitPath(column.name)) fail(fmt::format("\"{}\" is no path", column.name));
        if (is_collection) paths.push_back({column.name, BindTypeName(&session, column.type), !is_again});
      }
      if (is_collection) SetPaths(source, paths);
    }
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::kInterrupted) throw;
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               fmt::format("sources of view \"{}\": {}", statement.view.name, error.message()),
               statement.sources_position);
  }
  return std::make_shared<ViewEntry>("", statement.view.name, std::move(columns), statement.query_text,
                                     std::move(sources));
}

/// Sets the view that is replaced. Returns false if nothing is to be done, and throws if the name is taken.
static bool ClaimViewName(BindSession& session, const std::string& schema,
                          const ast::CreateViewStatement& statement, BoundCreateView& create) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = statement.view;
  const CatalogEntryRef existing = context.catalog.FindRelation(context.transaction, schema, name.name);
  if (existing && statement.if_not_exists) return false;
  if (existing && statement.or_replace) {
    if (existing->kind != CatalogEntryKind::kView) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
                 fmt::format("\"{}\" is {}, not a view", name.name, KindWithArticle(*existing)),
                 name.position);
    }
    create.old = std::static_pointer_cast<const ViewEntry>(existing);
  } else if (existing) {
    ThrowError(ErrorKind::kCatalog, DuplicateState(existing->kind),
               fmt::format("{} \"{}\" already exists", KindName(*existing), name.name), name.position);
  }
  return true;
}

/// Throws 0A000 for a view WITH CHECK OPTION whose rows cannot be changed.
static void CheckCanBeChanged(BindSession& session, const ViewEntryRef& view, size_t position) {
  try {
    BindWrittenView(session, view, position, session.NewTableIndex());
  } catch (const Error& error) {
    if (error.sqlstate() != std::string_view(sqlstate::kObjectNotInPrerequisiteState)) throw;
    ThrowNotSupported(
        fmt::format("WITH CHECK OPTION is supported only on views whose rows can be changed: {}",
                    error.message()),
        position);
  }
}

BoundStatementPtr BindCreateView(BindSession& session, const ast::CreateViewStatement& statement) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = statement.view;
  auto create = std::make_unique<BoundCreateView>();
  if (!context.catalog.FindSchema(context.transaction, name.schema)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
               fmt::format("schema \"{}\" does not exist", name.schema), name.position);
  }
  std::string schema = CreationSchema(session, name.schema, name.position);
  // Only the bound query tells whether the view will be temporary, and so where its name must be free.
  const bool may_become_temporary =
      name.schema.empty() && TemporarySchema::Of(context.transaction) != nullptr;
  if (!may_become_temporary && !ClaimViewName(session, schema, statement, *create)) return create;
  if (statement.parameter_count != 0) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedParameter, "a view cannot have parameters",
               statement.query->position);
  }
  const std::string query_text = QueryWithSchemasOfPath(session.context(), statement.query_text);
  const bool names_temporary = NamesTemporarySequence(context, query_text);
  const std::string text = names_temporary || IsTemporarySchema(schema)
                               ? WithSequenceSchemas(context, query_text, true)
                               : query_text;
  CheckSequencesExist(context, SequencesIn(text), statement.query->position);
  std::vector<ReadRelation> reads;
  const ViewEntryRef given = GivenView(session, statement);
  session.view = given.get();
  session.reads = &reads;
  BoundQueryPtr query = BindQuery(session, *statement.query, nullptr);
  if (given) ReadAsColumns(session, *given, *query);
  std::vector<ViewSource> sources = SourcesOf(session, *query, given.get());
  session.reads = nullptr;
  session.view = nullptr;
  const bool uses_temporary = names_temporary || session.uses_temporary_function ||
                              std::any_of(sources.begin(), sources.end(), [](const ViewSource& source) {
                                return IsTemporarySchema(source.schema);
                              });
  if (uses_temporary && !IsTemporarySchema(schema)) {
    // As in PostgreSQL, a view of what is temporary is temporary itself.
    if (!name.schema.empty()) {
      ThrowError(
          ErrorKind::kCatalog, sqlstate::kInvalidTableDefinition,
          fmt::format("view \"{}\" reads a temporary relation, so it must be temporary: it cannot be in "
                      "schema \"{}\"",
                      name.name, name.schema),
          name.position);
    }
    schema = kTemporarySchema;
  }
  if (may_become_temporary && !ClaimViewName(session, schema, statement, *create)) return create;
  auto view = std::make_shared<ViewEntry>(schema, name.name, ColumnsOf(session, *query, statement),
                                          uses_temporary ? text : query_text, std::move(sources));
  view->check_option = static_cast<ViewCheckOption>(statement.check_option);
  if (create->old) CheckNoCycle(session, *view, *view, name.position);  // nothing can read a new view yet
  if (create->old) {
    CheckReplacement(*create->old, *view, name.position);
    TakeComments(*create->old, *view);
  }
  if (view->check_option != ViewCheckOption::kNone) CheckCanBeChanged(session, view, name.position);
  create->view = std::move(view);
  if (statement.is_materialized) MakeMaterialized(session, statement, std::move(query), *create);
  return create;
}

BoundStatementPtr BindRenameView(BindSession& session, const ast::RenameStatement& statement) {
  const BinderContext& context = session.context();
  const ast::NamedTable& name = statement.from;
  auto rename = std::make_unique<BoundCreateView>();
  const CatalogEntryRef existing = context.catalog.FindRelation(context.transaction, name.schema, name.name);
  if (!existing) {
    if (statement.if_exists) return rename;
    ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
               fmt::format("view \"{}\" does not exist", name.name), name.position);
  }
  if (existing->kind != CatalogEntryKind::kView) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is {}, not a view", name.name, KindWithArticle(*existing)), name.position);
  }
  rename->old = std::static_pointer_cast<const ViewEntry>(existing);
  auto renamed = std::make_shared<ViewEntry>(*rename->old);
  RelationRenaming renaming{rename->old, renamed->schema, renamed->name, {}};
  const std::string& schema = statement.to_schema.empty() ? renamed->schema : statement.to_schema;
  const std::string& new_name = statement.to_schema.empty() ? statement.to : renamed->name;
  if (!statement.to_schema.empty()) CheckMove(context, renamed->schema, schema, name.position);
  if (!statement.to_schema.empty() && schema == renamed->schema) return std::make_unique<BoundCreateView>();
  if (!statement.column.empty()) {
    RenameViewColumn(*renamed, statement);
    renaming.columns.emplace_back(statement.column, statement.to);
  } else if (context.catalog.FindRelation(context.transaction, schema, new_name)) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateTable,
               fmt::format("relation \"{}\" already exists", new_name), name.position);
  } else {
    renaming.schema = schema;
    renaming.name = new_name;
    renamed->schema = renaming.schema;
    renamed->name = renaming.name;
  }
  rename->readers = RenameInViews(session, renaming, name.position);
  rename->view = std::move(renamed);
  return rename;
}

}  // namespace scaup
