// Transactions: timestamps, the order of undo, and when what was replaced is freed.
#include "transaction/transaction_manager.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <thread>

namespace scaup {

namespace {

/// Writes down what is done to it.
class Recorder final : public UndoEntry {
 public:
  Recorder(std::string& log, std::string name) : log_(log), name_(std::move(name)) {}
  void Commit(Timestamp commit_timestamp, Timestamp) noexcept override {
    commit_ = commit_timestamp;
    log_ += "commit " + name_ + ";";
  }
  void Rollback() noexcept override { log_ += "rollback " + name_ + ";"; }
  bool CleanUp(Timestamp oldest_start) noexcept override {
    if (oldest_start < commit_) return false;
    log_ += "clean " + name_ + ";";
    return true;
  }

 private:
  std::string& log_;
  std::string name_;
  Timestamp commit_ = 0;
};

}  // namespace

TEST_CASE("Each transaction sees itself and what was committed before it began", "[transaction]") {
  TransactionManager transactions;
  std::string log;
  const auto a = transactions.Begin(), b = transactions.Begin();
  CHECK(a->id() != b->id());
  CHECK(a->id() >= kFirstTransactionId);
  CHECK(a->Sees(a->id()));
  CHECK_FALSE(a->Sees(b->id()));
  a->AddUndo(std::make_unique<Recorder>(log, "a"));
  transactions.Commit(*a);
  const auto c = transactions.Begin();
  CHECK(c->start_timestamp() == b->start_timestamp() + 1);
  CHECK(c->Sees(c->start_timestamp()));
  CHECK_FALSE(b->Sees(c->start_timestamp()));
  transactions.Commit(*c);  // Without changes there is no new timestamp.
  const auto d = transactions.Begin();
  CHECK(d->start_timestamp() == c->start_timestamp());
  transactions.Rollback(*b);
  transactions.Rollback(*d);
}

TEST_CASE("Changes are committed in order and rolled back in reverse", "[transaction]") {
  TransactionManager transactions;
  std::string log;
  const auto commit = transactions.Begin();
  for (const char* name : {"1", "2", "3"}) commit->AddUndo(std::make_unique<Recorder>(log, name));
  transactions.Commit(*commit);
  CHECK(log == "commit 1;commit 2;commit 3;clean 1;clean 2;clean 3;");
  log.clear();
  const auto rollback = transactions.Begin();
  for (const char* name : {"1", "2", "3"}) rollback->AddUndo(std::make_unique<Recorder>(log, name));
  transactions.Rollback(*rollback);
  CHECK(log == "rollback 3;rollback 2;rollback 1;");
}

TEST_CASE("Cleaning waits for the last transaction that began before", "[transaction]") {
  TransactionManager transactions;
  std::string log;
  const auto old = transactions.Begin(), older = transactions.Begin();
  for (const char* name : {"1", "2"}) {
    const auto writer = transactions.Begin();
    writer->AddUndo(std::make_unique<Recorder>(log, name));
    transactions.Commit(*writer);
  }
  const auto late = transactions.Begin();
  CHECK(log == "commit 1;commit 2;");
  transactions.Rollback(*old);
  CHECK(log == "commit 1;commit 2;");
  transactions.Commit(*older);
  CHECK(log == "commit 1;commit 2;clean 1;clean 2;");
  transactions.Rollback(*late);
}

TEST_CASE("Transactions begin and end in many threads", "[transaction]") {
  TransactionManager transactions;
  struct Counter final : UndoEntry {
    explicit Counter(std::atomic<size_t>& committed_in, std::atomic<size_t>& cleaned_in)
        : committed(committed_in), cleaned(cleaned_in) {}
    void Commit(Timestamp timestamp, Timestamp oldest) noexcept override {
      committed++;
      is_sound = oldest <= timestamp;
    }
    void Rollback() noexcept override {}
    bool CleanUp(Timestamp) noexcept override { return cleaned += is_sound, true; }
    std::atomic<size_t>&committed, &cleaned;
    bool is_sound = false;
  };
  std::atomic<size_t> committed{0}, cleaned{0};
  std::vector<std::thread> threads;
  for (size_t t = 0; t < 4; t++) {
    threads.emplace_back([&] {
      for (size_t i = 0; i < 2000; i++) {
        const auto transaction = transactions.Begin();
        if (i % 3 == 0) transaction->AddUndo(std::make_unique<Counter>(committed, cleaned));
        if (i % 2 == 0) {
          transactions.Commit(*transaction);
        } else {
          transactions.Rollback(*transaction);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(committed == 4 * 334);
  CHECK(cleaned == committed);
  const auto last = transactions.Begin();
  CHECK(last->start_timestamp() == 1 + committed);
  transactions.Rollback(*last);
}

}  // namespace scaup
