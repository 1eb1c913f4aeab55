// System relations: parsing column lists, and assembling rows.
#include "system/system_relations.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "type/pg_type.hpp"
#include "type/type_modifier.hpp"

namespace scaup {
namespace {

LogicalType TypeOfSuffix(std::string_view suffix) {
  if (suffix.empty()) return TypeId::kVarchar;
  if (suffix.ends_with("[]")) return LogicalType::List(TypeOfSuffix(suffix.substr(0, suffix.size() - 2)));
  if (suffix == "int2vector") return Int2VectorType();
  if (suffix == "oidvector") return OidVectorType();
  if (suffix == "regproc") return ObjectNumberType(ObjectNumber::kProcedure);
  constexpr std::pair<std::string_view, TypeId> kSuffixes[] = {
      {"int", TypeId::kInteger},  {"bigint", TypeId::kBigInt}, {"oid", TypeId::kBigInt},
      {"bool", TypeId::kBoolean}, {"real", TypeId::kReal},     {"timestamptz", TypeId::kTimestampTz},
      {"text", TypeId::kVarchar}, {"double", TypeId::kDouble}, {"smallint", TypeId::kSmallInt}};
  for (const auto& [name, type] : kSuffixes) {
    if (name == suffix) return type;
  }
  ThrowInternal("unknown type in a system relation's columns");
}

}  // namespace

void SystemRows::Add(std::vector<std::pair<std::string_view, Value>> values) {
  std::vector<Value>& row = rows_.emplace_back();
  row.reserve(bound_.column_names.size());
  for (const LogicalType& type : bound_.column_types) row.emplace_back(type);
  for (auto& [name, value] : values) {
    const auto found = std::find(bound_.column_names.begin(), bound_.column_names.end(), name);
    SCAUP_CHECK(found != bound_.column_names.end());
    row[static_cast<size_t>(found - bound_.column_names.begin())] = std::move(value);
  }
}

std::unique_ptr<BoundTableFunction> BindSystemRelation(const SystemRelation& relation) {
  auto bound = std::make_unique<BoundListing>();
  std::string_view rest = relation.columns;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view column = rest.substr(0, end);
    const size_t colon = std::min(column.find(':'), column.size());
    bound->column_names.emplace_back(column.substr(0, colon));
    bound->column_types.emplace_back(TypeOfSuffix(column.substr(std::min(colon + 1, column.size()))));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  bound->make_rows = relation.make_rows;
  return bound;
}

bool IsSystemRelation(const TableFunction& function) { return function.name.find('.') != std::string::npos; }

bool IsSystemSchema(std::string_view schema) { return schema == kInformationSchema || schema == kPgCatalog; }

}  // namespace scaup
