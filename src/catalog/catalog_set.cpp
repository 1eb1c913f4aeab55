// Catalog sets: version chains by name.
#include "catalog/catalog.hpp"
#include "common/throw.hpp"

namespace scaup {

/// Stamps, or takes back, the newest version of one name.
class CatalogSet::ChangeUndo final : public UndoEntry {
 public:
  ChangeUndo(std::shared_ptr<CatalogSet> set, std::string name) : set_(std::move(set)), name_(std::move(name)) {}

  void Commit(Timestamp commit_timestamp, Timestamp oldest_start) noexcept override {
    std::lock_guard lock(set_->mutex_);
    const auto found = set_->entries_.find(name_);
    if (found == set_->entries_.end()) return;
    auto& versions = found->second;
    versions.back().timestamp = commit_timestamp;
    // Of the versions that every active transaction sees, only the newest can still be wanted.
    while (versions.size() > 1 && versions[1].timestamp <= oldest_start) versions.erase(versions.begin());
  }

  void Rollback() noexcept override {
    std::lock_guard lock(set_->mutex_);
    const auto found = set_->entries_.find(name_);
    if (found == set_->entries_.end()) return;
    found->second.pop_back();
    if (found->second.empty()) set_->entries_.erase(found);
  }

 private:
  std::shared_ptr<CatalogSet> set_;
  std::string name_;
};

CatalogEntryRef CatalogSet::Find(const Transaction& transaction, std::string_view name) const {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(name);
  if (found == entries_.end()) return nullptr;
  for (auto version = found->second.rbegin(); version != found->second.rend(); ++version) {
    if (transaction.Sees(version->timestamp)) return version->entry;
  }
  return nullptr;
}

std::vector<CatalogEntryRef> CatalogSet::List(const Transaction& transaction) const {
  std::lock_guard lock(mutex_);
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

void CatalogSet::Put(Transaction& transaction, const std::string& name, CatalogEntryRef entry) {
  std::lock_guard lock(mutex_);
  auto& versions = entries_[name];
  if (!versions.empty() && !transaction.Sees(versions.back().timestamp)) {
    ThrowError(ErrorKind::kTransaction, sqlstate::kSerializationFailure,
               "another transaction changed the definition of \"" + name + "\" at the same time; try again");
  }
  versions.push_back({transaction.id(), std::move(entry)});
  transaction.AddUndo(std::make_unique<ChangeUndo>(shared_from_this(), name));
}

}  // namespace scaup
