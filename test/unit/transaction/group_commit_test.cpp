// Commits with a log: several threads share a write, failures roll back whom they hit and nobody else.
#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "transaction/transaction_manager.hpp"

namespace scaup {

namespace {

/// Keeps what is appended; fails when told to. Notes calls that overlap.
class RecordingLog final : public CommitLog {
 public:
  void Append(std::span<const std::span<const std::byte>> payloads) override {
    overlapped_ = overlapped_ || is_busy_.exchange(true);
    calls++;
    const bool fails = fail_every != 0 && calls % fail_every == 0;
    if (!fails) {
      for (const auto& payload : payloads) {
        uint64_t number = 0;
        if (payload.size() == sizeof(number)) std::memcpy(&number, payload.data(), sizeof(number));
        numbers.push_back(number);
      }
    }
    std::this_thread::yield();
    is_busy_ = false;
    if (fails) throw std::runtime_error("log failed");
  }
  bool overlapped() const { return overlapped_; }

  size_t calls = 0;
  size_t fail_every = 0;
  std::vector<uint64_t> numbers;

 private:
  std::atomic<bool> is_busy_{false};
  std::atomic<bool> overlapped_{false};
};

/// Holds its first call until it is told how that ends.
class GatedLog final : public CommitLog {
 public:
  void Append(std::span<const std::span<const std::byte>> payloads) override {
    std::unique_lock lock(mutex_);
    sizes.push_back(payloads.size());
    changed_.notify_all();
    if (sizes.size() != 1) return;
    changed_.wait(lock, [&] { return is_open_; });
    if (fails_) throw std::runtime_error("log failed");
  }
  void AwaitFirstCall() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !sizes.empty(); });
  }
  void Open(bool fails) {
    std::lock_guard lock(mutex_);
    is_open_ = true;
    fails_ = fails;
    changed_.notify_all();
  }

  std::vector<size_t> sizes;  // How many payloads each call had.

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
  bool fails_ = false;
};

/// What changes of all threads do, as a table does.
struct Ledger {
  std::mutex mutex;
  std::vector<uint64_t> prepared;  // As a table does: a later commit builds on those before it.
  std::vector<uint64_t> committed;
  std::atomic<size_t> rolled_back{0};
  std::atomic<size_t> prepare_count{0};

  void AwaitPrepared(size_t count) const {
    while (prepare_count < count) std::this_thread::yield();
  }
};

class Change final : public UndoEntry {
 public:
  enum class Failure { kNone, kLog, kPrepare };
  Change(Ledger& ledger, uint64_t number, Failure failure = Failure::kNone)
      : ledger_(ledger), number_(number), failure_(failure) {}
  void Log(ByteWriter& writer) const override {
    writer.WriteU64(number_);
    if (failure_ == Failure::kLog) throw std::runtime_error("no record");
  }
  void Prepare() override {
    if (failure_ == Failure::kPrepare) throw std::bad_alloc();
    std::lock_guard lock(ledger_.mutex);
    ledger_.prepared.push_back(number_);
    is_prepared_ = true;
    ledger_.prepare_count++;
  }
  void CancelPrepare() noexcept override {
    std::lock_guard lock(ledger_.mutex);
    if (is_prepared_) ledger_.prepared.pop_back();
    is_prepared_ = false;
  }
  void Commit(Timestamp, Timestamp) noexcept override {
    std::lock_guard lock(ledger_.mutex);
    ledger_.committed.push_back(is_prepared_ && ledger_.prepared.front() == number_ ? number_ : UINT64_MAX);
    ledger_.prepared.erase(ledger_.prepared.begin());
    is_prepared_ = false;
  }
  void Rollback() noexcept override { ledger_.rolled_back++; }

 private:
  Ledger& ledger_;
  uint64_t number_;
  Failure failure_;
  bool is_prepared_ = false;
};

/// One commit in a thread of its own.
class Committer {
 public:
  Committer(TransactionManager& transactions, Ledger& ledger, uint64_t number)
      : thread_([&, number] {
          const auto transaction = transactions.Begin();
          transaction->AddUndo(std::make_unique<Change>(ledger, number));
          try {
            transactions.Commit(*transaction);
            is_committed_ = true;
          } catch (const std::runtime_error& error) {
            error_ = error.what();
          }
        }) {}
  ~Committer() { Join(); }
  void Join() {
    if (thread_.joinable()) thread_.join();
  }
  /// After Join, as the next.
  bool is_committed() const { return is_committed_; }
  const std::string& error() const { return error_; }

 private:
  bool is_committed_ = false;
  std::string error_;
  std::thread thread_;
};

/// Commits 1, which the log holds, and 2 to 5, which are prepared meanwhile.
std::vector<std::unique_ptr<Committer>> BeginFive(TransactionManager& transactions, GatedLog& log,
                                                  Ledger& ledger) {
  std::vector<std::unique_ptr<Committer>> committers;
  committers.push_back(std::make_unique<Committer>(transactions, ledger, 1));
  log.AwaitFirstCall();
  for (uint64_t number = 2; number <= 5; number++)
    committers.push_back(std::make_unique<Committer>(transactions, ledger, number));
  ledger.AwaitPrepared(5);
  return committers;
}

void CommitOne(TransactionManager& transactions, Ledger& ledger, uint64_t number) {
  const auto transaction = transactions.Begin();
  transaction->AddUndo(std::make_unique<Change>(ledger, number));
  transactions.Commit(*transaction);
}

}  // namespace

TEST_CASE("Commits of many threads are in the log before they are visible, in one order", "[transaction]") {
  TransactionManager transactions;
  RecordingLog log;
  log.fail_every = 7;
  transactions.SetLog(&log);
  Ledger ledger;
  std::atomic<size_t> succeeded{0}, failed{0}, wrong{0}, between{0};
  std::atomic<bool> is_between{false};
  std::vector<std::thread> threads;
  constexpr size_t kThreads = 6, kCommits = 300;
  for (size_t t = 0; t < kThreads; t++) {
    threads.emplace_back([&, t] {
      for (size_t i = 0; i < kCommits; i++) {
        const uint64_t number = t * kCommits + i + 1;
        const auto failure = i % 11 == 3   ? Change::Failure::kLog
                             : i % 13 == 5 ? Change::Failure::kPrepare
                                           : Change::Failure::kNone;
        const auto transaction = transactions.Begin();
        transaction->AddUndo(std::make_unique<Change>(ledger, number));
        if (failure != Change::Failure::kNone)
          transaction->AddUndo(std::make_unique<Change>(ledger, number, failure));
        try {
          transactions.Commit(*transaction);
          succeeded++;
          wrong += failure != Change::Failure::kNone;
        } catch (const std::exception&) {
          failed++;
        }
        if (i % 50 == 10) {
          transactions.RunBetweenCommits([&] {
            wrong += is_between.exchange(true);
            wrong += !ledger.prepared.empty() || ledger.committed.size() != log.numbers.size();
            between++;
            is_between = false;
          });
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == 0);
  CHECK(between == kThreads * 6);
  CHECK_FALSE(log.overlapped());
  CHECK(succeeded + failed == kThreads * kCommits);
  CHECK(ledger.committed == log.numbers);
  CHECK(ledger.committed.size() == succeeded);
  CHECK(ledger.prepared.empty());
  CHECK(ledger.rolled_back >= failed);
  const auto last = transactions.Begin();
  CHECK(last->start_timestamp() == 1 + succeeded);
  transactions.Rollback(*last);
}

TEST_CASE("A commit that cannot be prepared is rolled back, with a log and without", "[transaction]") {
  const bool has_log = GENERATE(false, true);
  TransactionManager transactions;
  RecordingLog log;
  if (has_log) transactions.SetLog(&log);
  Ledger ledger;
  const auto transaction = transactions.Begin();
  transaction->AddUndo(std::make_unique<Change>(ledger, 1));
  transaction->AddUndo(std::make_unique<Change>(ledger, 2));
  transaction->AddUndo(std::make_unique<Change>(ledger, 3, Change::Failure::kPrepare));
  CHECK_THROWS_AS(transactions.Commit(*transaction), std::bad_alloc);
  CHECK(ledger.prepared.empty());
  CHECK(ledger.committed.empty());
  CHECK(ledger.rolled_back == 3);
  CHECK(log.numbers.empty());
  // Nobody waits for it: what the next commit replaces is freed at once.
  const auto next = transactions.Begin();
  next->AddUndo(std::make_unique<Change>(ledger, 4));
  transactions.Commit(*next);
  CHECK(ledger.committed == std::vector<uint64_t>{4});
}

TEST_CASE("An error in what runs between commits lets commits go on", "[transaction]") {
  TransactionManager transactions;
  RecordingLog log;
  transactions.SetLog(&log);
  CHECK_THROWS_AS(transactions.RunBetweenCommits([] { throw std::runtime_error("checkpoint failed"); }),
                  std::runtime_error);
  Ledger ledger;
  const auto transaction = transactions.Begin();
  transaction->AddUndo(std::make_unique<Change>(ledger, 1));
  transactions.Commit(*transaction);
  CHECK(log.numbers == std::vector<uint64_t>{1});
}

TEST_CASE("Commits that come during a write share the next one, and nobody leads an idle system",
          "[transaction]") {
  TransactionManager transactions;
  GatedLog log;
  transactions.SetLog(&log);
  Ledger ledger;
  auto committers = BeginFive(transactions, log, ledger);
  CHECK(ledger.committed.empty());  // Durable before visible.
  log.Open(false);
  for (auto& committer : committers) committer->Join();
  CHECK(std::all_of(committers.begin(), committers.end(), [](auto& one) { return one->is_committed(); }));
  CHECK(log.sizes == std::vector<size_t>{1, 4});
  CHECK(ledger.committed.size() == 5);
  CHECK(ledger.committed.front() == 1);
  // The next commit finds nobody to wait for, nor does what runs between commits.
  CommitOne(transactions, ledger, 6);
  bool has_run = false;
  transactions.RunBetweenCommits([&] { has_run = true; });
  CHECK(has_run);
  CommitOne(transactions, ledger, 7);
  CHECK(log.sizes == std::vector<size_t>{1, 4, 1, 1});
  CHECK(ledger.committed.back() == 7);
  CHECK(ledger.prepared.empty());
}

TEST_CASE("A write that fails takes with it what was prepared on top of it, and nothing later",
          "[transaction]") {
  TransactionManager transactions;
  GatedLog log;
  transactions.SetLog(&log);
  Ledger ledger;
  auto committers = BeginFive(transactions, log, ledger);
  log.Open(true);
  for (auto& committer : committers) {
    committer->Join();
    CHECK_FALSE(committer->is_committed());
    CHECK(committer->error() == "log failed");
  }
  CHECK(log.sizes == std::vector<size_t>{1});
  CHECK(ledger.rolled_back == 5);
  CHECK(ledger.prepared.empty());
  CommitOne(transactions, ledger, 6);
  CHECK(ledger.committed == std::vector<uint64_t>{6});
}

TEST_CASE("What runs between commits waits for those on their way, and others wait for it", "[transaction]") {
  const bool fails = GENERATE(false, true);
  TransactionManager transactions;
  GatedLog log;
  transactions.SetLog(&log);
  Ledger ledger;
  auto committers = BeginFive(transactions, log, ledger);
  std::atomic<bool> has_begun{false};
  size_t committed_before = 0, prepared_then = 0;
  std::thread between([&] {
    transactions.RunBetweenCommits([&] {
      has_begun = true;
      committed_before = ledger.committed.size();
      committers.push_back(std::make_unique<Committer>(transactions, ledger, 6));
      for (int i = 0; i < 1000; i++) std::this_thread::yield();
      prepared_then = ledger.prepare_count;
    });
  });
  for (int i = 0; i < 1000; i++) std::this_thread::yield();
  CHECK_FALSE(has_begun);
  log.Open(fails);
  between.join();
  committers.clear();
  CHECK(committed_before == (fails ? 0 : 5));
  CHECK(prepared_then == 5);
  CHECK(ledger.committed.size() == (fails ? 1 : 6));
}

TEST_CASE("A commit is validated against those that are being written", "[transaction]") {
  struct Predicate final : ReadPredicate {
    Predicate() : ReadPredicate(1) {}
    bool IsHitBy(const ChangeSet&) const override { return true; }
    std::string Describe() const override { return "table t"; }
  };
  struct TableChange final : UndoEntry {
    std::shared_ptr<const ChangeSet> Changes() const override { return std::make_shared<ChangeSet>(1); }
    void Log(ByteWriter& writer) const override { writer.WriteU64(1); }
    void Commit(Timestamp, Timestamp) noexcept override {}
    void Rollback() noexcept override {}
  };
  TransactionManager transactions;
  GatedLog log;
  transactions.SetLog(&log);
  const auto reader = transactions.Begin();
  reader->LogRead(std::make_unique<Predicate>());
  reader->AddUndo(std::make_unique<TableChange>());
  std::thread writer([&] {
    const auto transaction = transactions.Begin();
    transaction->AddUndo(std::make_unique<TableChange>());
    transactions.Commit(*transaction);
  });
  log.AwaitFirstCall();
  CHECK_THROWS_WITH(transactions.Commit(*reader), Catch::Contains("could not serialize access"));
  log.Open(false);
  writer.join();
}

}  // namespace scaup
