// Names and keys of indexes for messages.
#include "storage/table_index/index_names.hpp"

#include <utility>

namespace scaup {

namespace {

/// Returns a value as text, in the type that the user knows rather than the stored one.
std::string TextAs(const Value& value, const LogicalType& type) {
  if (value.is_null() || value.type() == type) return value.ToString();
  const bool is_enum = type.id() == TypeId::kEnum;
  return (is_enum ? Value::FromInteger(type, value.GetInteger()) : Value::FromBytes(type, value.GetString()))
      .ToString();
}

}  // namespace

std::string IndexNames::index() const {
  MutexLock lock(mutex_);
  return index_;
}

std::vector<std::string> IndexNames::columns() const {
  MutexLock lock(mutex_);
  return columns_;
}

std::vector<LogicalType> IndexNames::column_types() const {
  MutexLock lock(mutex_);
  return column_types_;
}

void IndexNames::Rename(std::string index, std::vector<std::string> columns,
                        std::vector<LogicalType> column_types) {
  MutexLock lock(mutex_);
  index_ = std::move(index);
  columns_ = std::move(columns);
  column_types_ = std::move(column_types);
}

std::string IndexNames::DescribeKey(DataChunk& key_columns, size_t row) const {
  MutexLock lock(mutex_);
  std::string names, values;
  for (size_t i = 0; i < columns_.size(); i++) {
    if (i != 0) {
      names += ", ";
      values += ", ";
    }
    names += columns_[i];
    const Value value = key_columns.column(i).GetValue(row);
    values += TextAs(value, column_types_.empty() ? value.type() : column_types_[i]);
  }
  return "(" + names + ")=(" + values + ")";
}

}  // namespace scaup
