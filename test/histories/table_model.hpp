// The two tables of a history as maps, and what each statement does to them and says.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "histories/operation.hpp"

namespace scaup::test {

struct Row {
  int64_t k = 0;
  int64_t a = 0;
  std::optional<int64_t> b;
  std::string s;
  friend bool operator==(const Row&, const Row&) = default;
};

/// A row's table and id.
using RowName = std::pair<TableName, int64_t>;

/// By value: copies are snapshots. Rows are few.
class TableModel {
 public:
  using Rows = std::map<int64_t, Row>;

  Rows& rows(TableName table) { return tables_[static_cast<size_t>(table)]; }
  const Rows& rows(TableName table) const { return tables_[static_cast<size_t>(table)]; }
  const Row* Find(const RowName& name) const;
  /// The id of the row of `keyed` with this key.
  std::optional<int64_t> FindKey(int64_t key) const;

  friend bool operator==(const TableModel&, const TableModel&) = default;

 private:
  std::array<Rows, kTableCount> tables_;
};

/// What a statement said: an SQLSTATE, or its rows as QueryResult::ToString gives them, or how many rows it
/// changed.
struct Outcome {
  std::string sqlstate;
  std::string text;
  bool ok() const { return sqlstate.empty(); }
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

std::string ToString(const Outcome& outcome);

/// What a statement did beside what it said.
struct Effect {
  std::set<RowName> written;    ///< updated, deleted, inserted
  std::set<int64_t> made_keys;  ///< of `keyed`
};

/// Runs a statement that is no savepoint. An outcome with an SQLSTATE leaves the tables as they were.
Outcome Apply(TableModel& tables, const Operation& operation, Effect* effect = nullptr);

/// The workspace of a transaction with its savepoints.
class Workspace {
 public:
  explicit Workspace(TableModel tables) : tables_(std::move(tables)) {}

  const TableModel& tables() const { return tables_; }
  const Effect& effect() const { return effect_; }
  size_t depth() const { return savepoints_.size(); }
  /// Runs a statement, savepoints as well. Names of savepoints must be there.
  Outcome Run(const Operation& operation);

 private:
  struct Savepoint {
    std::string name;
    TableModel tables;
    Effect effect;
  };
  Outcome RunMark(const Operation& operation);

  TableModel tables_;
  Effect effect_;
  std::vector<Savepoint> savepoints_;
};

}  // namespace scaup::test
