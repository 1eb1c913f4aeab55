// Parses option values that are lists.
#include "format/text/list_option.hpp"

#include <algorithm>
#include <optional>

#include "common/stack_bound.hpp"
#include "format/text/option_values.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

LogicalType DecimalOption(const std::string& name, std::string_view parameters) {
  const std::vector<std::string> numbers = SplitOption(parameters);
  const int64_t width = IntegerOption(name, Value::Varchar(numbers[0]));
  const int64_t scale = numbers.size() > 1 ? IntegerOption(name, Value::Varchar(numbers[1])) : 0;
  if (numbers.size() > 2 || width < 1 || width > LogicalType::kMaxDecimalWidth || scale < 0 || scale > width)
    ThrowBadOption(name, "made of DECIMAL(width, scale) with 1 <= width <= 38 and scale <= width",
                   std::string(parameters));
  return LogicalType::Decimal(static_cast<uint8_t>(width), static_cast<uint8_t>(scale));
}

/// Splits "a INTEGER" into name and type.
std::pair<std::string, LogicalType> ColumnOption(const std::string& name, const std::string& column) {
  const size_t quote_end = column.starts_with('"') ? column.find('"', 1) : 0;
  const size_t space = quote_end == std::string::npos ? quote_end : column.find(' ', quote_end);
  if (space == std::string::npos) ThrowBadOption(name, "written like 'id BIGINT, name VARCHAR'", column);
  const bool is_quoted = quote_end != 0;
  return {is_quoted ? column.substr(1, quote_end - 1) : column.substr(0, space),
          TypeOption(name, std::string_view(column).substr(space))};
}

LogicalType StructOption(const std::string& name, std::string_view parameters) {
  std::vector<StructField> fields;
  for (const std::string& column : SplitOption(parameters)) {
    auto [field, type] = ColumnOption(name, column);
    fields.push_back({std::move(field), std::move(type)});
  }
  return LogicalType::Struct(std::move(fields));
}

LogicalType MapOption(const std::string& name, std::string_view parameters) {
  const std::vector<std::string> parts = SplitOption(parameters);
  if (parts.size() != 2) ThrowBadOption(name, "made of MAP(KEY_TYPE, VALUE_TYPE)", std::string(parameters));
  return LogicalType::Map(TypeOption(name, parts[0]), TypeOption(name, parts[1]));
}

}  // namespace

std::string_view TrimOption(std::string_view text) {
  constexpr std::string_view kSpace = " \n\t";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

std::vector<std::string> SplitOption(std::string_view text) {
  std::vector<std::string> parts;
  int depth = 0;
  bool in_quotes = false;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); i++) {
    const char c = i < text.size() ? text[i] : ',';
    if (c == '"') in_quotes = !in_quotes;
    if (c == '(') depth++;
    if (c == ')') depth--;
    if (i < text.size() && (c != ',' || depth > 0 || in_quotes)) continue;
    parts.emplace_back(TrimOption(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  return parts;
}

std::vector<std::string> ListOption(const std::string& name, const Value& value) {
  if (value.is_null() || value.type().id() != TypeId::kList) return SplitOption(TextOption(name, value));
  std::vector<std::string> texts;
  for (const Value& element : value.GetElements()) texts.push_back(TextOption(name, element));
  return texts;
}

LogicalType TypeOption(const std::string& name, std::string_view text) {
  CheckStack();
  text = TrimOption(text);
  if (text.ends_with("[]")) return LogicalType::List(TypeOption(name, text.substr(0, text.size() - 2)));
  const size_t open = text.find('(');
  const std::string type_name = LowerCase(TrimOption(text.substr(0, open)));
  if (open != std::string_view::npos && text.back() != ')')
    ThrowBadOption(name, "a list of types", std::string(text));
  const std::string_view parameters =
      open == std::string_view::npos ? std::string_view() : text.substr(open + 1, text.size() - open - 2);
  if (type_name == "struct" && open != std::string_view::npos) return StructOption(name, parameters);
  if (type_name == "union" && open != std::string_view::npos)
    return UnionType(StructOption(name, parameters).fields());
  if (type_name == "map" && open != std::string_view::npos) return MapOption(name, parameters);
  const std::optional<LogicalType> type = TypeFromName(type_name);
  if (!type) ThrowBadOption(name, "a list of types", std::string(text));
  if (open == std::string_view::npos || type->id() == TypeId::kVarchar) return *type;
  if (type->id() != TypeId::kNumeric) ThrowBadOption(name, "a list of types", std::string(text));
  return DecimalOption(name, parameters);
}

std::vector<std::pair<std::string, LogicalType>> ColumnsOption(const std::string& name, const Value& value) {
  std::vector<std::pair<std::string, LogicalType>> columns;
  if (value.is_null() || value.type().id() != TypeId::kStruct) {
    for (const std::string& column : SplitOption(TextOption(name, value)))
      columns.push_back(ColumnOption(name, column));
    return columns;
  }
  const std::vector<Value> types = value.GetElements();
  const std::vector<StructField>& fields = value.type().fields();
  for (size_t i = 0; i < fields.size(); i++)
    columns.emplace_back(fields[i].name, TypeOption(name, TextOption(name, types[i])));
  return columns;
}

}  // namespace scaup
