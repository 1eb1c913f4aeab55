// The definitions of tables, indexes, sequences, views and types to bytes and back, for checkpoints and the
// log.
#include "catalog/table_definition.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "storage/table/element_tables.hpp"
#include "storage/table_index/table_index.hpp"
#include "type/logical_type_bytes.hpp"
#include "type/text/identifier_text.hpp"

namespace scaup {

namespace {

// Kinds of tables, in files.
constexpr uint8_t kPlainTable = 0;
constexpr uint8_t kCollection = 1;
constexpr uint8_t kElementTable = 2;
constexpr uint8_t kMaterialized = 3;
constexpr uint8_t kEmptyMaterialized = 4;
/// A bit beside the kind: triggers follow the constraints.
constexpr uint8_t kHasTriggers = 0x80;

uint8_t KindOf(const TableDefinition& table) {
  if (table.elements_of) return kElementTable;
  if (table.is_collection) return kCollection;
  switch (table.materialization) {
    case Materialization::kNone: break;
    case Materialization::kPopulated: return kMaterialized;
    case Materialization::kEmpty: return kEmptyMaterialized;
  }
  return kPlainTable;
}

void WriteNames(const std::vector<std::string>& names, ByteWriter& writer) {
  writer.WriteVarint(names.size());
  for (const std::string& name : names) writer.WriteString(name);
}

std::vector<std::string> ReadNames(ByteReader& reader) {
  std::vector<std::string> names(reader.ReadCount("columns of a constraint, index or view", 1));
  for (std::string& name : names) name = reader.ReadString("name of a column");
  return names;
}

void WriteDomainName(const DomainName& domain, ByteWriter& writer) {
  writer.WriteString(domain.schema);
  writer.WriteString(domain.name);
}

DomainName ReadDomainName(ByteReader& reader) {
  DomainName domain;
  domain.schema = reader.ReadString("schema of a domain");
  domain.name = reader.ReadString("name of a domain");
  return domain;
}

// Bits of the byte of a unique constraint, and of a foreign key's rules, in files.
constexpr uint8_t kPrimary = 1;
constexpr uint8_t kDeferrable = 2;
constexpr uint8_t kDeferred = 4;
constexpr uint8_t kNotValid = 8;

uint8_t BitsOf(const Deferral& deferral) {
  return static_cast<uint8_t>((deferral.is_deferrable ? kDeferrable : 0) |
                              (deferral.is_deferred ? kDeferred : 0));
}

/// Reads a byte that may have these bits.
uint8_t ReadBits(uint8_t known, ByteReader& reader) {
  const uint8_t bits = reader.ReadU8("rules of a constraint");
  if ((bits & ~known) != 0) reader.Fail("rules of a constraint", "there are no such rules");
  return bits;
}

Deferral DeferralOf(uint8_t bits) { return {(bits & kDeferrable) != 0, (bits & kDeferred) != 0}; }

void WriteChecks(const std::vector<CheckConstraint>& checks, ByteWriter& writer) {
  writer.WriteVarint(checks.size());
  for (const CheckConstraint& check : checks) {
    writer.WriteString(check.name);
    writer.WriteString(check.text);
    writer.WriteString(check.comment);
    writer.WriteBool(check.is_validated);
  }
}

std::vector<CheckConstraint> ReadChecks(ByteReader& reader) {
  std::vector<CheckConstraint> checks(reader.ReadCount("checks", 4));
  for (CheckConstraint& check : checks) {
    check.name = reader.ReadString("name of a constraint");
    check.text = reader.ReadString("condition of a check");
    check.comment = reader.ReadString("comment");
    check.is_validated = reader.ReadBool("whether a check is valid");
  }
  return checks;
}

void WriteConstraints(const TableConstraints& constraints, ByteWriter& writer) {
  WriteChecks(constraints.checks, writer);
  writer.WriteVarint(constraints.uniques.size());
  for (const UniqueConstraint& unique : constraints.uniques) {
    writer.WriteString(unique.name);
    WriteNames(unique.columns, writer);
    writer.WriteU8(static_cast<uint8_t>((unique.is_primary ? kPrimary : 0) | BitsOf(unique.deferral)));
    writer.WriteString(unique.comment);
    writer.WriteString(unique.index_comment);
  }
  writer.WriteVarint(constraints.foreign_keys.size());
  for (const ForeignKey& key : constraints.foreign_keys) {
    writer.WriteString(key.name);
    WriteNames(key.columns, writer);
    writer.WriteString(key.referenced_schema);
    writer.WriteString(key.referenced_table);
    WriteNames(key.referenced_columns, writer);
    writer.WriteU8(static_cast<uint8_t>(key.on_delete));
    writer.WriteU8(static_cast<uint8_t>(key.on_update));
    writer.WriteU8(static_cast<uint8_t>(BitsOf(key.deferral) | (key.is_validated ? 0 : kNotValid)));
    writer.WriteString(key.comment);
  }
}

void WriteTriggers(const std::vector<TriggerDefinition>& triggers, ByteWriter& writer) {
  writer.WriteVarint(triggers.size());
  for (const TriggerDefinition& trigger : triggers) {
    writer.WriteString(trigger.name);
    writer.WriteU8(static_cast<uint8_t>(trigger.timing));
    writer.WriteU8(trigger.events);
    WriteNames(trigger.update_columns, writer);
    writer.WriteBool(trigger.is_for_each_row);
    for (const std::string* text : {&trigger.old_table, &trigger.new_table, &trigger.condition,
                                    &trigger.function_schema, &trigger.function})
      writer.WriteString(*text);
    WriteNames(trigger.arguments, writer);
    writer.WriteU8(static_cast<uint8_t>(trigger.mode));
    writer.WriteString(trigger.comment);
  }
}

std::vector<TriggerDefinition> ReadTriggers(ByteReader& reader) {
  std::vector<TriggerDefinition> triggers(reader.ReadCount("triggers of a table", 13));
  for (TriggerDefinition& trigger : triggers) {
    trigger.name = reader.ReadString("name of a trigger");
    const uint8_t timing = reader.ReadU8("time of a trigger");
    if (timing > static_cast<uint8_t>(TriggerTiming::kAfter))
      reader.Fail("time of a trigger", "there is no such time");
    trigger.timing = static_cast<TriggerTiming>(timing);
    trigger.events = reader.ReadU8("events of a trigger");
    if ((trigger.events & ~kAllTriggerEvents) != 0) reader.Fail("events of a trigger", "they are unknown");
    trigger.update_columns = ReadNames(reader);
    trigger.is_for_each_row = reader.ReadBool("level of a trigger");
    for (std::string* text : {&trigger.old_table, &trigger.new_table, &trigger.condition,
                              &trigger.function_schema, &trigger.function})
      *text = reader.ReadString("text of a trigger");
    trigger.arguments = ReadNames(reader);
    const uint8_t mode = reader.ReadU8("mode of a trigger");
    if (mode > static_cast<uint8_t>(TriggerMode::kReplica))
      reader.Fail("mode of a trigger", "there is no such mode");
    trigger.mode = static_cast<TriggerMode>(mode);
    trigger.comment = reader.ReadString("comment");
  }
  return triggers;
}

ReferentialAction ReadAction(ByteReader& reader) {
  const uint8_t action = reader.ReadU8("action of a foreign key");
  if (action > static_cast<uint8_t>(ReferentialAction::kSetDefault))
    reader.Fail("action of a foreign key", "there is no such action");
  return static_cast<ReferentialAction>(action);
}

TableConstraints ReadConstraints(ByteReader& reader) {
  TableConstraints constraints;
  constraints.checks = ReadChecks(reader);
  constraints.uniques.resize(reader.ReadCount("unique constraints of a table", 5));
  for (UniqueConstraint& unique : constraints.uniques) {
    unique.name = reader.ReadString("name of a constraint");
    unique.columns = ReadNames(reader);
    const uint8_t bits = ReadBits(kPrimary | kDeferrable | kDeferred, reader);
    unique.is_primary = (bits & kPrimary) != 0;
    unique.deferral = DeferralOf(bits);
    unique.comment = reader.ReadString("comment");
    unique.index_comment = reader.ReadString("comment");
  }
  constraints.foreign_keys.resize(reader.ReadCount("foreign keys of a table", 9));
  for (ForeignKey& key : constraints.foreign_keys) {
    key.name = reader.ReadString("name of a constraint");
    key.columns = ReadNames(reader);
    key.referenced_schema = reader.ReadString("schema of a table");
    key.referenced_table = reader.ReadString("name of a table");
    key.referenced_columns = ReadNames(reader);
    key.on_delete = ReadAction(reader);
    key.on_update = ReadAction(reader);
    const uint8_t bits = ReadBits(kDeferrable | kDeferred | kNotValid, reader);
    key.deferral = DeferralOf(bits);
    key.is_validated = (bits & kNotValid) == 0;
    key.comment = reader.ReadString("comment");
  }
  return constraints;
}

}  // namespace

std::vector<LogicalType> TableDefinition::types() const {
  std::vector<LogicalType> types;
  for (const ColumnDefinition& column : columns) types.push_back(column.type);
  return types;
}

std::shared_ptr<AttributeDictionary> TableDefinition::MakeAttributes() const {
  return is_collection ? std::make_shared<AttributeDictionary>() : nullptr;
}

TableDefinition DefinitionOf(const TableEntry& table) {
  TableDefinition definition;
  definition.schema = table.schema;
  definition.name = table.name;
  definition.table_id = table.storage ? table.storage->id() : 0;
  definition.is_collection = table.is_collection();
  definition.materialization = table.materialization;
  if (table.is_element_table()) {
    const ElementSource& source = *table.storage->element_source();
    definition.elements_of = {source.collection_id, source.path};
  }
  definition.columns = table.columns;
  definition.constraints = table.constraints;
  definition.comment = table.comment;
  return definition;
}

std::vector<LogicalType> ColumnTypes(const TableEntry& table, const std::vector<std::string>& columns) {
  std::vector<LogicalType> types;
  for (const std::string& column : columns) {
    const auto index = table.FindColumn(column);
    types.push_back(index ? table.columns[*index].type : LogicalType());
  }
  return types;
}

std::vector<std::string> ShownColumns(const TableEntry& table, const std::vector<std::string>& columns) {
  std::vector<std::string> names;
  for (const std::string& column : columns) {
    const auto index = table.FindColumn(column);
    const bool is_hidden = index && table.columns[*index].is_hidden();
    if (!is_hidden) {
      names.push_back(column);
      continue;
    }
    if (const ColumnDefinition* of = ColumnOfKey(table.columns, table.columns[*index])) {
      names.push_back(of->name);
      continue;
    }
    const std::string key = CollatedText(table.columns[*index].key_text);
    names.push_back(IsOperandText(key) ? key : "(" + key + ")");
  }
  return names;
}

IndexDefinition IndexDefinitionOf(const TableEntry& table, const std::string& name,
                                  const std::vector<std::string>& columns, IndexKind kind) {
  IndexDefinition definition{
      name, ShownColumns(table, columns), {}, kind == IndexKind::kUnique, ColumnTypes(table, columns)};
  for (const UniqueConstraint& unique : table.constraints.uniques) {
    if (unique.name == name && kind == IndexKind::kUnique)
      definition.is_deferrable = unique.deferral.is_deferrable;
  }
  if (kind == IndexKind::kText && table.is_collection()) {
    definition.columns = {kRecordColumn};
    const bool is_whole = columns.size() == 1 && columns[0] == kWholeDocument;
    definition.text =
        TextIndexScope{table.storage->attributes(), is_whole ? std::vector<std::string>() : columns};
    return definition;
  }
  if (kind == IndexKind::kText) definition.text.emplace();
  for (const std::string& column : columns) {
    const auto position = table.FindColumn(column);
    if (!position) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedColumn,
                 fmt::format("index \"{}\" is over column \"{}\", which table \"{}\" does not have", name,
                             column, table.name));
    }
    definition.columns.push_back(*position);
    const LogicalType& type = table.columns[*position].type;
    if (kind != IndexKind::kText || type.id() == TypeId::kVarchar) continue;
    ThrowError(ErrorKind::kCatalog, sqlstate::kDatatypeMismatch,
               fmt::format("text index \"{}\" needs a column of type varchar, but column \"{}\" is {}", name,
                           column, type.ToString()));
  }
  return definition;
}

IndexDefinition IndexDefinitionOf(const TableEntry& table, const UniqueConstraint& unique) {
  return IndexDefinitionOf(table, unique.name, table.KeyColumns(unique.columns), IndexKind::kUnique);
}

void WriteTableDefinition(const TableDefinition& table, ByteWriter& writer) {
  writer.WriteString(table.schema);
  writer.WriteString(table.name);
  writer.WriteU64(table.table_id);
  const bool has_triggers = !table.constraints.triggers.empty();
  writer.WriteU8(static_cast<uint8_t>(KindOf(table) | (has_triggers ? kHasTriggers : 0)));
  if (table.elements_of) {
    writer.WriteU64(table.elements_of->collection_id);
    writer.WriteString(table.elements_of->path);
  }
  writer.WriteVarint(table.columns.size());
  for (const ColumnDefinition& column : table.columns) {
    writer.WriteString(column.name);
    WriteLogicalType(writer, column.type);
    writer.WriteBool(column.not_null);
    writer.WriteString(column.default_text);
    writer.WriteString(column.generated_text);
    writer.WriteU8(static_cast<uint8_t>(column.identity));
    writer.WriteString(column.comment);
    WriteDomainName(column.domain, writer);
    writer.WriteString(column.key_text);
    writer.WriteString(column.condition_text);
    writer.WriteString(column.collation);
  }
  WriteConstraints(table.constraints, writer);
  if (has_triggers) WriteTriggers(table.constraints.triggers, writer);
  writer.WriteString(table.comment);
}

TableDefinition ReadTableDefinition(ByteReader& reader) {
  TableDefinition table;
  table.schema = reader.ReadString("schema of a table");
  table.name = reader.ReadString("name of a table");
  table.table_id = reader.ReadU64("id of a table");
  const uint8_t kind_and_triggers = reader.ReadU8("kind of a table");
  const uint8_t kind = kind_and_triggers & static_cast<uint8_t>(~kHasTriggers);
  if (kind > kEmptyMaterialized) reader.Fail("kind of a table", "there is no such kind");
  table.is_collection = kind == kCollection || kind == kElementTable;
  if (kind == kMaterialized) table.materialization = Materialization::kPopulated;
  if (kind == kEmptyMaterialized) table.materialization = Materialization::kEmpty;
  if (kind == kElementTable) {
    table.elements_of.emplace();
    table.elements_of->collection_id = reader.ReadU64("collection of an element table");
    table.elements_of->path = reader.ReadString("path of an element table");
  }
  table.columns.resize(reader.ReadCount("columns of a table", 14));
  for (ColumnDefinition& column : table.columns) {
    column.name = reader.ReadString("name of a column");
    column.type = ReadLogicalType(reader);
    column.not_null = reader.ReadBool("NOT NULL of a column");
    column.default_text = reader.ReadString("default of a column");
    column.generated_text = reader.ReadString("expression of a generated column");
    const uint8_t identity = reader.ReadU8("identity of a column");
    if (identity > static_cast<uint8_t>(IdentityKind::kByDefault))
      reader.Fail("identity of a column", "there is no such kind");
    column.identity = static_cast<IdentityKind>(identity);
    column.comment = reader.ReadString("comment");
    column.domain = ReadDomainName(reader);
    column.key_text = reader.ReadString("key of an index");
    column.condition_text = reader.ReadString("condition of an index");
    column.collation = reader.ReadString("collation of a column");
  }
  table.constraints = ReadConstraints(reader);
  if ((kind_and_triggers & kHasTriggers) != 0) table.constraints.triggers = ReadTriggers(reader);
  table.comment = reader.ReadString("comment");
  return table;
}

void WriteIndexDefinition(const IndexEntry& index, ByteWriter& writer) {
  writer.WriteString(index.schema);
  writer.WriteString(index.name);
  writer.WriteString(index.table);
  WriteNames(index.columns, writer);
  writer.WriteU8(static_cast<uint8_t>(index.kind));
  writer.WriteString(index.comment);
}

IndexEntryRef ReadIndexDefinition(ByteReader& reader) {
  std::string schema(reader.ReadString("schema of an index"));
  std::string name(reader.ReadString("name of an index"));
  std::string table(reader.ReadString("table of an index"));
  std::vector<std::string> columns = ReadNames(reader);
  const uint8_t kind = reader.ReadU8("kind of an index");
  if (kind > static_cast<uint8_t>(IndexKind::kText)) reader.Fail("kind of an index", "it is unknown");
  auto index = std::make_shared<IndexEntry>(std::move(schema), std::move(name), std::move(table),
                                            std::move(columns), static_cast<IndexKind>(kind), false);
  index->comment = reader.ReadString("comment");
  return index;
}

void WriteSequenceDefinition(const SequenceEntry& sequence, ByteWriter& writer) {
  writer.WriteString(sequence.schema);
  writer.WriteString(sequence.name);
  writer.WriteU8(static_cast<uint8_t>(sequence.options.type));
  for (const int64_t option : {sequence.options.start, sequence.options.increment, sequence.options.minimum,
                               sequence.options.maximum, sequence.options.cache})
    writer.WriteI64(option);
  writer.WriteBool(sequence.options.cycle);
  writer.WriteString(sequence.owner_table);
  writer.WriteString(sequence.owner_column);
  writer.WriteString(sequence.comment);
  WriteSequencePosition(sequence.state->position(), writer);
}

SequenceEntryRef ReadSequenceDefinition(ByteReader& reader) {
  std::string schema(reader.ReadString("schema of a sequence"));
  std::string name(reader.ReadString("name of a sequence"));
  SequenceOptions options;
  const uint8_t type = reader.ReadU8("type of a sequence");
  if (type < 1 || type > static_cast<uint8_t>(SequenceOptions::Type::kBigInt))
    reader.Fail("type of a sequence", "there is no such type");
  options.type = static_cast<SequenceOptions::Type>(type);
  for (int64_t* option :
       {&options.start, &options.increment, &options.minimum, &options.maximum, &options.cache})
    *option = reader.ReadI64("option of a sequence");
  if (options.increment == 0) reader.Fail("increment of a sequence", "it is zero");
  options.cycle = reader.ReadBool("CYCLE of a sequence");
  const std::string owner_table(reader.ReadString("owner of a sequence"));
  const std::string owner_column(reader.ReadString("owner of a sequence"));
  const std::string comment(reader.ReadString("comment"));
  auto sequence =
      std::make_shared<SequenceEntry>(std::move(schema), std::move(name), options,
                                      std::make_shared<SequenceState>(ReadSequencePosition(reader)));
  sequence->owner_table = owner_table;
  sequence->owner_column = owner_column;
  sequence->comment = comment;
  return sequence;
}

void WriteViewDefinition(const ViewEntry& view, ByteWriter& writer) {
  writer.WriteString(view.schema);
  writer.WriteString(view.name);
  writer.WriteVarint(view.columns.size());
  for (const ViewEntry::Column& column : view.columns) {
    writer.WriteString(column.name);
    WriteLogicalType(writer, column.type);
    writer.WriteString(column.comment);
    writer.WriteString(column.collation);
  }
  writer.WriteString(view.comment);
  writer.WriteString(view.text);
  writer.WriteU8(static_cast<uint8_t>(view.check_option));
  writer.WriteString(view.materialized);
  writer.WriteVarint(view.sources.size());
  for (const ViewSource& source : view.sources) {
    writer.WriteString(source.schema);
    writer.WriteString(source.name);
    WriteNames(source.columns, writer);
    WriteNames(source.used_columns, writer);
  }
}

ViewEntryRef ReadViewDefinition(ByteReader& reader) {
  std::string schema(reader.ReadString("schema of a view"));
  std::string name(reader.ReadString("name of a view"));
  std::vector<ViewEntry::Column> columns(reader.ReadCount("columns of a view", 4));
  for (ViewEntry::Column& column : columns) {
    column.name = reader.ReadString("name of a column");
    column.type = ReadLogicalType(reader);
    column.comment = reader.ReadString("comment");
    column.collation = reader.ReadString("collation of a column");
  }
  const std::string comment(reader.ReadString("comment"));
  std::string text(reader.ReadString("query of a view"));
  const uint8_t check_option = reader.ReadU8("check option of a view");
  if (check_option > static_cast<uint8_t>(ViewCheckOption::kCascaded))
    reader.Fail("check option of a view", "there is no such option");
  std::string materialized(reader.ReadString("materialized view of a query"));
  std::vector<ViewSource> sources(reader.ReadCount("sources of a view", 4));
  for (ViewSource& source : sources) {
    source.schema = reader.ReadString("schema of a table");
    source.name = reader.ReadString("name of a table");
    source.columns = ReadNames(reader);
    source.used_columns = ReadNames(reader);
  }
  auto view = std::make_shared<ViewEntry>(std::move(schema), std::move(name), std::move(columns),
                                          std::move(text), std::move(sources));
  view->comment = comment;
  view->check_option = static_cast<ViewCheckOption>(check_option);
  view->materialized = std::move(materialized);
  return view;
}

void WriteDomainDefinition(const DomainEntry& domain, ByteWriter& writer) {
  writer.WriteString(domain.schema);
  writer.WriteString(domain.name);
  WriteLogicalType(writer, domain.type);
  WriteDomainName(domain.base, writer);
  writer.WriteString(domain.default_text);
  writer.WriteBool(domain.not_null);
  WriteChecks(domain.checks, writer);
  writer.WriteString(domain.comment);
  writer.WriteString(domain.collation);
}

DomainEntryRef ReadDomainDefinition(ByteReader& reader) {
  std::string schema(reader.ReadString("schema of a domain"));
  std::string name(reader.ReadString("name of a domain"));
  auto domain = std::make_shared<DomainEntry>(std::move(schema), std::move(name), ReadLogicalType(reader));
  domain->base = ReadDomainName(reader);
  domain->default_text = reader.ReadString("default of a domain");
  domain->not_null = reader.ReadBool("NOT NULL of a domain");
  domain->checks = ReadChecks(reader);
  domain->comment = reader.ReadString("comment");
  domain->collation = reader.ReadString("collation of a domain");
  return domain;
}

void WriteCommentTarget(const CommentTarget& target, ByteWriter& writer) {
  writer.WriteU8(static_cast<uint8_t>(target.kind));
  writer.WriteString(target.schema);
  writer.WriteString(target.relation);
  writer.WriteString(target.part);
}

CommentTarget ReadCommentTarget(ByteReader& reader) {
  CommentTarget target;
  const uint8_t kind = reader.ReadU8("what a comment is on");
  if (kind < 1 || kind > static_cast<uint8_t>(CommentTarget::Kind::kTrigger))
    reader.Fail("what a comment is on", "there is no such kind");
  target.kind = static_cast<CommentTarget::Kind>(kind);
  target.schema = reader.ReadString("schema of a comment");
  target.relation = reader.ReadString("relation of a comment");
  target.part = reader.ReadString("column or constraint of a comment");
  return target;
}

void WriteTypeDefinition(const TypeEntry& type, ByteWriter& writer) {
  writer.WriteString(type.schema);
  writer.WriteString(type.name);
  WriteLogicalType(writer, type.type);
  writer.WriteString(type.comment);
}

TypeEntryRef ReadTypeDefinition(ByteReader& reader) {
  std::string schema(reader.ReadString("schema of a type"));
  std::string name(reader.ReadString("name of a type"));
  auto type = std::make_shared<TypeEntry>(std::move(schema), std::move(name), ReadLogicalType(reader));
  type->comment = reader.ReadString("comment");
  return type;
}

void WriteSequencePosition(SequenceState::Position position, ByteWriter& writer) {
  writer.WriteI64(position.value);
  writer.WriteBool(position.is_called);
}

SequenceState::Position ReadSequencePosition(ByteReader& reader) {
  SequenceState::Position position;
  position.value = reader.ReadI64("value of a sequence");
  position.is_called = reader.ReadBool("state of a sequence");
  return position;
}

}  // namespace scaup
