// Transactions over several databases: one snapshot of all, and a commit that has validated the reads in
// each.
#include "transaction/family_commit.hpp"

#include <algorithm>
#include <functional>

#include "common/throw.hpp"

namespace scaup {

// Not analysed: it locks as many mutexes as there are databases.
std::shared_ptr<Transaction> TransactionManager::BeginWith(std::span<TransactionManager* const> others)
    SCAUP_NO_THREAD_SAFETY_ANALYSIS {
  std::vector<TransactionManager*> managers(others.begin(), others.end());
  managers.push_back(this);
  // One order for all threads.
  std::sort(managers.begin(), managers.end(), std::less<>());
  // While all are locked no database publishes a commit. So a transaction that sees a commit of one database
  // also sees those of the others that this commit had seen.
  std::vector<std::unique_ptr<MutexLock>> locks;
  for (TransactionManager* manager : managers) locks.push_back(std::make_unique<MutexLock>(manager->mutex_));
  const auto make = [](TransactionManager& manager) SCAUP_NO_THREAD_SAFETY_ANALYSIS {
    return std::make_shared<Transaction>(manager.next_id_++, manager.last_commit_, &manager);
  };
  auto root = make(*this);
  for (TransactionManager* other : others) {
    root->branches_.push_back(make(*other));
    root->branches_.back()->root_ = root.get();
  }
  try {
    active_.Add(*root);
    for (const auto& branch : root->branches_) branch->manager_->active_.Add(*branch);
  } catch (...) {
    active_.Remove(*root);
    for (const auto& branch : root->branches_) branch->manager_->active_.Remove(*branch);
    throw;
  }
  return root;
}

FamilyCommit::FamilyCommit(Transaction& root) : root_(root) {
  std::vector<Transaction*> members{&root};
  for (const auto& branch : root.branches()) members.push_back(branch.get());
  const auto changed = std::find_if(members.begin(), members.end(),
                                    [](const Transaction* member) { return member->has_changes(); });
  if (changed == members.end()) return;
  changed_ = *changed;
  for (Transaction* member : members) {
    // Even those of databases that are attached read-only: another process may write their files.
    if (member != changed_ && !member->predicates_.empty()) readers_.push_back(member);
  }
}

void FamilyCommit::EndOthers() {
  for (const auto& branch : root_.branches()) {
    if (branch.get() != changed_) branch->manager()->Rollback(*branch);
  }
  if (changed_ == &root_) return;
  TransactionManager& manager = *root_.manager();
  const MutexLock lock(manager.mutex_);
  manager.Undo(root_);
}

void FamilyCommit::ValidateFrom(size_t next) {
  if (next == readers_.size()) {
    has_begun_ = true;
    changed_->manager()->CommitOne(*changed_);
    return;
  }
  // From the validation of the reads until the changes are published, the database that was read commits
  // nothing: a reader that sees its later commits sees the changes, too.
  TransactionManager& manager = *readers_[next]->manager();
  manager.RunBetweenCommits([&] {
    {
      const MutexLock lock(manager.commit_mutex_);
      manager.Validate(*readers_[next]);
    }
    ValidateFrom(next + 1);
  });
}

void FamilyCommit::Run() {
  if (changed_ == nullptr) return EndOthers();
  try {
    if (readers_.empty()) {
      ValidateFrom(0);
    } else {
      const MutexLock lock(root_.manager()->family_mutex_);
      ValidateFrom(0);
    }
  } catch (...) {
    if (!has_begun_) {
      TransactionManager& manager = *changed_->manager();
      const MutexLock lock(manager.mutex_);
      manager.Undo(*changed_);
    }
    EndOthers();
    throw;
  }
  EndOthers();
}

}  // namespace scaup
