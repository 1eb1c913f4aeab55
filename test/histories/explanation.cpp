// A search with backtracking over the orders that the times of calls allow.
#include "histories/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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
  std::string Text() const { return "; the best attempt explains " + text_; }

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
    return (nodes_ >= kMostNodes ? "no serial order found in time" : "no serial order explains the history") +
           remains_.Text();
  }

 private:
  bool Continue(const TableModel& tables, size_t left) {
    if (left == 0) {
      remains_.Note(0, [] { return std::string("all, but the rows at the end differ"); });
      return IsFinal(tables, history_);
    }
    remains_.Note(left, [&] {
      std::string text;
      for (size_t i = 0; i < records_.size(); i++)
        if (!is_used_[i])
          text += fmt::format(" session {} at {}", records_[i]->session, records_[i]->begin_called);
      return "all but" + text + ", with\n" + TextOf(tables);
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
    seen_by_.resize(events_.size());
    workspaces_.resize(events_.size());
    starts_.resize(events_.size());
  }

  std::string Run() {
    if (Continue(State(), events_.size())) return "";
    return (nodes_ >= kMostNodes ? "no snapshots found in time" : "no snapshots explain the history") +
           remains_.Text();
  }

 private:
  struct Event {
    const TransactionRecord* record;
    bool is_commit;
    size_t snapshot_event;
  };
  struct State {
    TableModel tables;
    uint64_t commit_count = 0;
    std::map<RowName, uint64_t> last_commit;
  };

  bool Continue(const State& state, size_t left) {
    if (left == 0) {
      remains_.Note(0, [&] { return "all, but at the end would be\n" + TextOf(state.tables); });
      return IsFinal(state.tables, history_);
    }
    remains_.Note(left, [&] {
      std::string text;
      for (size_t i = 0; i < events_.size(); i++) {
        if (is_used_[i]) continue;
        text += fmt::format(" {} of session {} at {}", events_[i].is_commit ? "commit" : "snapshot",
                            events_[i].record->session, events_[i].record->begin_called);
      }
      return "all but" + text + ", with\n" + TextOf(state.tables);
    });
    if (!seen_.insert(PlaceOf(state)).second) return false;
    if (++nodes_ >= kMostNodes) return false;
    const uint64_t earliest = EarliestEnd(intervals_, is_used_);
    for (const size_t i : order_) {
      if (is_used_[i] || intervals_[i].begin > earliest) continue;
      const Event& event = events_[i];
      if (event.is_commit && !is_used_[event.snapshot_event]) continue;
      is_used_[i] = true;
      if (event.is_commit ? Commit(state, event, left) : TakeSnapshot(state, i, left)) return true;
      is_used_[i] = false;
    }
    return false;
  }

  std::string Commits() const {
    std::string text;
    for (size_t i = 0; i < events_.size(); i++)
      if (events_[i].is_commit) text += is_used_[i] ? '1' : '0';
    return text;
  }

  /// What the rest of the search depends on: which events are over, the rows, which commits each transaction
  /// that is yet to commit has seen, and its rows: commits with other rows may be the same events.
  std::string PlaceOf(const State& state) const {
    std::string place = BitsOf(is_used_) + TextOf(state.tables);
    for (size_t i = 0; i < events_.size(); i++) {
      const size_t snapshot = events_[i].snapshot_event;
      if (events_[i].is_commit && !is_used_[i] && is_used_[snapshot])
        place += seen_by_[snapshot] + "\n" + TextOf(workspaces_[snapshot]->tables());
    }
    return place;
  }

  bool TakeSnapshot(const State& state, size_t i, size_t left) {
    auto workspace = Replay(state.tables, *events_[i].record);
    if (!workspace) return false;
    workspaces_[i] = std::move(workspace);
    starts_[i] = state.commit_count;
    seen_by_[i] = Commits();
    return Continue(state, left - 1);
  }

  bool Commit(const State& state, const Event& event, size_t left) {
    const Workspace& workspace = *workspaces_[event.snapshot_event];
    State next = state;
    next.commit_count++;
    for (const RowName& name : workspace.effect().written) {
      const auto last = state.last_commit.find(name);
      if (last != state.last_commit.end() && last->second > starts_[event.snapshot_event]) return false;
      next.last_commit[name] = next.commit_count;
      if (const Row* row = workspace.tables().Find(name)) {
        next.tables.rows(name.first)[name.second] = *row;
      } else {
        next.tables.rows(name.first).erase(name.second);
      }
    }
    std::set<int64_t> keys;
    for (const auto& [id, row] : next.tables.rows(TableName::kKeyed))
      if (!keys.insert(row.k).second) return false;
    return Continue(next, left - 1);
  }

  const History& history_;
  std::vector<Event> events_;
  std::vector<Interval> intervals_;
  std::vector<bool> is_used_;
  std::vector<size_t> order_;
  std::vector<std::string> seen_by_;  ///< the commits before each snapshot
  std::set<std::string> seen_;
  std::vector<std::optional<Workspace>> workspaces_;
  std::vector<uint64_t> starts_;
  size_t nodes_ = 0;
  Remains remains_;
};

}  // namespace

std::string ExplainSerially(const History& history) { return SerialSearch(history).Run(); }
std::string ExplainBySnapshots(const History& history) { return SnapshotSearch(history).Run(); }

}  // namespace scaup::test
