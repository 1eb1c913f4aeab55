// Catalog sets: version chains by name.
#include "catalog/catalog_set.hpp"

#include <algorithm>

#include "common/throw.hpp"

namespace scaup {

/// One change of a name as a transaction participant: stamps its version at the commit, or removes it at a
/// rollback.
class CatalogSet::ChangeUndo final : public UndoEntry {
 public:
  ChangeUndo(std::shared_ptr<CatalogSet> set, std::string name, Timestamp transaction_id)
      : set_(std::move(set)), name_(std::move(name)), transaction_id_(transaction_id) {}

  void Commit(Timestamp commit_timestamp, Timestamp) noexcept override {
    MutexLock lock(set_->mutex_);
    const auto found = set_->entries_.find(name_);
    if (found == set_->entries_.end()) return;
    auto& versions = found->second;
    // An earlier entry of this transaction for the same name has stamped the version already.
    if (versions.back().timestamp != transaction_id_) return;
    // If one transaction made several changes, other transactions see only the last of them.
    while (versions.size() > 1 && versions[versions.size() - 2].timestamp == transaction_id_)
      versions.erase(versions.end() - 2);
    versions.back().timestamp = commit_timestamp;
  }

  bool CleanUp(Timestamp oldest_start) noexcept override {
    MutexLock lock(set_->mutex_);
    const auto found = set_->entries_.find(name_);
    if (found == set_->entries_.end()) return true;
    auto& versions = found->second;
    // Versions that are older than the newest one that every active transaction sees can never be read again.
    while (versions.size() > 1 && versions[1].timestamp <= oldest_start) versions.erase(versions.begin());
    if (versions.size() > 1 || versions[0].timestamp > oldest_start) return false;
    if (!versions[0].entry)
      // No transaction can tell a deletion from a name that was never used.
      set_->entries_.erase(found);
    return true;
  }

  void Rollback() noexcept override {
    MutexLock lock(set_->mutex_);
    const auto found = set_->entries_.find(name_);
    if (found == set_->entries_.end()) return;
    // The newest version is this transaction's: Put refuses any other while it is not committed, and undo
    // runs in reverse.
    found->second.pop_back();
    if (found->second.empty()) set_->entries_.erase(found);
  }

 private:
  std::shared_ptr<CatalogSet> set_;
  std::string name_;
  Timestamp transaction_id_;
};

/// Reopens the set if the transaction that closed it is rolled back.
class CatalogSet::CloseUndo final : public UndoEntry {
 public:
  explicit CloseUndo(std::shared_ptr<CatalogSet> set) : set_(std::move(set)) {}
  void Commit(Timestamp, Timestamp) noexcept override {}
  void Rollback() noexcept override {
    MutexLock lock(set_->mutex_);
    set_->closed_by_ = 0;
  }

 private:
  std::shared_ptr<CatalogSet> set_;
};

CatalogEntryRef CatalogSet::Find(const Transaction& transaction, std::string_view name) const {
  MutexLock lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return nullptr;
  for (auto version = found->second.rbegin(); version != found->second.rend(); ++version) {
    if (transaction.Sees(version->timestamp)) return version->entry;
  }
  return nullptr;
}

std::vector<CatalogEntryRef> CatalogSet::List(const Transaction& transaction) const {
  MutexLock lock(mutex_);
  std::vector<CatalogEntryRef> result;
  for (const auto& [name, versions] : entries_) {
    for (auto version = versions.rbegin(); version != versions.rend(); ++version) {
      if (!transaction.Sees(version->timestamp)) continue;
      if (version->entry) result.push_back(version->entry);
      break;
    }
  }
  return result;
}

std::vector<CatalogEntryRef> CatalogSet::ListWithPrefix(const Transaction& transaction,
                                                        std::string_view prefix) const {
  MutexLock lock(mutex_);
  std::vector<CatalogEntryRef> result;
  for (auto found = entries_.lower_bound(prefix); found != entries_.end(); ++found) {
    if (!found->first.starts_with(prefix)) break;
    const auto& versions = found->second;
    const auto seen = std::find_if(versions.rbegin(), versions.rend(), [&](const Version& version) {
      return transaction.Sees(version.timestamp);
    });
    if (seen != versions.rend() && seen->entry) result.push_back(seen->entry);
  }
  return result;
}

namespace {

[[noreturn]] void ThrowConflict(const std::string& name) {
  ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
             "another transaction changed the definition of \"" + name + "\" at the same time; try again");
}

}  // namespace

void CatalogSet::Put(Transaction& transaction, const std::string& name, CatalogEntryRef entry) {
  MutexLock lock(mutex_);
  // A conflict fails at once and not at the commit: the later statements of the transaction would be in vain,
  // and version chains stay free of branches.
  if (closed_by_ != 0 && closed_by_ != transaction.id()) ThrowConflict(name);
  const auto found = entries_.find(name);
  if (found != entries_.end() && !found->second.empty() && !transaction.Sees(found->second.back().timestamp))
    ThrowConflict(name);
  // Everything that can fail comes before the push: a version without an undo entry would block its name for
  // ever.
  auto undo = std::make_unique<ChangeUndo>(shared_from_this(), name, transaction.id());
  auto& versions = entries_[name];
  versions.reserve(versions.size() + 1);
  transaction.AddUndo(std::move(undo));
  versions.push_back({transaction.id(), std::move(entry)});
}

void CatalogSet::Close(Transaction& transaction) {
  MutexLock lock(mutex_);
  for (const auto& [name, versions] : entries_) {
    if (!versions.empty() && !transaction.Sees(versions.back().timestamp)) ThrowConflict(name);
  }
  // The undo entry is added first, since only it reopens the set.
  transaction.AddUndo(std::make_unique<CloseUndo>(shared_from_this()));
  closed_by_ = transaction.id();
}

}  // namespace scaup
