// JSON as lists, structs, maps and unions: elements by position, fields by name, members as entries.
#include "type/json_nested.hpp"

#include "common/check.hpp"
#include "common/stack_bound.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"
#include "type/value_cast.hpp"

namespace scaup {

LogicalType JsonPieceType(const LogicalType& json, const LogicalType& target) {
  return target.IsNested() || IsJson(target) ? json : LogicalType(TypeId::kVarchar);
}

static TextItem MakeItem(std::string_view json, const LogicalType& type) {
  TextItem item;
  if (JsonKindOf(json) == JsonKind::kNull) {
    item.is_null = true;
  } else if (type.IsNested() || IsJson(type)) {
    item.text = json;
  } else {
    AppendJsonAsText(json, item.text);
  }
  return item;
}

static void SplitMembers(std::string_view json, const LogicalType& mapped, std::vector<TextItem>& items) {
  for (JsonIterator members(json); members.Next();) {
    TextItem& name = items.emplace_back();
    AppendJsonAsText(members.quoted_name(), name.text);
    items.push_back(MakeItem(members.value(), mapped));
  }
}

bool SplitJson(std::string_view json, const LogicalType& type, std::vector<TextItem>& items) {
  SCAUP_ASSERT(type.IsNested() && !IsUnion(type) && JsonKindOf(json) != JsonKind::kNull);
  const JsonKind kind = JsonKindOf(json);
  items.clear();
  if (IsMap(type)) {
    if (kind != JsonKind::kObject) return false;
    SplitMembers(json, MapValueType(type), items);
    return true;
  }
  if (type.id() == TypeId::kList) {
    if (kind != JsonKind::kArray) return false;
    for (JsonIterator elements(json); elements.Next();)
      items.push_back(MakeItem(elements.value(), type.element()));
    return true;
  }
  if (kind != JsonKind::kObject) return false;
  for (const StructField& field : type.fields()) {
    const auto value = JsonMember(json, field.name);
    items.push_back(value ? MakeItem(*value, field.type) : TextItem{.text = {}, .is_null = true});
  }
  return true;
}

static bool ParseJsonItem(const TextItem& item, const LogicalType& type, const TimeZone* zone, Value& value) {
  value = Value(type);
  if (item.is_null) return true;
  return type.IsNested() ? ParseJsonNested(item.text, type, value, zone)
                         : ParseValue(item.text, type, value, zone);
}

/// Makes a map of the names and values of its entries.
static bool MakeJsonMap(const std::vector<TextItem>& items, const LogicalType& type, const TimeZone* zone,
                        Value& result) {
  std::vector<Value> entries;
  for (size_t i = 0; i < items.size(); i += 2) {
    Value key, value;
    // The name of a member is a text, even if it is that of a list.
    if (!ParseValue(items[i].text, MapKeyType(type), key, zone) ||
        !ParseJsonItem(items[i + 1], MapValueType(type), zone, value))
      return false;
    entries.push_back(Value::Struct(type.element(), {key, value}));
  }
  const Value list = Value::List(type.element(), entries);
  if (!HasGoodKeys(type, list.GetString())) return false;
  result = Value::FromBytes(type, list.GetString());
  return true;
}

/// Makes a union of an object whose only member has the name of one of its members.
static bool ParseJsonUnion(std::string_view json, const LogicalType& type, const TimeZone* zone,
                           Value& result) {
  if (JsonKindOf(json) != JsonKind::kObject) return false;
  JsonIterator members(json);
  if (!members.Next()) return false;
  std::string name;
  AppendJsonAsText(members.quoted_name(), name);
  const std::optional<size_t> member = FindMember(type, name);
  if (!member) return false;
  const LogicalType& member_type = UnionMembers(type)[*member].type;
  Value value;
  if (!ParseJsonItem(MakeItem(members.value(), member_type), member_type, zone, value) || members.Next())
    return false;
  result = MakeUnion(type, *member, value);
  return true;
}

bool ParseJsonNested(std::string_view json, const LogicalType& type, Value& result, const TimeZone* zone) {
  SCAUP_ASSERT(type.IsNested());
  CheckStack();
  result = Value(type);
  if (JsonKindOf(json) == JsonKind::kNull) return true;
  if (IsUnion(type)) return ParseJsonUnion(json, type, zone, result);
  std::vector<TextItem> items;
  if (!SplitJson(json, type, items)) return false;
  if (IsMap(type)) return MakeJsonMap(items, type, zone, result);
  const bool is_list = type.id() == TypeId::kList;
  std::vector<Value> values;
  for (size_t i = 0; i < items.size(); i++) {
    if (!ParseJsonItem(items[i], is_list ? type.element() : type.fields()[i].type, zone,
                       values.emplace_back()))
      return false;
  }
  result = is_list ? Value::List(type.element(), values) : Value::Struct(type, values);
  return true;
}

}  // namespace scaup
