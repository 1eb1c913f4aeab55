// Commits with a log: several threads share a write, failures roll back whom they hit and nobody else.
#include <atomic>
#include <catch2/catch.hpp>
#include <cstring>
#include <map>
#include <stdexcept>
#include <thread>

#include "transaction/transaction.hpp"

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

/// What changes of all threads do, in a place where only one thread at a time is expected.
struct Ledger {
  std::vector<uint64_t> prepared;  // As a table does: a later commit builds on those before it.
  std::vector<uint64_t> committed;
  std::atomic<size_t> rolled_back{0};
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
    ledger_.prepared.push_back(number_);
    is_prepared_ = true;
  }
  void CancelPrepare() noexcept override {
    if (is_prepared_) ledger_.prepared.pop_back();
    is_prepared_ = false;
  }
  void Commit(Timestamp, Timestamp) noexcept override {
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

}  // namespace scaup
