// Lists the catalog for the system table functions.
#include "main/statement/catalog_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "binder/scope/written_view.hpp"
#include "binder/statement/renaming.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "catalog/function_changes.hpp"
#include "catalog/table_reading.hpp"
#include "catalog/temporary_schema.hpp"
#include "common/settings/search_path_text.hpp"
#include "common/throw.hpp"
#include "document/document_record.hpp"
#include "document/visible_attributes.hpp"
#include "main/database/integrity_check.hpp"
#include "main/statement/cursors.hpp"
#include "main/statement/named_statements.hpp"
#include "main/statement/zone_text.hpp"
#include "parser/pg_query/pg_query_bridge.hpp"
#include "storage/file/block_pointer.hpp"
#include "storage/shredded/attribute_counts.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/table/table_documents.hpp"
#include "storage/table/table_sampler.hpp"
#include "system/system_relations.hpp"
#include "type/schema_name.hpp"

namespace scaup {

namespace {

const char* TypeName(AttributeType type) {
  switch (type) {
    case AttributeType::kNull: return "NULL";
    case AttributeType::kBoolean: return "BOOLEAN";
    case AttributeType::kInteger:
    case AttributeType::kLongInteger: return "BIGINT";
    case AttributeType::kHugeInteger: return "HUGEINT";
    case AttributeType::kDouble: return "DOUBLE";
    case AttributeType::kNumber: return "NUMBER";
    case AttributeType::kString: return "VARCHAR";
    case AttributeType::kEmptyObject: return "OBJECT";
    case AttributeType::kEmptyArray: return "ARRAY";
    case AttributeType::kBooleanArray: return "BOOLEAN[]";
    case AttributeType::kIntegerArray:
    case AttributeType::kLongIntegerArray: return "BIGINT[]";
    case AttributeType::kDoubleArray: return "DOUBLE[]";
    case AttributeType::kStringArray: return "VARCHAR[]";
    case AttributeType::kArray: return "JSON[]";
  }
  return "";
}

StorageSegmentListing ListSegment(const RowGroup& row_group, size_t column, const LogicalType& type) {
  const auto segment = row_group.column(column);
  SegmentSummary summary = segment->Summarize();
  StorageSegmentListing listing;
  listing.column = column;
  listing.row_count = row_group.row_count();
  listing.encoding = summary.encoding;
  listing.size_bytes = summary.size_bytes;
  listing.block_ids = std::move(summary.block_ids);
  // Rows in memory are durable, too, but only in the log until the next checkpoint.
  listing.is_persistent = row_group.is_stored();
  listing.minimum = MinimumText(segment->zone(), type);
  listing.maximum = MaximumText(segment->zone(), type);
  listing.null_count = segment->zone().null_count;
  return listing;
}

/// Returns CREATE INDEX without the semicolon, as PostgreSQL's pg_indexes has it.
std::string DefinitionText(const IndexEntry& index, const TableEntry& table) {
  const std::string statement = CreateStatementOf(index, table);
  return statement.substr(0, statement.rfind(';'));
}

ColumnListing ListColumn(const ColumnDefinition& column) {
  ColumnListing listing{column.name, column.type, column.not_null, column.default_text,
                        column.generated_text};
  using Identity = ColumnListing::Identity;
  if (column.identity == IdentityKind::kAlways) listing.identity = Identity::kAlways;
  if (column.identity == IdentityKind::kByDefault) listing.identity = Identity::kByDefault;
  listing.comment = column.comment;
  listing.collation = column.collation;
  return listing;
}

/// Returns the columns that the condition of a CHECK names, in the order of the table. Its tokens tell it,
/// without binding.
std::vector<std::string> ColumnsNamed(const std::string& condition,
                                      const std::vector<ColumnDefinition>& columns) {
  const std::vector<Token> tokens = ScanTokens(condition).tokens;
  std::set<std::string> names;
  for (size_t i = 0; i < tokens.size(); i++) {
    const bool is_call = i + 1 < tokens.size() && tokens[i + 1].Is('(');
    if (!is_call) names.insert(NameOfToken(condition, tokens[i]));
  }
  std::vector<std::string> found;
  for (const ColumnDefinition& column : columns)
    if (names.contains(column.name)) found.push_back(column.name);
  return found;
}

void SetDeferral(const Deferral& deferral, ConstraintListing& listing) {
  listing.is_deferrable = deferral.is_deferrable;
  listing.is_deferred = deferral.is_deferred;
}

std::vector<ConstraintListing> ListConstraints(const TableEntry& table) {
  using Kind = ConstraintListing::Kind;
  const TableConstraints& constraints = table.constraints;
  std::vector<ConstraintListing> listings;
  for (const UniqueConstraint& unique : constraints.uniques) {
    ConstraintListing& listing = listings.emplace_back();
    listing.kind = unique.is_primary ? Kind::kPrimaryKey : Kind::kUnique;
    listing.name = unique.name;
    listing.columns = unique.columns;
    listing.comment = unique.comment;
    SetDeferral(unique.deferral, listing);
  }
  for (const CheckConstraint& check : constraints.checks) {
    ConstraintListing& listing = listings.emplace_back();
    listing.name = check.name;
    listing.check_text = check.text;
    listing.columns = ColumnsNamed(check.text, table.columns);
    listing.comment = check.comment;
    listing.is_validated = check.is_validated;
  }
  for (const ForeignKey& key : constraints.foreign_keys) {
    ConstraintListing& listing = listings.emplace_back();
    listing.kind = Kind::kForeignKey;
    listing.name = key.name;
    listing.columns = key.columns;
    listing.referenced_schema = key.referenced_schema;
    listing.referenced_table = key.referenced_table;
    listing.referenced_columns = key.referenced_columns;
    listing.on_delete = ActionText(key.on_delete);
    listing.on_update = ActionText(key.on_update);
    listing.comment = key.comment;
    listing.is_validated = key.is_validated;
    SetDeferral(key.deferral, listing);
  }
  return listings;
}

TriggerListing ListTrigger(const TableEntry& table, const TriggerDefinition& trigger) {
  TriggerListing listing;
  listing.name = trigger.name;
  listing.is_before = trigger.timing == TriggerTiming::kBefore;
  listing.is_for_each_row = trigger.is_for_each_row;
  listing.on_insert = (trigger.events & kOnInsert) != 0;
  listing.on_update = (trigger.events & kOnUpdate) != 0;
  listing.on_delete = (trigger.events & kOnDelete) != 0;
  listing.update_columns = trigger.update_columns;
  listing.old_table = trigger.old_table;
  listing.new_table = trigger.new_table;
  listing.condition = trigger.condition;
  listing.function_schema = trigger.function_schema;
  listing.function = trigger.function;
  listing.arguments = trigger.arguments;
  listing.mode = "ODAR"[static_cast<size_t>(trigger.mode)];
  listing.definition = CreateStatementOf(trigger, table);
  // Without the semicolon and the line feed, which are for scripts.
  listing.definition.resize(listing.definition.size() - 2);
  listing.action = listing.definition.substr(listing.definition.rfind(" EXECUTE FUNCTION ") + 1);
  listing.comment = trigger.comment;
  return listing;
}

std::vector<TriggerListing> ListTriggers(const TableEntry& table) {
  std::vector<TriggerListing> listings;
  for (const TriggerDefinition& trigger : table.constraints.triggers)
    listings.push_back(ListTrigger(table, trigger));
  return listings;
}

std::string_view SequenceTypeName(SequenceOptions::Type type) {
  switch (type) {
    case SequenceOptions::Type::kSmallInt: return "smallint";
    case SequenceOptions::Type::kInteger: return "integer";
    case SequenceOptions::Type::kBigInt: break;
  }
  return "bigint";
}

SequenceListing ListSequence(const SequenceEntry& sequence) {
  SequenceListing listing;
  listing.schema = sequence.schema;
  listing.name = sequence.name;
  listing.type = SequenceTypeName(sequence.options.type);
  listing.start = sequence.options.start;
  listing.minimum = sequence.options.minimum;
  listing.maximum = sequence.options.maximum;
  listing.increment = sequence.options.increment;
  listing.cache = sequence.options.cache;
  listing.cycle = sequence.options.cycle;
  const SequenceState::Position position = sequence.state->position();
  // As in PostgreSQL, a sequence that was never used has no last value.
  if (position.is_called) listing.last_value = position.value;
  listing.owner_table = sequence.owner_table;
  listing.owner_column = sequence.owner_column;
  listing.comment = sequence.comment;
  return listing;
}

/// Restores the order by schema and name of a list whose default schema has another name than in the catalog.
template <typename Listing>
std::vector<Listing> InOrder(std::vector<Listing> listings) {
  const auto is_before = [](const Listing& a, const Listing& b) { return a.schema < b.schema; };
  std::stable_sort(listings.begin(), listings.end(), is_before);
  return listings;
}

}  // namespace

std::string CatalogListing::Shown(const std::string& schema) const {
  return schema == kDefaultSchemaName ? std::string(default_schema_) : schema;
}

std::vector<std::string> CatalogListing::Schemas() const {
  std::vector<std::string> names;
  for (const auto& schema : catalog_.Schemas(transaction_)) names.push_back(Shown(schema->name));
  std::sort(names.begin(), names.end());
  return names;
}

DatabaseListing::Searched CatalogListing::SearchedSchemas() const {
  const TemporarySchema* const temporary = TemporarySchema::Of(transaction_);
  const bool has_temporary = temporary != nullptr && !temporary->IsEmpty(transaction_);
  const auto has = [](const std::vector<std::string>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  Searched searched;
  searched.named.clear();
  const std::vector<std::string> path = SplitSearchPath(SearchPathText(settings_)).value();
  for (const std::string& written : path) {
    const std::string name(SchemaNamed(written == "$user" ? kSessionUser : written));
    if (name.empty()) continue;  // the catalog takes it for the default schema
    const bool exists = IsTemporarySchema(name)
                            ? has_temporary
                            : IsSystemSchema(name) || catalog_.FindSchema(transaction_, name) != nullptr;
    if (exists && !has(searched.named, Shown(name))) searched.named.push_back(Shown(name));
  }
  searched.all = searched.named;
  if (!has(searched.named, kPgCatalog)) searched.all.insert(searched.all.begin(), kPgCatalog);
  if (has_temporary && !has(searched.named, kTemporarySchema))
    searched.all.insert(searched.all.begin(), kTemporarySchema);
  return searched;
}

std::string CatalogListing::SchemaComment(const std::string& schema) const {
  const SchemaEntryRef entry = catalog_.FindSchema(transaction_, schema);
  return entry ? entry->comment : "";
}

std::vector<ColumnListing> CatalogListing::ListColumns(const TableEntry& table) const {
  std::vector<ColumnListing> listings;
  if (!table.is_collection()) {
    for (const size_t column : table.VisibleColumns()) {
      listings.push_back(ListColumn(table.columns[column]));
      const DomainName& domain = table.columns[column].domain;
      if (!domain.empty()) listings.back().domain_schema = Shown(domain.schema);
      listings.back().domain = domain.name;
    }
    return listings;
  }
  const VisibleAttributes attributes = table.storage->documents()->SeenBy(transaction_);
  for (const PathId path : attributes.Paths())
    listings.push_back({attributes.dictionary()->NameOf(path), DefaultTypeOf(attributes, path)});
  return listings;
}

std::vector<TableListing> CatalogListing::Tables() const {
  std::vector<TableListing> listings;
  for (const auto& schema : catalog_.Schemas(transaction_)) {
    // Indexes by table. One pass over the indexes: searching them for each table would take quadratic time.
    std::unordered_map<std::string, std::vector<IndexEntryRef>> indexes_of;
    for (auto& index : catalog_.List<IndexEntry>(transaction_, *schema))
      indexes_of[index->table].push_back(index);
    for (const auto& table : catalog_.List<TableEntry>(transaction_, *schema)) {
      TableListing listing;
      listing.schema = Shown(schema->name);
      listing.name = table->name;
      listing.comment = table->comment;
      listing.row_count = table->storage->sampler().EstimateRowCount(transaction_);
      listing.is_collection = table->is_collection();
      listing.columns = ListColumns(*table);
      listing.is_materialized = table->is_materialized();
      listing.is_populated = table->materialization != Materialization::kEmpty;
      if (const ViewEntryRef query = QueryOf(catalog_, transaction_, *table)) listing.query = query->text;
      listing.constraints = ListConstraints(*table);
      for (ConstraintListing& constraint : listing.constraints)
        constraint.referenced_schema = Shown(constraint.referenced_schema);
      listing.triggers = ListTriggers(*table);
      for (TriggerListing& trigger : listing.triggers)
        trigger.function_schema = Shown(trigger.function_schema);
      const UniqueConstraint* key = table->primary_key();
      for (const auto& index : indexes_of[table->name]) {
        IndexText text = TextOf(*index, *table);
        listing.indexes.push_back({index->name, std::move(text.columns), index->is_unique(),
                                   key != nullptr && index->is_of_constraint && key->name == index->name,
                                   DefinitionText(*index, *table), index->comment, std::move(text.keys),
                                   std::move(text.condition),
                                   !index->index || !index->index->is_deferrable()});
      }
      listings.push_back(std::move(listing));
    }
  }
  return InOrder(std::move(listings));
}

std::vector<ViewListing> CatalogListing::Views() const {
  std::vector<ViewListing> listings;
  for (const auto& schema : catalog_.Schemas(transaction_)) {
    for (const auto& view : catalog_.List<ViewEntry>(transaction_, *schema)) {
      if (!view->materialized.empty()) continue;
      ViewListing& listing = listings.emplace_back();
      listing.schema = Shown(schema->name);
      listing.name = view->name;
      listing.query = view->text;
      listing.comment = view->comment;
      constexpr std::string_view kCheckOptions[] = {"NONE", "LOCAL", "CASCADED"};
      listing.check_option = kCheckOptions[static_cast<size_t>(view->check_option)];
      for (const ViewSource& source : view->sources)
        listing.sources.push_back({Shown(source.schema), source.name});
      for (const auto& column : view->columns)
        listing.columns.push_back({.name = column.name,
                                   .type = column.type,
                                   .comment = column.comment,
                                   .collation = column.collation});
    }
  }
  return InOrder(std::move(listings));
}

std::vector<bool> CatalogListing::UpdatableColumns(const FunctionContext& context, const std::string& schema,
                                                   const std::string& view) const {
  const ViewEntryRef entry = catalog_.Find<ViewEntry>(transaction_, schema, view);
  if (!entry) return {};
  // Qualified, as this method has the same name.
  return scaup::UpdatableColumns({catalog_, transaction_, context, FunctionRegistry::Builtin(), settings_},
                                 entry);
}

std::vector<PreparedListing> CatalogListing::PreparedStatements() const {
  std::vector<PreparedListing> listings;
  for (const auto& [name, statement] : named_.all()) {
    listings.push_back(
        {name, statement->text, statement->prepared_micros, statement->prepared.parameter_types});
  }
  return listings;
}

std::vector<CursorListing> CatalogListing::Cursors() const {
  std::vector<CursorListing> listings;
  for (const auto& [name, cursor] : cursors_.all()) {
    listings.push_back(
        {name, cursor.text, cursor.with_hold, cursor.is_binary, !cursor.no_scroll, cursor.declared_micros});
  }
  return listings;
}

std::vector<SequenceListing> CatalogListing::Sequences() const {
  std::vector<SequenceListing> listings;
  for (const auto& schema : catalog_.Schemas(transaction_)) {
    for (const auto& sequence : catalog_.List<SequenceEntry>(transaction_, *schema)) {
      listings.push_back(ListSequence(*sequence));
      listings.back().schema = Shown(sequence->schema);
    }
  }
  return InOrder(std::move(listings));
}

std::vector<TypeListing> CatalogListing::Types() const {
  std::vector<TypeListing> listings;
  for (const auto& schema : catalog_.Schemas(transaction_)) {
    for (const auto& type : catalog_.List<TypeEntry>(transaction_, *schema))
      listings.push_back({Shown(schema->name), type->name, type->type, type->comment});
  }
  return InOrder(std::move(listings));
}

std::vector<DomainListing> CatalogListing::Domains() const {
  std::vector<DomainListing> listings;
  for (const auto& schema : catalog_.Schemas(transaction_)) {
    for (const DomainEntryRef& domain : catalog_.List<DomainEntry>(transaction_, *schema)) {
      DomainListing& listing = listings.emplace_back();
      listing.schema = Shown(schema->name);
      listing.name = domain->name;
      listing.type = domain->type;
      if (!domain->base.empty()) listing.base_schema = Shown(domain->base.schema);
      listing.base = domain->base.name;
      listing.default_text = domain->default_text;
      listing.collation = domain->collation;
      listing.not_null = domain->not_null;
      for (const CheckConstraint& check : domain->checks) listing.checks.emplace_back(check.name, check.text);
      listing.comment = domain->comment;
    }
  }
  return InOrder(std::move(listings));
}

std::vector<FunctionListing> CatalogListing::Functions() const {
  constexpr const char* kVolatilities[] = {"volatile", "stable", "immutable"};
  std::vector<FunctionListing> listings;
  for (const FunctionEntryRef& function : AllFunctions(catalog_, transaction_)) {
    FunctionListing& listing = listings.emplace_back();
    listing.schema = Shown(function->schema);
    listing.name = function->name;
    listing.signature = FunctionKey(*function);
    for (const FunctionArgument& argument : function->arguments) {
      listing.arguments.push_back({argument.name, argument.type, argument.mode == ArgumentMode::kTable,
                                   argument.default_text,
                                   argument.mode == ArgumentMode::kRows ? ArgumentTypeText(argument) : ""});
    }
    listing.is_macro = function->is_macro();
    if (function->is_macro()) listing.language = "macro";
    if (function->is_hosted()) listing.language = function->host_language;
    listing.returns_rows = function->result == FunctionResult::kRows;
    listing.is_aggregate = function->is_aggregate();
    listing.is_trigger = function->is_trigger();
    listing.is_strict = function->is_strict;
    listing.result_type = function->result_type;
    listing.volatility = kVolatilities[static_cast<size_t>(function->volatility)];
    listing.body = function->body;
    listing.comment = function->comment;
    listing.definition = CreateStatementOf(*function);
    // Without the semicolon and the line feed, which are for scripts.
    listing.definition.resize(listing.definition.size() - 2);
  }
  return InOrder(std::move(listings));
}

CollectionListing CatalogListing::Attributes(const FunctionContext& context, const std::string& schema,
                                             const std::string& collection) const {
  const TableEntryRef entry = catalog_.Find<TableEntry>(transaction_, schema, collection);
  if (!entry || !entry->is_collection()) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kWrongObjectType,
               fmt::format("\"{}\" is not a collection", collection));
  }
  const AttributeDictionary& dictionary = *entry->storage->attributes();
  const TableRead read = ReaderOf(transaction_, *entry, entry->StorageColumns()).Read({kRecordColumn}, {});
  const AttributeCounts counts = CountAttributes(read.view, entry->storage->layout(), context.kernels,
                                                 [&context] { context.CheckInterrupt(); });
  const AttributeStatistics statistics = entry->storage->documents()->Statistics(transaction_);
  CollectionListing listing;
  listing.document_count = counts.documents;
  for (const AttributeId id : entry->storage->documents()->SeenBy(transaction_).InOrder()) {
    const auto& count = counts.attributes[id];
    // The dictionary never forgets an attribute, so some have no documents any more.
    if (count.documents == 0) continue;
    const Attribute attribute = dictionary.attribute(id);
    AttributeListing& listed = listing.attributes.emplace_back();
    listed.path = dictionary.NameOf(attribute.path);
    listed.type = TypeName(attribute.type);
    listed.count = count.documents;
    listed.path_count = counts.paths[attribute.path];
    listed.physical_count = count.physical;
    const ColumnStatistics* known = statistics.Find(id);
    if (known == nullptr) continue;
    const double distinct = std::round(known->EstimateDistinct());
    // An estimate may exceed the number of documents.
    listed.distinct_count = std::min(static_cast<uint64_t>(distinct), count.documents);
    listed.minimum = BoundText(attribute.type, *known, false);
    listed.maximum = BoundText(attribute.type, *known, true);
  }
  return listing;
}

std::vector<StorageSegmentListing> CatalogListing::StorageSegments(const std::string& schema,
                                                                   const std::string& table) const {
  std::vector<StorageSegmentListing> listings;
  const TableEntryRef entry = catalog_.Find<TableEntry>(transaction_, schema, table);
  if (!entry) return listings;
  const auto snapshot = entry->storage->snapshots().SeenBy(transaction_);
  for (size_t i = 0; i < snapshot->row_groups.size(); i++) {
    for (size_t column = 0; column < entry->columns.size(); column++) {
      listings.push_back(ListSegment(*snapshot->row_groups[i], column, entry->columns[column].type));
      listings.back().row_group = i;
      listings.back().column_name = entry->columns[column].name;
      listings.back().type = entry->columns[column].type;
    }
  }
  return listings;
}

std::vector<MemoryListing> CatalogListing::Memory() const {
  std::vector<MemoryListing> listings;
  for (MemoryGrants::Listing& grant : database_.grants().List()) {
    listings.push_back({std::move(grant.owner), grant.transaction, grant.task_count, grant.granted_bytes,
                        grant.used_bytes, grant.spilled_bytes});
  }
  const MemoryTracker& memory = database_.memory();
  const size_t granted = database_.grants().held_bytes(), cached = memory.ReclaimableBytes();
  const size_t used = memory.used_bytes();
  listings.push_back({.owner = "all grants", .used_bytes = granted});
  listings.push_back({.owner = "cache", .used_bytes = cached});
  // The numbers are read one after the other, while others go on.
  listings.push_back(
      {.owner = "tables and statements", .used_bytes = used - std::min(used, granted + cached)});
  listings.push_back({.owner = "free", .used_bytes = memory.free_bytes()});
  listings.push_back(
      {.owner = "temporary file", .used_bytes = database_.settings().temporary_storage()->used_bytes()});
  return listings;
}

struct CatalogListing::Other {
  Other(const CatalogListing& listing, const DatabaseViews& views)
      : databases(views),
        of(listing.main_, listing.begun_, databases, listing.named_, listing.cursors_, listing.settings_,
           listing.session_number_) {}
  const DatabaseViews databases;
  const CatalogListing of;
};

CatalogListing::CatalogListing(DatabaseInstance& main, const DatabaseTransaction& begun,
                               const DatabaseViews& databases, const NamedStatements& named,
                               const class Cursors& cursors, const Settings& settings, int32_t session_number)
    : main_(main),
      begun_(begun),
      database_(InstanceNamed(main, begun, databases.home().name)),
      databases_(databases),
      catalog_(database_.catalog()),
      transaction_(*databases.home().transaction),
      named_(named),
      cursors_(cursors),
      settings_(settings),
      session_number_(session_number),
      default_schema_(PreferredDefaultSchema(settings)) {}

CatalogListing::~CatalogListing() = default;

const DatabaseListing& CatalogListing::Of(const std::string& database) const {
  for (const auto& other : others_) {
    if (other->databases.home().name == database) return other->of;
  }
  const std::vector<DatabaseView>& all = databases_.all();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& view) { return view.name == database; });
  SCAUP_CHECK(found != all.end());
  others_.push_back(
      std::make_unique<Other>(*this, DatabaseViews(all, static_cast<size_t>(found - all.begin()))));
  return others_.back()->of;
}

std::vector<std::string> CatalogListing::Databases() const {
  std::vector<std::string> names;
  for (const DatabaseView& database : databases_.all()) names.push_back(database.name);
  std::sort(names.begin(), names.end());
  return names;
}

DatabaseSizeListing CatalogListing::DatabaseSize() const {
  DatabaseSizeListing listing;
  listing.name = database_.transactions().database().name;
  listing.block_size_bytes = kFileBlockBytes;
  listing.memory_usage_bytes = database_.memory().used_bytes();
  listing.memory_limit_bytes = database_.memory().limit_bytes();
  DatabaseStorage* storage = database_.storage();
  if (storage == nullptr) return listing;
  DatabaseFile& file = storage->store()->file();
  listing.path = file.path();
  listing.database_size_bytes = file.size_bytes();
  listing.total_blocks = file.allocator().end_block();
  listing.free_blocks = file.allocator().free_count();
  listing.used_blocks = listing.total_blocks - listing.free_blocks;
  listing.log_size_bytes = storage->log().size_bytes();
  listing.checkpoint_error = storage->automatic_error();
  return listing;
}

std::vector<std::string> CatalogListing::IntegrityProblems() const {
  return CheckIntegrity(catalog_, transaction_);
}

}  // namespace scaup
