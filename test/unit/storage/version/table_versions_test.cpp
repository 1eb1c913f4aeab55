// Versions of rows: random transactions against a model, with checkpoints that fold them.
#include "storage/version/table_versions.hpp"
#include "storage/shredded/attribute_statistics.hpp"
#include "storage/table/table_compactor.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <random>
#include <set>

#include "../../effort.hpp"
#include "scaup/error.hpp"
#include "storage/compaction/row_group_compaction.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/snapshot/row_fetcher.hpp"
#include "storage/table/table.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {
namespace {

const std::vector<LogicalType> kTypes = {TypeId::kInteger, TypeId::kBigInt, TypeId::kVarchar};

struct Values {
  std::optional<int64_t> number;
  std::string text;
  bool operator==(const Values&) const = default;
};
using Rows = std::map<int32_t, Values>;  // By the first column, which never changes.

/// A transaction, and what it must see.
struct Session {
  std::shared_ptr<Transaction> transaction;
  Rows sees;
  std::set<int32_t> written;
};

class VersionsModel {
 public:
  explicit VersionsModel(uint32_t seed) : random_(seed) {}

  void Run(size_t steps) {
    for (size_t step = 0; step < steps; step++) {
      const size_t kind = Below(100);
      if (sessions_.empty() || (kind < 15 && sessions_.size() < 4)) {
        sessions_.push_back({transactions_.Begin(), committed_, {}});
      } else if (kind < 35) {
        Insert(Pick(), Below(10) == 0 ? 2000 : 1 + Below(20));
      } else if (kind < 60) {
        Update(Below(sessions_.size()));
      } else if (kind < 70) {
        Delete(Below(sessions_.size()));
      } else if (kind < 90) {
        End(Below(sessions_.size()), kind < 85);
      } else if (kind < 93) {
        Checkpoint();
      } else if (kind < 96) {
        table_->compactor().CompactChanges(transactions_);
      } else {
        Check(Pick());
      }
    }
    while (!sessions_.empty()) End(0, true);
    sessions_.push_back({transactions_.Begin(), committed_, {}});
    Check(sessions_[0]);
    End(0, true);
    Checkpoint();
    sessions_.push_back({transactions_.Begin(), committed_, {}});
    Check(sessions_[0]);
    End(0, true);
    CheckNothingIsLeft();
  }

 private:
  size_t Below(size_t bound) { return random_() % bound; }
  Session& Pick() { return sessions_[Below(sessions_.size())]; }

  Values RandomValues() {
    Values values;
    if (Below(5) != 0) values.number = static_cast<int64_t>(Below(1000));
    values.text = std::string(Below(30), static_cast<char>('a' + Below(26)));
    return values;
  }

  static void Put(DataChunk& chunk, size_t first, size_t row, const Values& values) {
    chunk.column(first).SetValue(row, values.number ? Value::BigInt(*values.number) : Value(kTypes[1]));
    chunk.column(first + 1).SetValue(row, Value::Varchar(values.text));
  }

  void Insert(Session& session, size_t count) {
    RowGroupBuilder builder(kTypes, memory_);
    for (size_t done = 0; done < count;) {
      const size_t part = std::min(count - done, kVectorSize);
      DataChunk chunk(kTypes);
      chunk.ResetForWriting();
      for (size_t i = 0; i < part; i++) {
        const int32_t id = next_id_++;
        const Values values = RandomValues();
        chunk.column(0).SetValue(i, Value::Integer(id));
        Put(chunk, 1, i, values);
        session.sees[id] = values;
        session.written.insert(id);
      }
      chunk.SetSize(part);
      builder.Append(chunk);
      done += part;
    }
    builder.Finish();
    table_->Insert({*session.transaction, "t"}, builder.TakeFinished(), builder.statistics(), {});
  }

  struct Target {
    RowNumber row;
    int32_t id;
  };
  /// Some rows that a session sees, ascending, at most 1024.
  std::vector<Target> Choose(Session& session) {
    TableScan scan(table_->UnloggedView(*session.transaction), kTypes, {{kRowNumberColumn, 0}, {}},
                   KernelsOf(BestKernelLevel()), 16);
    TableScan::Position position;
    DataChunk chunk({LogicalType(TypeId::kBigInt), LogicalType(TypeId::kInteger)});
    std::vector<Target> targets;
    const size_t one_in = 1 + Below(60);
    for (; scan.Next(position, chunk); chunk.Release()) {
      for (size_t row = 0; row < chunk.size(); row++) {
        if (Below(one_in) != 0 || targets.size() == kVectorSize) continue;
        targets.push_back({static_cast<RowNumber>(chunk.column(0).GetValue(row).GetInteger()),
                           static_cast<int32_t>(chunk.column(1).GetValue(row).GetInteger())});
      }
    }
    return targets;
  }

  bool HasConflict(const Session& session, const std::vector<Target>& targets) const {
    for (const Target& target : targets) {
      const auto last = last_write_.find(target.id);
      if (last != last_write_.end() && last->second > session.transaction->start_timestamp()) return true;
      for (const Session& other : sessions_) {
        if (&other != &session && other.written.contains(target.id)) return true;
      }
    }
    return false;
  }

  /// Calls `change`, which must fail if another transaction has changed one of the rows.
  template <typename Change>
  bool Try(size_t index, const std::vector<Target>& targets, Change&& change) {
    const bool conflict = HasConflict(sessions_[index], targets);
    try {
      change();
      REQUIRE_FALSE(conflict);
      return true;
    } catch (const Error& error) {
      REQUIRE(conflict);
      REQUIRE(std::string(error.sqlstate()) == "40001");
      End(index, false);
      return false;
    }
  }

  void Update(size_t index) {
    Session& session = sessions_[index];
    const std::vector<Target> targets = Choose(session);
    if (targets.empty()) return;
    std::vector<RowNumber> rows;
    std::vector<Values> new_values;
    const bool both = Below(2) == 0;
    DataChunk chunk(both ? std::vector<LogicalType>{kTypes[1], kTypes[2]}
                         : std::vector<LogicalType>{kTypes[1]});
    chunk.ResetForWriting();
    for (const Target& target : targets) {
      Values values = RandomValues();
      if (!both) values.text = session.sees.at(target.id).text;
      chunk.column(0).SetValue(rows.size(), values.number ? Value::BigInt(*values.number) : Value(kTypes[1]));
      if (both) chunk.column(1).SetValue(rows.size(), Value::Varchar(values.text));
      rows.push_back(target.row);
      new_values.push_back(std::move(values));
    }
    chunk.SetSize(rows.size());
    const std::vector<size_t> columns = both ? std::vector<size_t>{1, 2} : std::vector<size_t>{1};
    const size_t mark = session.transaction->undo_mark();
    if (!Try(index, targets, [&] { table_->Update({*session.transaction, "t"}, rows, columns, chunk); }))
      return;
    if (Below(5) == 0) return transactions_.RollbackTo(*session.transaction, mark);
    for (size_t i = 0; i < targets.size(); i++) {
      session.sees[targets[i].id] = new_values[i];
      session.written.insert(targets[i].id);
    }
  }

  void Delete(size_t index) {
    Session& session = sessions_[index];
    const std::vector<Target> targets = Choose(session);
    std::vector<RowNumber> rows;
    for (const Target& target : targets) rows.push_back(target.row);
    const size_t mark = session.transaction->undo_mark();
    if (!Try(index, targets, [&] { table_->Delete({*session.transaction, "t"}, rows); })) return;
    if (Below(5) == 0) return transactions_.RollbackTo(*session.transaction, mark);
    for (const Target& target : targets) {
      session.sees.erase(target.id);
      session.written.insert(target.id);
    }
  }

  void End(size_t index, bool commit) {
    Session session = std::move(sessions_[index]);
    sessions_.erase(sessions_.begin() + static_cast<ptrdiff_t>(index));
    if (!commit) return transactions_.Rollback(*session.transaction);
    transactions_.Commit(*session.transaction);
    const Timestamp now = session.transaction->stamp()->load();
    for (const int32_t id : session.written) {
      last_write_[id] = now;
      const auto row = session.sees.find(id);
      if (row == session.sees.end()) {
        committed_.erase(id);
      } else {
        committed_[id] = row->second;
      }
    }
  }

  void Checkpoint() {
    transactions_.RunBetweenCommits([&] {
      const auto reader = transactions_.Begin();
      auto compacted = std::make_shared<TableSnapshot>(CompactVersions(
          *table_->snapshots().Newest(), table_->versions(), reader->view(), kTypes, memory_));
      const RowRange all_rows{0, kFirstLocalRow};
      TableCompactor::Replacement(table_, std::move(compacted), {&all_rows, 1})
          .Install(reader->view(), transactions_);
      transactions_.Rollback(*reader);
    });
    table_->compactor().DropCompacted();
  }

  void Check(const Session& session) {
    TableScanSpecification specification{{0, 1, 2}, {}};
    const bool filtered = Below(2) == 0;
    if (filtered)
      specification.predicate.filters.push_back({1, ScanFilter::Op::kGreaterEqual, Value::BigInt(500)});
    TableScan scan(table_->UnloggedView(*session.transaction), kTypes, specification,
                   KernelsOf(BestKernelLevel()), 1 + Below(20));
    TableScan::Position position;
    DataChunk chunk(kTypes);
    Rows found;
    for (; scan.Next(position, chunk); chunk.Release()) {
      for (size_t row = 0; row < chunk.size(); row++) {
        Values values;
        const Value number = chunk.column(1).GetValue(row);
        if (!number.is_null()) values.number = static_cast<int64_t>(number.GetInteger());
        values.text = chunk.column(2).GetValue(row).GetString();
        const auto id = static_cast<int32_t>(chunk.column(0).GetValue(row).GetInteger());
        REQUIRE(found.emplace(id, std::move(values)).second);
      }
    }
    Rows expected = session.sees;
    if (filtered)
      std::erase_if(expected, [](const auto& row) { return row.second.number.value_or(0) < 500; });
    REQUIRE(found == expected);
  }

  /// Without transactions and after a checkpoint only deleted rows are remembered.
  void CheckNothingIsLeft() {
    for (const auto& [row, block] : table_->versions()->Blocks()) {
      const MutexLock lock(block->mutex);
      REQUIRE_FALSE(block->has_records());
      std::vector<uint32_t> columns;
      REQUIRE(block->CountDirty(0, kVectorSize, columns) == 0);
      REQUIRE(block->OverlayZone(1) == nullptr);
    }
    REQUIRE(table_->snapshots().Newest()->live_row_count() == committed_.size());
  }

  std::mt19937 random_;
  MemoryTracker memory_{size_t{1} << 30};
  TransactionManager transactions_;
  std::shared_ptr<Table> table_ = std::make_shared<Table>(kTypes, memory_, 7);
  std::vector<Session> sessions_;
  Rows committed_;
  std::map<int32_t, Timestamp> last_write_;
  int32_t next_id_ = 0;
};

TEST_CASE("versions of rows are what a model says", "[storage][versions]") {
  for (uint32_t seed = 1; seed <= test::Effort(40); seed++) {
    INFO("seed " << seed);
    VersionsModel(seed).Run(150);
  }
}

}  // namespace
}  // namespace scaup
