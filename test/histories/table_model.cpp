// What statements of histories do to plain maps.
#include "histories/table_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace scaup::test {

namespace {

using RowTest = std::function<bool(const Row&)>;

std::string Text(std::optional<int64_t> value) { return value ? std::to_string(*value) : "NULL"; }

std::string LineOf(int64_t id, const Row& row) {
  return fmt::format("{}\t{}\t{}\t{}\t{}\n", id, row.k, row.a, Text(row.b), row.s);
}

/// Aggregates as SQL has them: NULL over nothing.
struct Sums {
  int64_t rows = 0, values = 0;
  std::optional<int64_t> sum, min_a, max_k, min_id;

  void Add(int64_t id, const Row& row) {
    rows++;
    if (row.b) {
      values++;
      sum = sum.value_or(0) + *row.b;
    }
    min_a = std::min(min_a.value_or(row.a), row.a);
    max_k = std::max(max_k.value_or(row.k), row.k);
    min_id = std::min(min_id.value_or(id), id);
  }
};

Sums SumsOf(const TableModel::Rows& rows, const RowTest& matches) {
  Sums sums;
  for (const auto& [id, row] : rows)
    if (matches(row)) sums.Add(id, row);
  return sums;
}

RowTest TestOf(const Operation& operation) {
  const int64_t low = operation.low, high = operation.high;
  switch (operation.kind) {
    case OperationKind::kReadPoint:
    case OperationKind::kUpdatePoint:
    case OperationKind::kUpdateToNull:
    case OperationKind::kUpdateKey:
    case OperationKind::kDeletePoint: return [low](const Row& row) { return row.k == low; };
    case OperationKind::kReadKeyRange:
    case OperationKind::kUpdateText:
      return [low, high](const Row& row) { return row.k >= low && row.k <= high; };
    case OperationKind::kReadRange:
    case OperationKind::kAggregate:
    case OperationKind::kInsertIfNone:
    case OperationKind::kUpdateRange:
    case OperationKind::kDeleteRange:
    case OperationKind::kJoin: return [low, high](const Row& row) { return row.a >= low && row.a <= high; };
    case OperationKind::kReadNulls:
    case OperationKind::kUpdateNulls: return [](const Row& row) { return !row.b; };
    case OperationKind::kUpdateFromSum:
      return [key = operation.value](const Row& row) { return row.k == key; };
    case OperationKind::kReadAll:
    case OperationKind::kCount:
    case OperationKind::kFill:
    case OperationKind::kInsert:
    case OperationKind::kSavepoint:
    case OperationKind::kRollbackTo:
    case OperationKind::kRelease: return [](const Row&) { return true; };
  }
  return {};
}

std::string Read(const TableModel& tables, const Operation& operation) {
  const TableModel::Rows& rows = tables.rows(operation.table);
  const RowTest matches = TestOf(operation);
  if (operation.kind == OperationKind::kJoin) {
    int64_t count = 0;
    std::optional<int64_t> sum;
    for (const auto& [id, x] : tables.rows(TableName::kPlain)) {
      for (const auto& [other, y] : tables.rows(TableName::kKeyed)) {
        if (!matches(x) || x.k != y.k) continue;
        count++;
        sum = sum.value_or(0) + x.a + y.a;
      }
    }
    return fmt::format("{}\t{}\n", count, Text(sum));
  }
  const Sums sums = SumsOf(rows, matches);
  if (operation.kind == OperationKind::kCount) return fmt::format("{}\n", sums.rows);
  if (operation.kind == OperationKind::kReadNulls)
    return fmt::format("{}\t{}\n", sums.rows, Text(sums.min_id));
  if (operation.kind == OperationKind::kAggregate)
    return fmt::format("{}\t{}\t{}\t{}\t{}\n", sums.rows, sums.values, Text(sums.sum), Text(sums.min_a),
                       Text(sums.max_k));
  std::string text;
  for (const auto& [id, row] : rows)
    if (matches(row)) text += LineOf(id, row);
  return text;
}

Outcome Insert(TableModel& tables, const Operation& operation, Effect& effect) {
  const Row row{operation.low, operation.high, operation.value, operation.text};
  TableModel::Rows& rows = tables.rows(operation.table);
  if (operation.kind == OperationKind::kInsertIfNone && SumsOf(rows, TestOf(operation)).rows != 0)
    return {"", "0 changed"};
  if (operation.table == TableName::kKeyed) {
    effect.made_keys.insert(row.k);
    if (tables.FindKey(row.k)) return {"23505", ""};
  }
  rows[operation.id] = row;
  effect.written.insert({operation.table, operation.id});
  return {"", "1 changed"};
}

/// REQUIRES: none of the rows is there yet.
Outcome Fill(TableModel& tables, const Operation& operation, Effect& effect) {
  for (int64_t id = operation.low; id <= operation.high; id++) {
    tables.rows(operation.table)[id] = {id, id, id % 100, fmt::format("filler {}", id)};
    effect.written.insert({operation.table, id});
    if (operation.table == TableName::kKeyed) effect.made_keys.insert(id);
  }
  return {"", fmt::format("{} changed", operation.high - operation.low + 1)};
}

/// REQUIRES: the row matches.
void Change(Row& row, const Operation& operation, int64_t sum) {
  switch (operation.kind) {
    case OperationKind::kUpdatePoint:
      if (row.b) *row.b += operation.value;
      break;
    case OperationKind::kUpdateRange: row.a += operation.value; break;
    case OperationKind::kUpdateText: row.s = operation.text; break;
    case OperationKind::kUpdateToNull: row.b.reset(); break;
    case OperationKind::kUpdateNulls: row.b = operation.value; break;
    case OperationKind::kUpdateFromSum: row.b = sum % 1000; break;
    case OperationKind::kUpdateKey: row.k = operation.value; break;
    default: break;
  }
}

Outcome ChangeMany(TableModel& tables, const Operation& operation, Effect& effect) {
  const RowTest matches = TestOf(operation);
  int64_t sum = 0;
  if (operation.kind == OperationKind::kUpdateFromSum) {
    const TableName other = operation.table == TableName::kPlain ? TableName::kKeyed : TableName::kPlain;
    const RowTest in_range = [&](const Row& row) {
      return row.a >= operation.low && row.a <= operation.high;
    };
    sum = SumsOf(tables.rows(other), in_range).sum.value_or(0);
  }
  const bool deletes =
      operation.kind == OperationKind::kDeletePoint || operation.kind == OperationKind::kDeleteRange;
  TableModel::Rows& rows = tables.rows(operation.table);
  std::vector<int64_t> matching;
  for (const auto& [id, row] : rows)
    if (matches(row)) matching.push_back(id);
  const bool moves_key = MakesKey(operation) && !matching.empty();
  for (const int64_t id : matching) effect.written.insert({operation.table, id});
  if (moves_key) {
    effect.made_keys.insert(operation.value);
    const auto holder = tables.FindKey(operation.value);
    if (holder && *holder != matching.front()) return {"23505", ""};
  }
  for (const int64_t id : matching) {
    if (deletes) {
      rows.erase(id);
    } else {
      Change(rows.at(id), operation, sum);
    }
  }
  return {"", fmt::format("{} changed", matching.size())};
}

}  // namespace

const Row* TableModel::Find(const RowName& name) const {
  const auto found = rows(name.first).find(name.second);
  return found == rows(name.first).end() ? nullptr : &found->second;
}

std::optional<int64_t> TableModel::FindKey(int64_t key) const {
  for (const auto& [id, row] : rows(TableName::kKeyed))
    if (row.k == key) return id;
  return std::nullopt;
}

std::string ToString(const Outcome& outcome) {
  return outcome.ok() ? "<" + outcome.text + ">" : "error " + outcome.sqlstate;
}

Outcome Apply(TableModel& tables, const Operation& operation, Effect* effect) {
  Effect unwanted;
  if (effect == nullptr) effect = &unwanted;
  if (IsRead(operation.kind)) return {"", Read(tables, operation)};
  if (operation.kind == OperationKind::kInsert || operation.kind == OperationKind::kInsertIfNone)
    return Insert(tables, operation, *effect);
  if (operation.kind == OperationKind::kFill) return Fill(tables, operation, *effect);
  return ChangeMany(tables, operation, *effect);
}

Outcome Workspace::Run(const Operation& operation) {
  if (operation.kind >= OperationKind::kSavepoint) return RunMark(operation);
  Effect effect = effect_;
  const Outcome outcome = Apply(tables_, operation, &effect);
  if (outcome.ok()) effect_ = std::move(effect);
  return outcome;
}

Outcome Workspace::RunMark(const Operation& operation) {
  if (operation.kind == OperationKind::kSavepoint) {
    savepoints_.push_back({operation.text, tables_, effect_});
    return {"", "0 changed"};
  }
  const auto found = std::find_if(savepoints_.rbegin(), savepoints_.rend(), [&](const Savepoint& savepoint) {
    return savepoint.name == operation.text;
  });
  if (found == savepoints_.rend()) return {"3B001", ""};
  const auto index = static_cast<size_t>(savepoints_.rend() - found) - 1;
  if (operation.kind == OperationKind::kRelease) {
    savepoints_.resize(index);
    return {"", "0 changed"};
  }
  tables_ = savepoints_[index].tables;
  effect_ = savepoints_[index].effect;
  savepoints_.resize(index + 1);
  return {"", "0 changed"};
}

}  // namespace scaup::test
