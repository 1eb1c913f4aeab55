// Keys are compared as texts, which equal values share.
#include "simulation/row_keys.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace scaup::test {

namespace {

/// None where a value is NULL: the key equals no other.
std::optional<std::string> KeyOf(const UniqueKeyModel& key, const std::vector<std::string>& values) {
  std::string text;
  for (const size_t column : key.columns) {
    if (values[column] == "\\N") return std::nullopt;
    text += (values[column] == "-0" ? "0" : values[column]) + "|";
  }
  return text;
}

/// The keys of rows, by unique key of the table, and where the rows are.
class Keys {
 public:
  explicit Keys(const TableModel& table) : table_(table), rows_(table.unique_keys.size()) {
    for (size_t i = 0; i < table.rows.size(); i++) Add(SplitRow(table.rows[i]), i);
  }
  /// Whether all keys are new.
  bool Add(const std::vector<std::string>& values, size_t row) {
    bool is_new = true;
    for (size_t i = 0; i < rows_.size(); i++) {
      const auto key = KeyOf(table_.unique_keys[i], values);
      if (key && !rows_[i].emplace(*key, row).second) is_new = false;
    }
    return is_new;
  }
  bool HasAny(const std::vector<std::string>& values) const {
    for (size_t i = 0; i < rows_.size(); i++) {
      const auto key = KeyOf(table_.unique_keys[i], values);
      if (key && rows_[i].count(*key) != 0) return true;
    }
    return false;
  }

 private:
  const TableModel& table_;
  std::vector<std::map<std::string, size_t>> rows_;
};

}  // namespace

std::vector<std::string> SplitRow(const std::string& row) {
  std::vector<std::string> values(1);
  for (const char c : row) {
    if (c == '|') {
      values.emplace_back();
    } else {
      values.back() += c;
    }
  }
  return values;
}

bool HasEqualKeys(const TableModel& table) {
  for (const UniqueKeyModel& unique_key : table.unique_keys) {
    std::set<std::string> keys;
    for (const std::string& row : table.rows) {
      const auto key = KeyOf(unique_key, SplitRow(row));
      if (key && !keys.insert(*key).second) return true;
    }
  }
  return false;
}

void InsertUnlessThere(TableModel& table, const std::vector<std::string>& rows) {
  Keys keys(table);
  for (const std::string& row : rows) {
    const std::vector<std::string> values = SplitRow(row);
    if (keys.HasAny(values)) continue;
    keys.Add(values, table.rows.size());
    table.rows.push_back(row);
  }
}

bool Upsert(TableModel& table, const std::vector<std::string>& rows, const UniqueKeyModel& arbiter,
            size_t target, const std::string& text) {
  std::map<std::string, size_t> row_of_key;
  for (size_t i = 0; i < table.rows.size(); i++) {
    if (const auto key = KeyOf(arbiter, SplitRow(table.rows[i]))) row_of_key[*key] = i;
  }
  const size_t first_new = table.rows.size();
  std::set<size_t> changed;
  for (const std::string& row : rows) {
    const auto key = KeyOf(arbiter, SplitRow(row));
    const auto there = key ? row_of_key.find(*key) : row_of_key.end();
    if (there == row_of_key.end()) {
      if (key) row_of_key[*key] = table.rows.size();
      table.rows.push_back(row);
      continue;
    }
    if (there->second >= first_new || !changed.insert(there->second).second) return false;
    std::vector<std::string> values = SplitRow(table.rows[there->second]);
    values[target] = text;
    table.rows[there->second] = fmt::format("{}", fmt::join(values, "|"));
  }
  return true;
}

}  // namespace scaup::test
