// Makes histories: clients that choose their next action at random, in turns or in threads.
#include "histories/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <random>
#include <thread>

namespace scaup::test {

namespace {

using Clock = std::atomic<uint64_t>;

/// A session with its transaction, and beside it, in turns only, the reference's.
class Client {
 public:
  Client(TestedSystem& system, ReferenceSystem* reference, const HistoryOptions& options, Clock& clock,
         size_t number, uint64_t seed)
      : session_(system.Connect()),
        options_(options),
        clock_(clock),
        number_(number),
        random_(seed),
        next_id_(static_cast<int64_t>(number + 1) * 1000000) {
    if (reference != nullptr) {
      reference_owner_ = reference->Connect();
      reference_ = static_cast<ReferenceSession*>(reference_owner_.get());
    }
  }

  void Act() {
    if (!is_open_) return random_() % 6 == 0 ? RunAlone(Next(true)) : Begin();
    if (is_failed_) return LeaveFailure();
    const uint64_t choice = random_() % 100;
    if (choice < 20) return Commit();
    if (choice < 24) return Rollback();
    if (choice < 30 && !record_.read_only) return RunMark(OperationKind::kSavepoint);
    if (choice < 34 && !savepoints_.empty()) return RunMark(OperationKind::kRollbackTo);
    if (choice < 36 && !savepoints_.empty()) return RunMark(OperationKind::kRelease);
    Run(Next(!record_.read_only));
  }

  /// Ends the transaction that is open, if any.
  void Finish() {
    if (is_open_) Commit();
  }

  void RunAlone(const Operation& operation) {
    StartRecord(false);
    if (reference_ != nullptr) reference_->Begin(Level::kSerializable, false);
    const Outcome outcome = session_->RunAlone(operation);
    Record(operation, outcome);
    record_.snapshot_taken = record_.commit_returned = Tick();
    record_.commit_called = record_.begin_called;
    record_.committed = outcome.ok();
    if (reference_ != nullptr) {
      Compare(operation, outcome);
      if (outcome.ok()) {
        reference_->Commit();
      } else {
        reference_->Rollback();
      }
    }
    transactions_.push_back(std::move(record_));
  }

  std::vector<TransactionRecord>& transactions() { return transactions_; }
  const std::string& fault() const { return fault_; }
  size_t needless_refusals() const { return needless_refusals_; }

 private:
  uint64_t Tick() { return clock_.fetch_add(1) + 1; }
  Operation Next(bool may_write) {
    OperationOptions options = options_.operations;
    options.may_write = may_write;
    return MakeOperation(random_, options, next_id_);
  }

  void StartRecord(bool read_only) {
    record_ = TransactionRecord();
    record_.session = number_;
    record_.read_only = read_only;
    record_.begin_called = Tick();
  }

  void Record(const Operation& operation, const Outcome& outcome) {
    // Messages are of no interest when the text is compared.
    record_.steps.push_back({operation, outcome.ok() ? outcome : Outcome{outcome.sqlstate, ""}});
  }

  // The first statement at once, so that it is known when the snapshot was taken.
  void Begin() {
    StartRecord(random_() % 5 == 0);
    is_open_ = true;
    is_failed_ = false;
    savepoints_.clear();
    const Outcome outcome = session_->Begin(options_.level, record_.read_only);
    if (!outcome.ok()) Fault("BEGIN fails with " + outcome.sqlstate + " " + outcome.text);
    if (reference_ != nullptr) reference_->Begin(options_.level, record_.read_only);
    Run(Next(!record_.read_only));
    record_.snapshot_taken = Tick();
  }

  void Run(const Operation& operation) {
    const Outcome outcome = session_->Run(operation);
    Record(operation, outcome);
    is_failed_ = !outcome.ok();
    if (reference_ != nullptr) Compare(operation, outcome);
  }

  /// Statements' outcomes, where there is more than one right one.
  void Compare(const Operation& operation, const Outcome& outcome) {
    const Outcome expected = reference_->Run(operation);
    if (outcome.ok() && outcome == expected) return;
    if (!outcome.ok() && outcome.sqlstate == expected.sqlstate) return;
    const bool is_either =
        reference_->last_is_contended() &&
        (outcome.sqlstate == "40001" || (outcome.sqlstate == "23505" && MakesKey(operation)));
    if (is_either) return reference_->FailLast();
    Fault(fmt::format("{} gives {} {}, and should give {}", ToSql(operation), ToString(outcome),
                      outcome.ok() ? "" : outcome.text, ToString(expected)));
  }

  void RunMark(OperationKind kind) {
    Operation mark;
    mark.kind = kind;
    if (kind == OperationKind::kSavepoint) {
      mark.text = fmt::format("s{}", random_() % 3);
      savepoints_.push_back(mark.text);
    } else {
      mark.text = savepoints_[random_() % savepoints_.size()];
      // The newest of that name; those after it go, and with RELEASE itself.
      const auto newest = std::find(savepoints_.rbegin(), savepoints_.rend(), mark.text).base();
      savepoints_.erase(kind == OperationKind::kRelease ? newest - 1 : newest, savepoints_.end());
    }
    Run(mark);
  }

  void LeaveFailure() {
    if (!savepoints_.empty() && random_() % 2 == 0) return RunMark(OperationKind::kRollbackTo);
    if (random_() % 4 == 0) return Commit();
    Rollback();
  }

  void Commit() {
    const bool has_reference = reference_ != nullptr && !is_failed_;
    const bool is_valid = !has_reference || reference_->IsStillValid();
    const bool must_hold =
        has_reference && options_.level == Level::kSerializable && reference_->HasChanges();
    const bool has_written = has_reference && reference_->HasWritten();
    record_.commit_called = Tick();
    const Outcome outcome = session_->Commit();
    record_.commit_returned = Tick();
    record_.committed = outcome.ok() && !is_failed_;
    if (!outcome.ok() && outcome.sqlstate != "40001") Fault("COMMIT fails with " + outcome.sqlstate);
    if (outcome.ok() && must_hold && !is_valid) Fault("COMMIT succeeds, and breaks the serial order");
    if (!outcome.ok() && has_reference) {
      if (options_.level == Level::kRepeatableRead) Fault("COMMIT fails under REPEATABLE READ");
      if (!has_written) Fault("COMMIT of a transaction that wrote nothing fails");
      if (is_valid) needless_refusals_++;
    }
    if (reference_ != nullptr) {
      if (!outcome.ok()) {
        reference_->Rollback();
      } else if (const Outcome end = reference_->Commit(); !end.ok() && must_hold) {
        Fault("COMMIT should have failed");
      }
    }
    Close();
  }

  void Rollback() {
    record_.commit_called = Tick();
    const Outcome outcome = session_->Rollback();
    record_.commit_returned = Tick();
    if (!outcome.ok()) Fault("ROLLBACK fails with " + outcome.sqlstate);
    if (reference_ != nullptr) reference_->Rollback();
    Close();
  }

  void Close() {
    transactions_.push_back(std::move(record_));
    is_open_ = false;
  }

  void Fault(std::string text) {
    if (fault_.empty()) fault_ = fmt::format("session {}, time {}: {}", number_, clock_.load(), text);
  }

  std::unique_ptr<TestedSession> session_;
  std::unique_ptr<TestedSession> reference_owner_;
  ReferenceSession* reference_ = nullptr;
  const HistoryOptions& options_;
  Clock& clock_;
  size_t number_;
  std::mt19937_64 random_;
  int64_t next_id_;
  bool is_open_ = false;
  bool is_failed_ = false;
  std::vector<std::string> savepoints_;
  TransactionRecord record_;
  std::vector<TransactionRecord> transactions_;
  std::string fault_;
  size_t needless_refusals_ = 0;
};

void FillTables(Client& client, const HistoryOptions& options) {
  for (size_t table = 0; table < kTableCount; table++) {
    if (options.has_many_rows) {
      Operation fill;
      fill.kind = OperationKind::kFill;
      fill.table = static_cast<TableName>(table);
      fill.high = options.row_count - 1;
      client.RunAlone(fill);
      continue;
    }
    for (int64_t row = 0; row < options.row_count; row++) {
      Operation insert;
      insert.kind = OperationKind::kInsert;
      insert.table = static_cast<TableName>(table);
      insert.id = insert.low = row;
      insert.high = row * 7 % options.operations.key_count;
      insert.value = row * row;
      insert.text = fmt::format("row {} of the beginning", row);
      client.RunAlone(insert);
    }
  }
}

void Take(Client& client, History& history) {
  std::move(client.transactions().begin(), client.transactions().end(),
            std::back_inserter(history.transactions));
  if (history.fault.empty()) history.fault = client.fault();
  history.needless_refusals += client.needless_refusals();
}

}  // namespace

History RunInterleaved(TestedSystem& system, const HistoryOptions& options, uint64_t seed) {
  History history;
  history.level = options.level;
  Clock clock = 0;
  std::mt19937_64 random(seed);
  ReferenceSystem own;
  ReferenceSystem* reference = options.compares_each ? &own : nullptr;
  Client filler(system, reference, options, clock, options.session_count, random());
  FillTables(filler, options);
  std::vector<std::unique_ptr<Client>> clients;
  for (size_t i = 0; i < options.session_count; i++)
    clients.push_back(std::make_unique<Client>(system, reference, options, clock, i, random()));
  bool has_fault = false;
  for (size_t i = 0; i < options.action_count && !has_fault; i++) {
    Client& client = *clients[random() % clients.size()];
    client.Act();
    has_fault = !client.fault().empty();
  }
  Take(filler, history);
  for (const auto& client : clients) {
    if (!has_fault) client->Finish();
    Take(*client, history);
  }
  clients.clear();
  history.final_rows = ReadTables(system);
  return history;
}

History RunThreads(TestedSystem& system, const HistoryOptions& options, uint64_t seed) {
  History history;
  history.level = options.level;
  Clock clock = 0;
  std::mt19937_64 random(seed);
  Client filler(system, nullptr, options, clock, options.session_count, random());
  FillTables(filler, options);
  std::vector<std::unique_ptr<Client>> clients;
  for (size_t i = 0; i < options.session_count; i++)
    clients.push_back(std::make_unique<Client>(system, nullptr, options, clock, i, random()));
  std::atomic<bool> go = false;
  std::vector<std::thread> threads;
  for (const auto& client : clients) {
    threads.emplace_back([&, own = client.get()] {
      while (!go) std::this_thread::yield();
      for (size_t i = 0; i < options.action_count / options.session_count; i++) {
        own->Act();
        if (i % 3 == 0) std::this_thread::yield();
      }
      own->Finish();
    });
  }
  go = true;
  for (std::thread& thread : threads) thread.join();
  Take(filler, history);
  for (const auto& client : clients) Take(*client, history);
  clients.clear();
  history.final_rows = ReadTables(system);
  return history;
}

std::vector<std::string> ReadTables(TestedSystem& system) {
  const auto session = system.Connect();
  std::vector<std::string> rows;
  for (size_t table = 0; table < kTableCount; table++) {
    Operation all;
    all.kind = OperationKind::kReadAll;
    all.table = static_cast<TableName>(table);
    rows.push_back(session->RunAlone(all).text);
  }
  return rows;
}

std::string ToString(const History& history) {
  std::vector<const TransactionRecord*> records;
  for (const TransactionRecord& record : history.transactions) records.push_back(&record);
  std::sort(records.begin(), records.end(), [](const TransactionRecord* one, const TransactionRecord* other) {
    return one->begin_called < other->begin_called;
  });
  std::string text;
  for (const TransactionRecord* record : records) {
    text += fmt::format("session {}{}: begins {}..{}, {} {}..{}\n", record->session,
                        record->read_only ? " (read only)" : "", record->begin_called, record->snapshot_taken,
                        record->committed ? "commits" : "is rolled back", record->commit_called,
                        record->commit_returned);
    for (const Step& step : record->steps)
      text += fmt::format("    {}  ->  {}\n", ToSql(step.operation), ToString(step.outcome));
  }
  for (const std::string& rows : history.final_rows) text += "at the end:\n" + rows;
  return text;
}

}  // namespace scaup::test
