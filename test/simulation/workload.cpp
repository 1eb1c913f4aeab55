// Chooses statements, and applies each of them to the model.
#include "simulation/workload.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "common/sqlstate.hpp"
#include "scaup/error.hpp"
#include "simulation/check_failure.hpp"
#include "simulation/collection_workload.hpp"
#include "simulation/row_keys.hpp"
#include "simulation/value_patterns.hpp"
#include "simulation/workload_state.hpp"

namespace scaup::test {

namespace {

using TableName = DatabaseModel::TableName;

/// How the values of a column are made; every null_period-th is NULL, none if that is 0.
struct ColumnRule {
  const ValuePattern* pattern = nullptr;
  int64_t null_period = 0;
};

class WorkloadMaker {
 public:
  WorkloadMaker(uint64_t seed, const WorkloadOptions& options)
      : state_{std::mt19937_64(seed), options, {}, {}}, collections_(state_) {}

  Workload Make() {
    state_.workload.states.push_back(state_.model);
    Below(2) == 0 ? CreateTable() : collections_.AddChange();
    while (state_.workload.statements.size() < state_.options.statement_count) AddAny();
    return std::move(state_.workload);
  }

 private:
  int64_t Below(int64_t bound) { return state_.Below(bound); }

  void Add(std::string sql) { state_.Add(std::move(sql)); }

  void AddBreakingKey(std::string sql) {
    Add(std::move(sql));
    state_.workload.breaks_key.back() = true;
  }

  // For a statement that leaves `table` so, if its keys allow it.
  void AddChange(const TableName& name, TableModel table, std::string sql) {
    if (HasEqualKeys(table)) return AddBreakingKey(std::move(sql));
    state_.model.tables[name] = std::make_shared<const TableModel>(std::move(table));
    Add(std::move(sql));
  }

  void AddAny() {
    const int64_t kind = Below(100);
    if (kind < 45) return collections_.AddChange();
    if (kind < 57 && state_.options.has_maintenance) return collections_.AddMove();
    const int64_t choice = Below(100);
    if (choice < 8) {
      CreateTable();
    } else if (choice < 24) {
      InsertValues();
    } else if (choice < 40) {
      InsertSeries();
    } else if (choice < 45) {
      CreateTableAs();
    } else if (choice < 49) {
      InsertFromTable();
    } else if (choice < 52) {
      CreateSchema();
    } else if (choice < 57) {
      DropTable();
    } else if (choice < 58) {
      DropSchema();
    } else if (choice < 68) {
      UpdateRows();
    } else if (choice < 75) {
      DeleteRows();
    } else if (choice < 82) {
      AddTransaction();
    } else if (choice < 85) {
      ChangeIndexes();
    } else if (choice < 87) {
      ChangeComment();
    } else if (state_.options.has_maintenance) {
      Add(choice < 96 ? "CHECKPOINT" : "VACUUM");
    }
  }

  // Several changes that come, or do not come, together.
  void AddTransaction() {
    const size_t first = state_.workload.statements.size();
    const DatabaseModel before = state_.model;
    std::optional<DatabaseModel> at_savepoint;
    for (int64_t i = 1 + Below(5); i != 0; i--) {
      const int64_t choice = Below(10);
      if (choice >= 7) {
        collections_.AddChange();
      } else if (choice == 6 && !at_savepoint) {
        at_savepoint = state_.model;
        Add("SAVEPOINT p");
      } else if (choice == 6) {
        state_.model = *at_savepoint;
        Add("ROLLBACK TO p");
      } else if (choice == 0) {
        CreateTable();
      } else if (choice == 5) {
        Below(2) == 0 ? ChangeIndexes() : ChangeComment();
      } else if (choice == 1) {
        DeleteRows();
      } else if (choice == 2) {
        InsertValues();
      } else {
        UpdateRows();
      }
    }
    const bool is_committed = Below(4) != 0;
    std::string text = "BEGIN";
    bool breaks_key = false;
    for (size_t i = first; i < state_.workload.statements.size(); i++) {
      text += "; " + state_.workload.statements[i];
      breaks_key = breaks_key || state_.workload.breaks_key[i];
    }
    state_.workload.statements.resize(first);
    state_.workload.breaks_key.resize(first);
    state_.workload.states.resize(first + 1);
    if (!is_committed || breaks_key) state_.model = before;
    Add(text + (is_committed ? "; COMMIT" : "; ROLLBACK"));
    state_.workload.breaks_key.back() = breaks_key;
  }

  // A condition on one column, and which texts of it pass.
  std::pair<std::string, std::function<bool(const std::string&)>> AnyCondition(const TableName& name,
                                                                               size_t column) {
    const ColumnRule& rule = rules_[name][column];
    const std::string sql = fmt::format("c{}", column);
    if (Below(4) == 0) return {sql + " IS NULL", [](const std::string& text) { return text == "\\N"; }};
    const auto series = series_.find(name);
    const int64_t begin = series == series_.end() ? 1 : series->second.first;
    const int64_t length = series == series_.end() ? 100 : series->second.second;
    const int64_t number = std::max<int64_t>(1, begin + Below(length));  // Not 0, which equals -0.
    const std::string wanted = rule.pattern->text(number);
    return {fmt::format("{} = {}", sql, rule.pattern->sql(std::to_string(number))),
            [wanted](const std::string& text) { return text == wanted; }};
  }

  void DeleteRows() {
    const auto name = AnyTable();
    if (!name) return;
    TableModel table = *state_.model.tables[*name];
    const size_t column = state_.random() % table.columns.size();
    const auto [condition, passes] = AnyCondition(*name, column);
    const bool all = Below(12) == 0;
    std::erase_if(table.rows, [&](const std::string& row) { return all || passes(SplitRow(row)[column]); });
    state_.model.tables[*name] = std::make_shared<const TableModel>(std::move(table));
    Add(all ? "TRUNCATE " + Qualified(*name)
            : fmt::format("DELETE FROM {} WHERE {}", Qualified(*name), condition));
  }

  void UpdateRows() {
    const auto name = AnyTable();
    if (!name) return;
    TableModel table = *state_.model.tables[*name];
    const size_t column = state_.random() % table.columns.size();
    const size_t target = state_.random() % table.columns.size();
    const auto [condition, passes] = AnyCondition(*name, column);
    const bool all = Below(6) == 0;
    auto [value, text] = AnyValue(table.columns[target], rules_[*name][target]);
    // Keys that move to where others were.
    const bool is_shift = table.columns[target].type == "BIGINT" && Below(2) == 0;
    if (is_shift) value = fmt::format("c{} + 1", target);
    for (std::string& row : table.rows) {
      std::vector<std::string> values = SplitRow(row);
      if (!all && !passes(values[column])) continue;
      std::string& changed = values[target];
      if (!is_shift) {
        changed = text;
      } else if (changed != "\\N") {
        changed = fmt::format("{}", std::stoll(changed) + 1);
      }
      row = fmt::format("{}", fmt::join(values, "|"));
    }
    AddChange(*name, std::move(table),
              fmt::format("UPDATE {} SET c{} = {}{}", Qualified(*name), target, value,
                          all ? "" : " WHERE " + condition));
  }

  // Nothing of the rows, but what UPDATE and DELETE find them by, and which others may come.
  void ChangeIndexes() {
    const auto name = AnyTable();
    if (!name) return;
    TableModel table = *state_.model.tables[*name];
    const std::string index = fmt::format("{}_x{}", name->second, Below(3));
    if (Below(4) == 0) {
      table.indexes.erase(index);
      std::erase_if(table.unique_keys, [&](const UniqueKeyModel& key) { return key.index_name == index; });
      state_.model.tables[*name] = std::make_shared<const TableModel>(std::move(table));
      return Add(fmt::format("DROP INDEX IF EXISTS {}.{}", name->first, index));
    }
    const bool is_unique = Below(2) == 0;
    const std::vector<size_t> columns = AnyKey(table, rules_[*name], is_unique);
    const std::string sql =
        fmt::format("CREATE {}INDEX IF NOT EXISTS {} ON {} ({})", is_unique ? "UNIQUE " : "", index,
                    Qualified(*name), ColumnList(columns));
    const std::string definition = fmt::format("{}({})", is_unique ? "UNIQUE " : "", ColumnList(columns));
    if (table.indexes.emplace(index, definition).second && is_unique)
      table.unique_keys.push_back({index, columns});
    AddChange(*name, std::move(table), sql);
  }

  // One or two columns; for a unique key mostly such that few rows share a key.
  std::vector<size_t> AnyKey(const TableModel& table, const std::vector<ColumnRule>& rules, bool is_unique) {
    size_t first = state_.random() % table.columns.size();
    for (int attempt = 0; is_unique && attempt < 4 && !rules[first].pattern->HasManyValues(); attempt++)
      first = state_.random() % table.columns.size();
    const size_t second = state_.random() % table.columns.size();
    if (second == first || Below(2) == 0) return {first};
    return {first, second};
  }

  static std::string ColumnList(const std::vector<size_t>& columns) {
    std::string list;
    for (const size_t column : columns) list += fmt::format("{}c{}", list.empty() ? "" : ", ", column);
    return list;
  }

  void ChangeComment() {
    const auto name = AnyTable();
    if (!name) return;
    TableModel table = *state_.model.tables[*name];
    ColumnModel& column = table.columns[state_.random() % table.columns.size()];
    column.comment = Below(3) == 0 ? "" : fmt::format("comment {}", Below(100));
    const std::string text = column.comment.empty() ? "NULL" : "'" + column.comment + "'";
    const std::string sql = fmt::format("COMMENT ON COLUMN {}.{} IS {}", Qualified(*name), column.name, text);
    state_.model.tables[*name] = std::make_shared<const TableModel>(std::move(table));
    Add(sql);
  }

  std::optional<TableName> AnyTable() {
    if (state_.model.tables.empty()) return std::nullopt;
    return std::next(state_.model.tables.begin(), Below(static_cast<int64_t>(state_.model.tables.size())))
        ->first;
  }
  std::optional<TableName> NewName() {
    if (state_.model.tables.size() >= 6) return std::nullopt;
    // Few names, so that dropped ones come again.
    const TableName name{state_.AnySchema(), fmt::format("t{}", Below(8))};
    if (state_.model.tables.count(name) != 0) return std::nullopt;
    return name;
  }

  void CreateSchema() {
    const std::string name = fmt::format("s{}", Below(3));
    if (!state_.model.schemas.insert(name).second) return;
    Add("CREATE SCHEMA " + name);
  }

  void DropSchema() {
    if (state_.model.schemas.empty()) return;
    const std::string name =
        *std::next(state_.model.schemas.begin(), Below(static_cast<int64_t>(state_.model.schemas.size())));
    state_.model.schemas.erase(name);
    std::erase_if(state_.model.tables, [&](const auto& entry) { return entry.first.first == name; });
    std::erase_if(state_.model.collections, [&](const auto& entry) { return entry.first.first == name; });
    Add(fmt::format("DROP SCHEMA {} CASCADE", name));
  }

  void DropTable() {
    const auto name = AnyTable();
    if (!name || state_.model.tables.size() < 2) return;
    state_.model.tables.erase(*name);
    Add("DROP TABLE " + Qualified(*name));
  }

  void CreateTable() {
    const auto name = NewName();
    if (!name) return;
    TableModel table;
    std::vector<ColumnRule> rules;
    std::string sql = "CREATE TABLE " + Qualified(*name) + " (";
    const int64_t column_count = 1 + Below(6);
    for (int64_t i = 0; i < column_count; i++) {
      const auto& patterns = ValuePatterns();
      const ValuePattern& pattern = patterns[state_.random() % patterns.size()];
      ColumnModel column{fmt::format("c{}", i), pattern.type, Below(4) == 0, "", ""};
      if (column.type == "INTEGER" && Below(2) == 0) column.default_sql = fmt::format("{}", Below(100));
      rules.push_back({&pattern, column.not_null || Below(2) == 0 ? 0 : 1 + Below(10)});
      sql += fmt::format("{}{} {}{}{}", i == 0 ? "" : ", ", column.name, column.type,
                         column.default_sql.empty() ? "" : " DEFAULT " + column.default_sql,
                         column.not_null ? " NOT NULL" : "");
      table.columns.push_back(std::move(column));
    }
    if (Below(3) == 0) {
      const std::vector<size_t> key = AnyKey(table, rules, true);
      for (const size_t column : key) {
        table.columns[column].not_null = true;
        rules[column].null_period = 0;
      }
      table.unique_keys.push_back({"", key});
      sql += fmt::format(", PRIMARY KEY ({})", ColumnList(key));
    }
    if (Below(4) == 0) {
      table.unique_keys.push_back({"", AnyKey(table, rules, true)});
      sql += fmt::format(", UNIQUE ({})", ColumnList(table.unique_keys.back().columns));
    }
    rules_[*name] = std::move(rules);
    state_.model.tables[*name] = std::make_shared<const TableModel>(std::move(table));
    Add(sql + ")");
  }

  static bool IsInKey(const TableModel& table, size_t column) {
    return std::any_of(table.unique_keys.begin(), table.unique_keys.end(), [&](const UniqueKeyModel& key) {
      return std::find(key.columns.begin(), key.columns.end(), column) != key.columns.end();
    });
  }

  // INSERT of rows of the table: one that fails where a key is there, leaves such rows out, or changes those
  // that are there.
  void AddInsert(const TableName& name, const std::vector<std::string>& rows, std::string sql) {
    TableModel table = *state_.model.tables[name];
    const int64_t choice = table.unique_keys.empty() ? 0 : Below(3);
    if (choice == 0) {
      table.rows.insert(table.rows.end(), rows.begin(), rows.end());
      return AddChange(name, std::move(table), std::move(sql));
    }
    if (choice == 1) {
      InsertUnlessThere(table, rows);
      return AddChange(name, std::move(table), sql + " ON CONFLICT DO NOTHING");
    }
    const UniqueKeyModel arbiter = table.unique_keys[state_.random() % table.unique_keys.size()];
    size_t target = state_.random() % table.columns.size();
    for (size_t i = 0; i < table.columns.size() && IsInKey(table, target); i++)
      target = (target + 1) % table.columns.size();
    if (IsInKey(table, target)) {
      table.rows.insert(table.rows.end(), rows.begin(), rows.end());
      return AddChange(name, std::move(table), std::move(sql));
    }
    const auto [value, text] = AnyValue(table.columns[target], rules_[name][target]);
    sql +=
        fmt::format(" ON CONFLICT ({}) DO UPDATE SET c{} = {}", ColumnList(arbiter.columns), target, value);
    if (!Upsert(table, rows, arbiter, target, text)) return AddBreakingKey(std::move(sql));
    AddChange(name, std::move(table), std::move(sql));
  }

  // The table's rows for numbers from `first` on.
  static std::vector<std::string> MakeRows(const std::vector<ColumnRule>& rules, int64_t first,
                                           int64_t count) {
    std::vector<std::string> rows;
    for (int64_t n = first; n < first + count; n++) {
      std::string row;
      for (const ColumnRule& rule : rules) {
        if (&rule != rules.data()) row += '|';
        row += rule.null_period != 0 && n % rule.null_period == 0 ? "\\N" : rule.pattern->text(n);
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  // SELECT list that computes these rows from the column i of a series.
  static std::string SeriesQuery(const std::vector<ColumnRule>& rules, int64_t first, int64_t count) {
    std::string list;
    for (const ColumnRule& rule : rules) {
      const std::string value = rule.pattern->sql("i");
      list += list.empty() ? "" : ", ";
      list += rule.null_period == 0
                  ? value
                  : fmt::format("CASE WHEN i % {} = 0 THEN NULL ELSE {} END", rule.null_period, value);
    }
    return fmt::format("SELECT {} FROM generate_series({}, {}) AS g(i)", list, first, first + count - 1);
  }

  int64_t SeriesLength() {
    return Below(3) == 0 ? state_.options.largest_insert : 1 + Below(state_.options.largest_insert);
  }

  void InsertSeries() {
    const auto name = AnyTable();
    if (!name) return;
    const std::vector<ColumnRule>& rules = rules_[*name];
    const int64_t first = Below(100'000), count = SeriesLength();
    series_[*name] = {first, count};
    AddInsert(*name, MakeRows(rules, first, count),
              fmt::format("INSERT INTO {} {}", Qualified(*name), SeriesQuery(rules, first, count)));
  }

  void CreateTableAs() {
    const auto name = NewName();
    const auto source = AnyTable();
    if (!name || !source) return;
    const int64_t first = Below(100'000), count = SeriesLength();
    TableModel table = *state_.model.tables[*source];
    const std::vector<ColumnRule> rules = rules_[*source];
    std::string query = "SELECT * FROM " + Qualified(*source), columns;
    for (size_t i = 0; i < table.columns.size(); i++) {
      table.columns[i].not_null = false;
      table.columns[i].default_sql.clear();
      table.columns[i].comment.clear();
      columns += fmt::format("{}c{}", i == 0 ? "" : ", ", i);
    }
    table.unique_keys.clear();
    table.indexes.clear();
    if (Below(2) == 0) {
      table.rows = MakeRows(rules, first, count);
      query = SeriesQuery(rules, first, count);
    }
    rules_[*name] = rules;
    state_.model.tables[*name] = std::make_shared<const TableModel>(std::move(table));
    Add(fmt::format("CREATE TABLE {} ({}) AS {}", Qualified(*name), columns, query));
  }

  void InsertFromTable() {
    const auto name = AnyTable();
    if (!name ||
        state_.model.tables[*name]->rows.size() > static_cast<size_t>(2 * state_.options.largest_insert))
      return;
    const std::vector<std::string> rows = state_.model.tables[*name]->rows;
    AddInsert(*name, rows, fmt::format("INSERT INTO {0} SELECT * FROM {0}", Qualified(*name)));
  }

  // A value for VALUES: of the pattern, NULL, a special one, or the default. As SQL and as text.
  std::pair<std::string, std::string> AnyValue(const ColumnModel& column, const ColumnRule& rule) {
    const int64_t choice = Below(10);
    if (choice == 0 && !column.not_null) return {"NULL", "\\N"};
    if (choice == 1 && !column.default_sql.empty()) return {"DEFAULT", column.default_sql};
    const auto& specials = rule.pattern->specials;
    if (choice < 5 && !specials.empty()) {
      const auto& special = specials[state_.random() % specials.size()];
      return {fmt::format("'{}'::{}", special.literal, column.type), special.text};
    }
    const int64_t number = Below(100'000);
    return {rule.pattern->sql(std::to_string(number)), rule.pattern->text(number)};
  }

  void InsertValues() {
    const auto name = AnyTable();
    if (!name) return;
    const TableModel& table = *state_.model.tables[*name];
    const std::vector<ColumnRule>& rules = rules_[*name];
    std::vector<std::string> rows;
    std::string sql = "INSERT INTO " + Qualified(*name) + " VALUES ";
    const int64_t count = 1 + Below(4);
    for (int64_t i = 0; i < count; i++) {
      std::string values, row;
      for (size_t column = 0; column < rules.size(); column++) {
        const auto [value, text] = AnyValue(table.columns[column], rules[column]);
        values += (column == 0 ? "" : ", ") + value;
        row += (column == 0 ? "" : "|") + text;
      }
      sql += fmt::format("{}({})", i == 0 ? "" : ", ", values);
      rows.push_back(std::move(row));
    }
    AddInsert(*name, rows, std::move(sql));
  }

  WorkloadState state_;
  CollectionWorkload collections_;
  std::map<TableName, std::vector<ColumnRule>> rules_;
  std::map<TableName, std::pair<int64_t, int64_t>> series_;  // First number and length of the last one.
};

}  // namespace

Workload MakeWorkload(uint64_t seed, const WorkloadOptions& options) {
  return WorkloadMaker(seed, options).Make();
}

void ExecuteStatement(TestedDatabase& database, const Workload& workload, size_t statement) {
  const std::string& sql = workload.statements[statement];
  if (!workload.breaks_key[statement]) {
    database.Execute(sql);
    return;
  }
  try {
    database.Execute(sql);
  } catch (const Error& error) {
    const std::string state = error.sqlstate();
    if (state == sqlstate::kUniqueViolation || state == sqlstate::kCardinalityViolation) return;
    throw;
  }
  throw CheckFailure{fmt::format("<{}> does not fail, though keys are not unique then", sql.substr(0, 1000))};
}

}  // namespace scaup::test
