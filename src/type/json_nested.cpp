// JSON as lists and structs: elements by position, fields by name.
#include "type/json_nested.hpp"

#include "common/check.hpp"
#include "common/stack_bound.hpp"
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

bool SplitJson(std::string_view json, const LogicalType& type, std::vector<TextItem>& items) {
  SCAUP_ASSERT(type.IsNested() && JsonKindOf(json) != JsonKind::kNull);
  const JsonKind kind = JsonKindOf(json);
  items.clear();
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

bool ParseJsonNested(std::string_view json, const LogicalType& type, Value& result, const TimeZone* zone) {
  SCAUP_ASSERT(type.IsNested());
  CheckStack();
  result = Value(type);
  if (JsonKindOf(json) == JsonKind::kNull) return true;
  std::vector<TextItem> items;
  if (!SplitJson(json, type, items)) return false;
  const bool is_list = type.id() == TypeId::kList;
  std::vector<Value> values;
  for (size_t i = 0; i < items.size(); i++) {
    const LogicalType& target = is_list ? type.element() : type.fields()[i].type;
    Value& value = values.emplace_back(target);
    if (items[i].is_null) continue;
    const bool fits = target.IsNested() ? ParseJsonNested(items[i].text, target, value, zone)
                                        : ParseValue(items[i].text, target, value, zone);
    if (!fits) return false;
  }
  result = is_list ? Value::List(type.element(), values) : Value::Struct(type, values);
  return true;
}

}  // namespace scaup
