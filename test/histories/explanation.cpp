// A search with backtracking over the orders that the times of calls allow.
#include "histories/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace scaup::test {

namespace {

/// More than overlapping calls of a few threads need.
constexpr size_t kMostNodes = 50000;

std::string TextOf(const TableModel& tables) {
  std::string text;
  for (size_t table = 0; table < kTableCount; table++) {
    Operation all;
    all.kind = OperationKind::kReadAll;
    all.table = static_cast<TableName>(table);
    TableModel copy = tables;
    text += Apply(copy, all).text + "\n";
  }
  return text;
}

std::string BitsOf(const std::vector<bool>& bits) {
  std::string text;
  for (const bool bit : bits) text += bit ? '1' : '0';
  return text;
}

bool IsFinal(const TableModel& tables, const History& history) {
  std::string text;
  for (const std::string& rows : history.final_rows) text += rows + "\n";
  return TextOf(tables) == text;
}

/// Runs a transaction's statements again. What failed did nothing, and is not taken to say anything of the
/// order: an error about a key that is taken is no lock on it. Nothing if a statement says something else
/// now.
std::optional<Workspace> Replay(const TableModel& tables, const TransactionRecord& record) {
  Workspace workspace(tables);
  for (const Step& step : record.steps) {
    if (!step.outcome.ok()) continue;
    if (workspace.Run(step.operation) != step.outcome) return std::nullopt;
  }
  return workspace;
}

/// When an event may be: events that must not come after one that ends before they begin.
struct Interval {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Indices by when the intervals end, so that the first guess is mostly right.
std::vector<size_t> OrderOf(const std::vector<Interval>& intervals) {
  std::vector<size_t> order(intervals.size());
  for (size_t i = 0; i < order.size(); i++) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t one, size_t other) { return intervals[one].end < intervals[other].end; });
  return order;
}

uint64_t EarliestEnd(const std::vector<Interval>& intervals, const std::vector<bool>& is_used) {
  uint64_t earliest = UINT64_MAX;
  for (size_t i = 0; i < intervals.size(); i++)
    if (!is_used[i]) earliest = std::min(earliest, intervals[i].end);
  return earliest;
}

/// What the attempt that came farthest could not explain, for who reads the fault.
class Remains {
 public:
  template <typename Describe>
  void Note(size_t left, const Describe& describe) {
    if (left >= left_) return;
    left_ = left;
    text_ = describe();
  }
  std::string Text() const { return "The best attempt explains " + text_ + ": "; }

 private:
  size_t left_ = SIZE_MAX;
  std::string text_;
};

class SerialSearch {
 public:
  explicit SerialSearch(const History& history) : history_(history) {
    for (const TransactionRecord& record : history.transactions) {
      if (!record.committed) continue;
      const bool is_reader = std::all_of(record.steps.begin(), record.steps.end(),
                                         [](const Step& step) { return IsRead(step.operation.kind); });
      records_.push_back(&record);
      intervals_.push_back({record.begin_called, is_reader ? record.snapshot_taken : record.commit_returned});
    }
    is_used_.resize(records_.size());
    order_ = OrderOf(intervals_);
  }

  std::string Run() {
    if (Continue(TableModel(), records_.size())) return "";
    return remains_.Text() +
           (nodes_ >= kMostNodes ? "no serial order found in time" : "no serial order explains the history");
  }

 private:
  bool Continue(const TableModel& tables, size_t left) {
    if (left == 0) {
      remains_.Note(0, [] { return std::string("all but the rows at the end"); });
      return IsFinal(tables, history_);
    }
    remains_.Note(left, [&] {
      std::string text;
      for (size_t i = 0; i < records_.size(); i++)
        if (!is_used_[i])
          text += fmt::format(" session {} at {}", records_[i]->session, records_[i]->begin_called);
      return "what leads to\n" + TextOf(tables) + "but not" + text;
    });
    // Many orders lead to the same place.
    if (!seen_.insert(BitsOf(is_used_) + TextOf(tables)).second) return false;
    if (++nodes_ >= kMostNodes) return false;
    const uint64_t earliest = EarliestEnd(intervals_, is_used_);
    for (const size_t i : order_) {
      if (is_used_[i] || intervals_[i].begin > earliest) continue;
      const auto workspace = Replay(tables, *records_[i]);
      if (!workspace) continue;
      // What changes something stands where it commits.
      const bool has_changes = workspace->tables() != tables;
      if (has_changes && records_[i]->commit_called > earliest) continue;
      is_used_[i] = true;
      if (Continue(workspace->tables(), left - 1)) return true;
      is_used_[i] = false;
    }
    return false;
  }

  const History& history_;
  std::vector<const TransactionRecord*> records_;
  std::vector<Interval> intervals_;
  std::vector<bool> is_used_;
  std::vector<size_t> order_;
  std::set<std::string> seen_;
  size_t nodes_ = 0;
  Remains remains_;
};

/// Each transaction is an event where its snapshot was taken, and if it committed another where it did.
class SnapshotSearch {
 public:
  explicit SnapshotSearch(const History& history) : history_(history) {
    for (const TransactionRecord& record : history.transactions) {
      events_.push_back({&record, false, events_.size()});
      intervals_.push_back({record.begin_called, record.snapshot_taken});
      if (!record.committed) continue;
      events_.push_back({&record, true, events_.size() - 1});
      intervals_.push_back({record.commit_called, record.commit_returned});
    }
    is_used_.resize(events_.size());
    order_ = OrderOf(intervals_);
    workspaces_.resize(events_.size());
  }

  std::string Run() {
    if (Continue(TableModel(), events_.size())) return "";
    return remains_.Text() +
           (nodes_ >= kMostNodes ? "no snapshots found in time" : "no snapshots explain the history");
  }

 private:
  struct Event {
    const TransactionRecord* record;
    bool is_commit;
    size_t snapshot_event;
  };

  bool Continue(const TableModel& tables, size_t left) {
    if (left == 0) {
      remains_.Note(0, [&] { return "all, but leads to\n" + TextOf(tables); });
      return IsFinal(tables, history_);
    }
    remains_.Note(left, [&] {
      std::string text;
      for (size_t i = 0; i < events_.size(); i++) {
        if (is_used_[i]) continue;
        text += fmt::format(" {} of session {} at {}", events_[i].is_commit ? "commit" : "snapshot",
                            events_[i].record->session, events_[i].record->begin_called);
      }
      return "what leads to\n" + TextOf(tables) + "but not" + text;
    });
    if (!seen_.insert(PlaceOf(tables)).second) return false;
    if (++nodes_ >= kMostNodes) return false;
    const uint64_t earliest = EarliestEnd(intervals_, is_used_);
    for (const size_t i : order_) {
      if (is_used_[i] || intervals_[i].begin > earliest) continue;
      const Event& event = events_[i];
      if (event.is_commit && !is_used_[event.snapshot_event]) continue;
      is_used_[i] = true;
      if (event.is_commit ? Commit(tables, event, left) : TakeSnapshot(tables, i, left)) return true;
      is_used_[i] = false;
    }
    return false;
  }

  /// Calls `visit` with the workspaces of transactions that have their snapshot, and are yet to commit.
  template <typename Visit>
  void ForEachPending(const Visit& visit) const {
    for (size_t i = 0; i < events_.size(); i++) {
      const size_t snapshot = events_[i].snapshot_event;
      if (events_[i].is_commit && !is_used_[i] && is_used_[snapshot]) visit(*workspaces_[snapshot]);
    }
  }

  /// All that the rest of the search depends on: which events are over, the rows, and what those that are yet
  /// to commit will do to them.
  std::string PlaceOf(const TableModel& tables) const {
    std::string place = BitsOf(is_used_) + TextOf(tables);
    ForEachPending([&](const Workspace& workspace) {
      for (const RowName& name : workspace.effect().written)
        place += fmt::format("{} {} ", static_cast<int>(name.first), name.second);
      place += "\n" + TextOf(workspace.tables());
    });
    return place;
  }

  bool TakeSnapshot(const TableModel& tables, size_t i, size_t left) {
    auto workspace = Replay(tables, *events_[i].record);
    if (!workspace) return false;
    workspaces_[i] = std::move(workspace);
    return Continue(tables, left - 1);
  }

  bool Commit(const TableModel& tables, const Event& event, size_t left) {
    const Workspace& workspace = *workspaces_[event.snapshot_event];
    const std::set<RowName>& written = workspace.effect().written;
    // Those that began before, and wrote one of the same rows, could not commit any more; but they did.
    bool is_alone = true;
    ForEachPending([&](const Workspace& other) {
      is_alone &= std::none_of(written.begin(), written.end(),
                               [&](const RowName& name) { return other.effect().written.contains(name); });
    });
    if (!is_alone) return false;
    TableModel next = tables;
    for (const RowName& name : written) {
      if (const Row* row = workspace.tables().Find(name)) {
        next.rows(name.first)[name.second] = *row;
      } else {
        next.rows(name.first).erase(name.second);
      }
    }
    std::set<int64_t> keys;
    for (const auto& [id, row] : next.rows(TableName::kKeyed))
      if (!keys.insert(row.k).second) return false;
    return Continue(next, left - 1);
  }

  const History& history_;
  std::vector<Event> events_;
  std::vector<Interval> intervals_;
  std::vector<bool> is_used_;
  std::vector<size_t> order_;
  std::set<std::string> seen_;
  std::vector<std::optional<Workspace>> workspaces_;  ///< by the event of the snapshot
  size_t nodes_ = 0;
  Remains remains_;
};

}  // namespace

std::string ExplainSerially(const History& history) { return SerialSearch(history).Run(); }
std::string ExplainBySnapshots(const History& history) { return SnapshotSearch(history).Run(); }

}  // namespace scaup::test
