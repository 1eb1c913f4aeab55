// Assigns object numbers (OIDs) to catalog objects.
#include "function/pg_objects.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/hash.hpp"
#include "common/throw.hpp"
#include "type/pg_type.hpp"
#include "type/schema_name.hpp"
#include "type/text/identifier_text.hpp"
#include "type/text/quoted_text.hpp"
#include "type/text/temporary_name.hpp"

namespace scaup {

namespace {

std::string KeyOf(PgObjectKind kind, std::string_view schema, std::string_view name, std::string_view owner) {
  // One key for both names of the default schema.
  schema = SchemaNamed(schema);
  if (kind == PgObjectKind::kSchema) name = SchemaNamed(name);
  // Separated by zero bytes, which no name contains.
  std::string key(1, static_cast<char>(kind));
  for (const std::string_view part : {schema, owner, name}) {
    key.append(part);
    key.push_back('\0');
  }
  return key;
}

constexpr int64_t kFirstOid = 1 << 20;
constexpr int64_t kOidCount = (int64_t{1} << 31) - kFirstOid;

}  // namespace

PgObjects::PgObjects(const DatabaseListing& listing)
    : schemas_(listing.Schemas()),
      searched_(listing.SearchedSchemas().all),
      tables_(listing.Tables()),
      views_(listing.Views()),
      sequences_(listing.Sequences()),
      types_(listing.Types()),
      domains_(listing.Domains()),
      functions_(listing.Functions()) {
  for (const char* schema : {"information_schema", "pg_catalog"}) schemas_.emplace_back(schema);
  for (const std::string& schema : schemas_) Register(PgObjectKind::kSchema, "", schema);
  for (const TableListing& table : tables_) {
    Register(PgObjectKind::kTable, table.schema, table.name);
    for (const IndexListing& index : table.indexes) Register(PgObjectKind::kIndex, table.schema, index.name);
    for (const ConstraintListing& constraint : table.constraints) {
      Register(PgObjectKind::kConstraint, table.schema, constraint.name, table.name);
    }
    for (const TriggerListing& trigger : table.triggers)
      Register(PgObjectKind::kTrigger, table.schema, trigger.name, table.name);
    for (const ColumnListing& column : table.columns) {
      Register(PgObjectKind::kDefault, table.schema, column.name, table.name);
    }
  }
  for (const ViewListing& view : views_) {
    Register(PgObjectKind::kView, view.schema, view.name);
    Register(PgObjectKind::kRule, view.schema, view.name);
  }
  for (const SequenceListing& sequence : sequences_) {
    Register(PgObjectKind::kSequence, sequence.schema, sequence.name);
  }
  for (const FunctionListing& function : functions_) {
    Register(PgObjectKind::kFunction, function.schema, function.signature);
    if (function.is_hosted()) hosted_languages_.insert(function.language);
  }
  for (const std::string& language : hosted_languages_) Register(PgObjectKind::kLanguage, "", language);
  for (const TypeListing& type : types_) {
    Register(PgObjectKind::kType, type.schema, type.name);
    Register(PgObjectKind::kTypeList, type.schema, type.name);
    for (size_t i = 0; i < type.type.label_count(); i++)
      Register(PgObjectKind::kLabel, type.schema, type.type.label(i), type.name);
  }
  for (const DomainListing& domain : domains_) {
    Register(PgObjectKind::kType, domain.schema, domain.name);
    // Constraints of a domain have its name in the place of a table's, which cannot have a line end.
    for (const auto& check : domain.checks)
      Register(PgObjectKind::kConstraint, domain.schema, check.first, domain.name + "\n");
  }
}

void PgObjects::Register(PgObjectKind kind, std::string_view schema, std::string_view name,
                         std::string_view owner) {
  std::string key = KeyOf(kind, schema, name, owner);
  const uint64_t hash = HashBytes(key.data(), key.size());
  auto oid = static_cast<int64_t>(hash % static_cast<uint64_t>(kOidCount));
  // On a collision, the later object takes the next free number.
  while (!names_.try_emplace(kFirstOid + oid, key).second) oid = (oid + 1) % kOidCount;
  oids_.emplace(std::move(key), kFirstOid + oid);
}

int64_t PgObjects::Oid(PgObjectKind kind, std::string_view schema, std::string_view name,
                       std::string_view owner) const {
  const auto found = oids_.find(KeyOf(kind, schema, name, owner));
  SCAUP_CHECK(found != oids_.end());
  return found->second;
}

namespace {

void AddDescriptions(int64_t oid, const std::string& comment, const std::vector<ColumnListing>& columns,
                     std::vector<PgDescription>& descriptions) {
  if (!comment.empty()) descriptions.push_back({oid, kPgClassOid, 0, comment});
  for (size_t i = 0; i < columns.size(); i++) {
    if (columns[i].comment.empty()) continue;
    descriptions.push_back({oid, kPgClassOid, static_cast<int64_t>(i) + 1, columns[i].comment});
  }
}

}  // namespace

std::vector<PgDescription> PgDescriptions(const DatabaseListing& listing) {
  const PgObjects objects(listing);
  std::vector<PgDescription> descriptions;
  for (const std::string& schema : objects.schemas()) {
    const std::string comment = listing.SchemaComment(schema);
    const int64_t oid = objects.Oid(PgObjectKind::kSchema, "", schema);
    if (!comment.empty()) descriptions.push_back({oid, kPgNamespaceOid, 0, comment});
  }
  for (const TableListing& table : objects.tables()) {
    AddDescriptions(objects.Oid(PgObjectKind::kTable, table.schema, table.name), table.comment, table.columns,
                    descriptions);
    for (const IndexListing& index : table.indexes) {
      AddDescriptions(objects.Oid(PgObjectKind::kIndex, table.schema, index.name), index.comment, {},
                      descriptions);
    }
    for (const ConstraintListing& constraint : table.constraints) {
      if (constraint.comment.empty()) continue;
      descriptions.push_back(
          {objects.Oid(PgObjectKind::kConstraint, table.schema, constraint.name, table.name),
           kPgConstraintOid, 0, constraint.comment});
    }
    for (const TriggerListing& trigger : table.triggers) {
      if (trigger.comment.empty()) continue;
      descriptions.push_back({objects.Oid(PgObjectKind::kTrigger, table.schema, trigger.name, table.name),
                              kPgTriggerOid, 0, trigger.comment});
    }
  }
  for (const ViewListing& view : objects.views()) {
    AddDescriptions(objects.Oid(PgObjectKind::kView, view.schema, view.name), view.comment, view.columns,
                    descriptions);
  }
  for (const SequenceListing& sequence : objects.sequences()) {
    AddDescriptions(objects.Oid(PgObjectKind::kSequence, sequence.schema, sequence.name), sequence.comment,
                    {}, descriptions);
  }
  for (const FunctionListing& function : objects.functions()) {
    if (function.comment.empty()) continue;
    descriptions.push_back({objects.Oid(PgObjectKind::kFunction, function.schema, function.signature),
                            kPgProcOid, 0, function.comment});
  }
  for (const TypeListing& type : objects.types()) {
    if (type.comment.empty()) continue;
    descriptions.push_back(
        {objects.Oid(PgObjectKind::kType, type.schema, type.name), kPgTypeOid, 0, type.comment});
  }
  for (const DomainListing& domain : objects.domains()) {
    if (domain.comment.empty()) continue;
    descriptions.push_back(
        {objects.Oid(PgObjectKind::kType, domain.schema, domain.name), kPgTypeOid, 0, domain.comment});
  }
  return descriptions;
}

const TypeListing* FindEnum(const std::vector<TypeListing>& types, const LogicalType& type) {
  if (type.id() == TypeId::kList && !IsMap(type)) return FindEnum(types, type.element());
  if (type.id() != TypeId::kEnum) return nullptr;
  const auto found = std::find_if(types.begin(), types.end(),
                                  [&](const TypeListing& listing) { return listing.type == type; });
  return found == types.end() ? nullptr : &*found;
}

PgTypeSummary PgObjects::TypeOf(const LogicalType& type) const {
  const TypeListing* found = FindEnum(types_, type);
  if (found == nullptr) {
    const PgType& built_in = PgTypeOf(type);
    if (type.id() == TypeId::kList && !IsMap(type)) return {built_in.list_oid, -1};
    return {built_in.oid, built_in.length};
  }
  if (type.id() == TypeId::kList) return {Oid(PgObjectKind::kTypeList, found->schema, found->name), -1};
  return {Oid(PgObjectKind::kType, found->schema, found->name), kPgEnumBytes};
}

PgTypeSummary PgObjects::TypeOf(const ColumnListing& column) const {
  const PgTypeSummary below = TypeOf(column.type);
  if (column.domain.empty()) return below;
  return {Oid(PgObjectKind::kType, column.domain_schema, column.domain), below.length};
}

std::optional<std::string> PgObjects::TypeName(int64_t oid) const {
  for (const DomainListing& domain : domains_) {
    if (oid == Oid(PgObjectKind::kType, domain.schema, domain.name)) return IdentifierText(domain.name);
  }
  for (const TypeListing& type : types_) {
    if (oid == Oid(PgObjectKind::kType, type.schema, type.name)) return type.type.ToString();
    if (oid == Oid(PgObjectKind::kTypeList, type.schema, type.name)) return type.type.ToString() + "[]";
  }
  return std::nullopt;
}

static std::string IdentifierList(const std::vector<std::string>& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + IdentifierText(name);
  return "(" + list + ")";
}

std::string IndexKeyText(const IndexListing& index, size_t number) {
  const std::string& column = index.columns[number - 1];
  if (!column.empty()) return IdentifierText(column);
  const std::string& key = index.keys[number - 1];  // in brackets
  const std::string bare = key.substr(1, key.size() - 2);
  return IsOperandText(bare) ? bare : key;
}

/// Returns the COLLATE behind a column of an index, after a blank; "" if it has the column's collation.
static std::string CollateOfKey(const IndexListing& index, size_t number) {
  const std::string quoted = QuotedIdentifier(index.columns[number - 1]);
  const bool has_key = index.keys.size() >= number && index.keys[number - 1].starts_with(quoted);
  return has_key ? index.keys[number - 1].substr(quoted.size()) : "";
}

std::string IndexDefinition(const TableListing& table, const IndexListing& index) {
  // An index of words has paths and options, which its definition tells.
  const size_t method = index.definition.find("USING text ");
  std::string keys, condition;
  for (size_t i = 1; i <= index.columns.size(); i++)
    keys += (i == 1 ? "" : ", ") + IndexKeyText(index, i) + CollateOfKey(index, i);
  if (!index.condition.empty()) {
    const bool is_operand = IsOperandText(index.condition);
    condition = fmt::format(" WHERE {}{}{}", is_operand ? "" : "(", index.condition, is_operand ? "" : ")");
  }
  const std::string what = method == std::string::npos ? fmt::format("USING btree ({}){}", keys, condition)
                                                       : index.definition.substr(method);
  return fmt::format("CREATE {}INDEX {} ON {}.{} {}", index.is_unique ? "UNIQUE " : "",
                     IdentifierText(index.name), IdentifierText(table.schema), IdentifierText(table.name),
                     what);
}

namespace {

/// Returns whether the name of a table without its schema means that table.
bool IsFoundAlone(const PgObjects& objects, std::string_view schema, const std::string& table) {
  for (const std::string& one : objects.searched()) {
    if (SchemaNamed(one) == SchemaNamed(schema)) return true;
    const auto hides = [&](const auto& other) { return other.schema == one && other.name == table; };
    if (std::ranges::any_of(objects.tables(), hides) || std::ranges::any_of(objects.views(), hides))
      return false;
  }
  return false;
}

/// Returns a constraint without DEFERRABLE and NOT VALID.
std::string RuleOf(const PgObjects& objects, const ConstraintListing& constraint) {
  const std::string columns = IdentifierList(constraint.columns);
  switch (constraint.kind) {
    case ConstraintListing::Kind::kCheck:
      return IsOperandText(constraint.check_text) ? fmt::format("CHECK ({})", constraint.check_text)
                                                  : fmt::format("CHECK (({}))", constraint.check_text);
    case ConstraintListing::Kind::kUnique: return "UNIQUE " + columns;
    case ConstraintListing::Kind::kPrimaryKey: return "PRIMARY KEY " + columns;
    case ConstraintListing::Kind::kForeignKey: break;
  }
  const bool is_bare = IsFoundAlone(objects, constraint.referenced_schema, constraint.referenced_table);
  std::string text =
      fmt::format("FOREIGN KEY {} REFERENCES {}{}{}", columns,
                  is_bare ? "" : IdentifierText(constraint.referenced_schema) + ".",
                  IdentifierText(constraint.referenced_table), IdentifierList(constraint.referenced_columns));
  if (constraint.on_update != "NO ACTION") text += " ON UPDATE " + constraint.on_update;
  if (constraint.on_delete != "NO ACTION") text += " ON DELETE " + constraint.on_delete;
  return text;
}

}  // namespace

std::string ConstraintDefinition(const PgObjects& objects, const ConstraintListing& constraint) {
  std::string text = RuleOf(objects, constraint);
  if (constraint.is_deferrable) text += " DEFERRABLE";
  if (constraint.is_deferred) text += " INITIALLY DEFERRED";
  if (!constraint.is_validated) text += " NOT VALID";
  return text;
}

}  // namespace scaup
