// State of binding one statement: counters, collections, parameter types.
#include "binder/scope/bind_session.hpp"

#include "binder/scope/document_source.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/throw.hpp"
#include "document/visible_attributes.hpp"

namespace scaup {

namespace {
constexpr size_t kMaxQueries = 10'000;
}

void BindSession::CountQuery(size_t position) {
  if (++query_count_ <= kMaxQueries) return;
  ThrowError(ErrorKind::kNotSupported, sqlstate::kStatementTooComplex,
             "the statement has more than 10000 queries once its WITH queries are written out; "
             "store intermediate results in tables",
             position);
}

std::string BindSession::SchemaOf(std::string_view schema, std::string_view name) const {
  if (!schema.empty() || view == nullptr) return std::string(schema);
  const bool is_temporary = IsTemporarySchema(view->schema) && view->FindSource(kTemporarySchema, name);
  return is_temporary ? kTemporarySchema : Catalog::kDefaultSchema;
}

std::string BindSession::SchemaOfName(const std::string& schema) const {
  const bool is_fixed = is_stored_text || (view != nullptr && !IsTemporarySchema(view->schema));
  return schema.empty() && is_fixed ? std::string(Catalog::kDefaultSchema) : schema;
}

std::string CreationSchema(const BindSession& session, const std::string& schema, size_t position) {
  if (!schema.empty()) return schema;
  const BinderContext& context = session.context();
  const SearchPath* const path = SearchPath::Of(context.transaction);
  if (path == nullptr) return Catalog::kDefaultSchema;
  for (const std::string& one : path->named())
    if (IsTemporarySchema(one) || context.catalog.FindSchema(context.transaction, one)) return one;
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
             "no schema has been selected to create in: search_path names none that exists", position);
}

namespace {

/// Returns the environment of another database than that of `context`.
BinderContext ContextIn(const BinderContext& context, const DatabaseView& database) {
  BinderContext other{*database.catalog, *database.transaction, context.functions, context.registry,
                      context.settings};
  other.foreign = context.foreign;
  other.rows_of = context.rows_of;
  other.variables = context.variables;
  other.checks_bodies = context.checks_bodies;
  other.called = context.called;
  other.hosted = context.hosted;
  other.databases = context.databases;
  other.elsewhere = &database == &context.databases->home() ? nullptr : &database;
  return other;
}

bool IsOf(const BinderContext& context, const DatabaseView& database) {
  return database.catalog == &context.catalog;
}

/// Returns the database to which an environment belongs. REQUIRES: it has databases.
const DatabaseView& DatabaseOf(const BinderContext& context) {
  SCAUP_ASSERT(context.databases != nullptr);
  return context.elsewhere != nullptr ? *context.elsewhere : context.databases->home();
}

[[noreturn]] void ThrowInDefinition(size_t position) {
  ThrowNotSupported(
      "definitions name no databases: what a view or a function uses is in its own database. Leave the "
      "database's name out; in another database, use a query or a table made of one",
      position);
}

/// Returns whether the temporary schema has a relation of that name.
bool IsTemporaryRelation(const DatabaseView& main, const std::string& name) {
  return main.catalog->FindRelation(*main.transaction, kTemporarySchema, name) != nullptr;
}

}  // namespace

const BinderContext& ContextOf(const BinderContext& context, const TableEntry& table,
                               std::optional<BinderContext>& other) {
  if (context.databases == nullptr || !table.storage) return context;
  const DatabaseView& database = context.databases->Of(*table.storage);
  if (IsOf(context, database)) return context;
  other.emplace(ContextIn(context, database));
  return *other;
}

DatabaseScope::DatabaseScope(BindSession& session, const DatabaseView* database)
    : DatabaseScope(session, session.context()) {
  if (database != nullptr) Enter(*database);
}

DatabaseScope::DatabaseScope(BindSession& session, const TableEntry& table)
    : DatabaseScope(session, session.context()) {
  const BinderContext& context = session.context();
  if (context.databases != nullptr && table.storage) Enter(context.databases->Of(*table.storage));
}

DatabaseScope DatabaseScope::OfStatement(BindSession& session) {
  return {session, session.statement_context()};
}

void DatabaseScope::Enter(const DatabaseView& database) {
  if (IsOf(session_.context(), database)) return;
  context_.emplace(ContextIn(session_.context(), database));
  session_.context_ = &*context_;
}

BindSession::NamePlace BindSession::PlaceOf(const std::string& database, const std::string& schema,
                                            const std::string& name, size_t position) const {
  const DatabaseViews* const all = context().databases;
  const bool is_stored = view != nullptr || !functions.empty();
  if (!database.empty() && (is_stored || reads != nullptr)) ThrowInDefinition(position);
  if (is_stored) return {nullptr, SchemaOf(schema, name)};
  if (all == nullptr) {
    if (!database.empty()) ThrowNotSupported("a database name in front of the schema", position);
    return {nullptr, schema};
  }
  const DatabaseView& own = DatabaseOf(context());
  if (!database.empty()) return {&all->Require(database, position), schema};
  if (IsTemporarySchema(schema) ||
      (schema.empty() && !IsOf(context(), all->main()) && IsTemporaryRelation(all->main(), name)))
    return {&all->main(), kTemporarySchema};
  if (schema.empty()) return {nullptr, ""};
  const DatabaseView* const first = all->FirstOfTwo(schema, own, position);
  if (first == nullptr) return {nullptr, schema};
  if (reads != nullptr) ThrowInDefinition(position);
  return {first, ""};
}

std::string BindSession::ScopeSchema(const std::string& schema) const {
  const BinderContext& here = context();
  const bool is_other = here.databases != nullptr && &here.catalog != &statement_context_.catalog &&
                        !IsTemporarySchema(schema) && view == nullptr;
  return is_other && schema == Catalog::kDefaultSchema ? DatabaseOf(here).name : schema;
}

std::string BindSession::DatabaseName() const {
  return context().databases == nullptr || view != nullptr ? "" : DatabaseOf(context()).name;
}

void BindSession::AddCollection(std::shared_ptr<CollectionUse> use) {
  const size_t table_index = use->table_index();
  collections_.emplace(table_index, std::move(use));
}

const std::shared_ptr<VisibleAttributes>& BindSession::AttributesOf(const TableEntry& collection) {
  follows_given_types = true;
  auto& attributes = attributes_[collection.storage->attributes().get()];
  if (!attributes) {
    attributes = std::make_shared<VisibleAttributes>(collection.AttributesSeenBy(context().transaction));
    known_attributes_.push_back({collection.storage, attributes->epoch(), nullptr});
  }
  return attributes;
}

std::vector<KnownAttributes> BindSession::known_attributes() const {
  std::vector<KnownAttributes> known = known_attributes_;
  for (KnownAttributes& each : known) {
    const VisibleAttributes& attributes = *attributes_.at(each.collection->attributes().get());
    each.paths = std::make_shared<const std::set<PathId>>(attributes.asked());
  }
  return known;
}

const std::shared_ptr<VisibleAttributes>& BindSession::AttributesOf(
    const std::shared_ptr<AttributeDictionary>& dictionary) const {
  auto& attributes = attributes_[dictionary.get()];
  if (!attributes) attributes = std::make_shared<VisibleAttributes>(dictionary);
  return attributes;
}

CollectionUse* BindSession::FindCollection(size_t table_index) const {
  const auto found = collections_.find(table_index);
  return found == collections_.end() ? nullptr : found->second.get();
}

LogicalType BindSession::ParameterType(size_t index) const {
  return index < parameter_types_.size() ? parameter_types_[index] : LogicalType(TypeId::kNull);
}

void BindSession::SetParameterType(size_t index, const LogicalType& type) {
  if (index >= parameter_types_.size()) parameter_types_.resize(index + 1);
  if (parameter_types_[index].id() == TypeId::kNull) parameter_types_[index] = type;
}

void BindSession::SettleParameters() {
  for (auto& type : parameter_types_) {
    if (type.id() == TypeId::kNull) type = TypeId::kVarchar;
  }
}

}  // namespace scaup
