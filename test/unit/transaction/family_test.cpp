// Transactions over several databases: their snapshots, who may change what, and how they end.
#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <vector>

#include "scaup/error.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

namespace {

/// Changes to a table, which count what happens to them.
class Change final : public UndoEntry {
 public:
  Change(std::string& log, std::string name) : log_(log), name_(std::move(name)) {}
  std::shared_ptr<const ChangeSet> Changes() const override { return std::make_shared<ChangeSet>(1); }
  void Commit(Timestamp, Timestamp) noexcept override { log_ += "commit " + name_ + ";"; }
  void Rollback() noexcept override { log_ += "rollback " + name_ + ";"; }

 private:
  std::string& log_;
  std::string name_;
};

/// A read of the whole table.
class WholeRead final : public ReadPredicate {
 public:
  WholeRead() : ReadPredicate(1) {}
  bool IsHitBy(const ChangeSet&) const override { return true; }
  std::string Describe() const override { return "all"; }
};

struct Databases {
  Databases() {
    a.SetDatabase({"a"});
    b.SetDatabase({"b"});
  }
  std::shared_ptr<Transaction> Begin() {
    TransactionManager* const others[] = {&b};
    return a.BeginWith(others);
  }
  void Write(TransactionManager& manager, const std::string& name) {
    const auto transaction = manager.Begin();
    transaction->AddUndo(std::make_unique<Change>(log, name));
    manager.Commit(*transaction);
  }
  TransactionManager a, b;
  std::string log;
};

std::string StateOf(const std::function<void()>& body) {
  try {
    body();
    return "";
  } catch (const Error& error) {
    return error.sqlstate();
  }
}

}  // namespace

TEST_CASE("A family has a member in each database, and one set of modes", "[transaction]") {
  Databases databases;
  databases.Write(databases.b, "x");
  const auto root = databases.Begin();
  Transaction& branch = root->In(&databases.b);
  CHECK(&root->In(&databases.a) == root.get());
  CHECK(&root->In(nullptr) == root.get());
  CHECK(&branch != root.get());
  CHECK(&branch.In(&databases.a) == root.get());
  CHECK(&branch.root() == root.get());
  CHECK(branch.start_timestamp() == 2);
  TransactionManager other;
  CHECK(StateOf([&] { root->In(&other); }) == "25000");
  root->SetReadOnly(true);
  root->SetIsolation(IsolationLevel::kRepeatableRead);
  CHECK(branch.is_read_only());
  CHECK(branch.isolation() == IsolationLevel::kRepeatableRead);
  databases.a.Rollback(*root);
}

TEST_CASE("One member of a family has changes", "[transaction]") {
  Databases databases;
  const auto root = databases.Begin();
  Transaction& branch = root->In(&databases.b);
  branch.AddUndo(std::make_unique<Change>(databases.log, "1"));
  CHECK(StateOf([&] { root->AddUndo(std::make_unique<Change>(databases.log, "2")); }) == "25000");
  const size_t mark = root->undo_mark();
  CHECK(mark == 1);
  CHECK(branch.undo_mark() == 1);
  branch.AddUndo(std::make_unique<Change>(databases.log, "3"));
  databases.a.RollbackTo(*root, mark);
  CHECK(databases.log == "rollback 3;");
  databases.a.RollbackTo(*root, 0);
  root->AddUndo(std::make_unique<Change>(databases.log, "4"));
  CHECK(StateOf([&] { branch.RequireNoOtherChanges(); }) == "25000");
  databases.a.Commit(*root);
  CHECK(databases.log == "rollback 3;rollback 1;commit 4;");
}

TEST_CASE("The end of a family ends all members", "[transaction]") {
  Databases databases;
  for (const bool commits : {true, false}) {
    const auto root = databases.Begin();
    root->In(&databases.b).AddUndo(std::make_unique<Change>(databases.log, "1"));
    if (commits) {
      databases.a.Commit(*root);
    } else {
      databases.a.Rollback(*root);
    }
  }
  const auto reader = databases.Begin();
  databases.a.Commit(*reader);
  CHECK(databases.log == "commit 1;rollback 1;");
  // No transaction holds back what is committed now.
  databases.Write(databases.a, "2");
  databases.Write(databases.b, "3");
  CHECK(databases.log == "commit 1;rollback 1;commit 2;commit 3;");
}

TEST_CASE("What a family has read is validated in each database", "[transaction]") {
  Databases databases;
  for (const bool reads_other : {true, false}) {
    for (const bool is_changed : {true, false}) {
      const auto root = databases.Begin();
      Transaction& branch = root->In(&databases.b);
      Transaction& reader = reads_other ? branch : *root;
      Transaction& writer = reads_other ? *root : branch;
      reader.LogRead(std::make_unique<WholeRead>());
      writer.AddUndo(std::make_unique<Change>(databases.log, "own"));
      if (is_changed) databases.Write(reads_other ? databases.b : databases.a, "other");
      databases.log.clear();
      CHECK(StateOf([&] { databases.a.Commit(*root); }) == (is_changed ? "40001" : ""));
      CHECK(databases.log == (is_changed ? "rollback own;" : "commit own;"));
    }
  }
  // Who has changed nothing has its place at its beginning.
  const auto root = databases.Begin();
  root->In(&databases.b).LogRead(std::make_unique<WholeRead>());
  databases.Write(databases.b, "other");
  CHECK(StateOf([&] { databases.a.Commit(*root); }) == "");
}

TEST_CASE("Reads of what is attached read-only are validated, too", "[transaction]") {
  Databases databases;
  databases.b.SetDatabase({"b", true});
  const auto root = databases.Begin();
  root->In(&databases.b).LogRead(std::make_unique<WholeRead>());
  root->AddUndo(std::make_unique<Change>(databases.log, "own"));
  // As another process does, whose commits are repeated here.
  databases.Write(databases.b, "other");
  databases.log.clear();
  CHECK(StateOf([&] { databases.a.Commit(*root); }) == "40001");
  CHECK(databases.log == "rollback own;");
}

}  // namespace scaup
