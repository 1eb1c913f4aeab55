// Finds the elements of a schema by names.
#include "format/parquet/write/field_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "format/text/option_values.hpp"

namespace scaup {

namespace {

/// The name by which DuckDB gives the number of a column that has others in it.
constexpr std::string_view kOwnId = "__duckdb_field_id";

int32_t ParseId(const std::string& option, const OptionMap& value) {
  if (!value.text) ThrowBadOption(option, "made of numbers", "NULL");
  const int64_t id = IntegerOption(option, Value::Varchar(*value.text));
  if (id < 0 || id > INT32_MAX) ThrowBadOption(option, "made of numbers from 0 to 2147483647", *value.text);
  return static_cast<int32_t>(id);
}

ParquetFieldId ParseField(const std::string& option, const OptionMap& value) {
  CheckStack();
  ParquetFieldId field;
  if (!value.is_map) {
    field.id = ParseId(option, value);
    return field;
  }
  for (const auto& [name, inner] : value.values) {
    if (name == kOwnId) {
      field.id = ParseId(option, inner);
    } else {
      field.inner.emplace_back(name, ParseField(option, inner));
    }
  }
  return field;
}

/// Walks over a schema, whose elements stand in depth-first order.
class IdSetter {
 public:
  explicit IdSetter(std::vector<ParquetSchemaElement>& schema) : schema_(schema) {}

  void SetInner(const std::vector<std::pair<std::string, ParquetFieldId>>& fields, size_t parent) {
    CheckStack();
    for (const auto& [name, field] : fields) {
      const size_t element = Find(name, parent);
      if (field.id) Set(element, *field.id);
      SetInner(field.inner, ListOf(element));
    }
  }

 private:
  /// The element after another one with all that is in it.
  size_t EndOf(size_t element) const {
    size_t open = 1;
    for (; open != 0; element++) open += static_cast<size_t>(schema_[element].child_count) - 1;
    return element;
  }
  /// The group in the middle of the three levels of a list or map; otherwise the element.
  size_t ListOf(size_t element) const {
    const ParquetMeaning meaning = schema_[element].annotation.meaning;
    return meaning == ParquetMeaning::kList || meaning == ParquetMeaning::kMap ? element + 1 : element;
  }

  size_t Find(const std::string& name, size_t parent) const {
    std::vector<std::string> names;
    size_t element = parent + 1;
    for (int32_t i = 0; i < schema_[parent].child_count; i++, element = EndOf(element)) {
      if (LowerCase(schema_[element].name) == LowerCase(name)) return element;
      names.push_back(schema_[element].name);
    }
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
               fmt::format("FIELD_IDS names \"{}\", which is not written: there {} {}", name,
                           names.size() == 1 ? "is" : "are",
                           names.empty() ? "no columns in it" : fmt::format("{}", fmt::join(names, ", "))));
  }

  void Set(size_t element, int32_t id) {
    if (!ids_.insert(id).second) {
      ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
                 fmt::format("FIELD_IDS has the number {} twice", id));
    }
    schema_[element].field_id = id;
  }

  std::vector<ParquetSchemaElement>& schema_;
  std::set<int32_t> ids_;
};

}  // namespace

ParquetFieldIds ParseFieldIds(const std::string& option, const std::string& text) {
  ParquetFieldIds ids;
  ids.is_automatic = LowerCase(text) == "auto";
  if (ids.is_automatic) return ids;
  ids.columns = ParseField(option, ParseOptionMap(option, text)).inner;
  return ids;
}

void SetFieldIds(const ParquetFieldIds& ids, std::vector<ParquetSchemaElement>& schema) {
  if (!ids.is_automatic) return IdSetter(schema).SetInner(ids.columns, 0);
  int32_t next = 0;
  for (size_t i = 1; i < schema.size(); i++) {
    // The group in the middle of a list is no column.
    if (schema[i].repetition != ParquetRepetition::kRepeated) schema[i].field_id = next++;
  }
}

}  // namespace scaup
