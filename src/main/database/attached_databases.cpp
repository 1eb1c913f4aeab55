// Attaching and detaching databases.
#include "main/database/attached_databases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/throw.hpp"
#include "main/database/database_instance.hpp"

namespace scaup {

std::shared_ptr<const AttachedList> AttachedDatabases::list() const {
  // Most programs attach nothing, and every statement asks.
  if (!has_any_.load(std::memory_order_acquire)) return nullptr;
  const MutexLock lock(mutex_);
  return list_;
}

void AttachedDatabases::Attach(const std::string& name, std::shared_ptr<DatabaseInstance> instance) {
  const MutexLock lock(mutex_);
  auto next = list_ ? std::make_shared<AttachedList>(*list_) : std::make_shared<AttachedList>();
  if (std::any_of(next->begin(), next->end(),
                  [&](const AttachedDatabase& other) { return other.name == name; })) {
    ThrowError(ErrorKind::kCatalog, sqlstate::kDuplicateDatabase,
               fmt::format("there is a database \"{}\" already: attach this one AS another name", name));
  }
  next->push_back({name, std::move(instance)});
  list_ = std::move(next);
  changes_++;
  has_any_.store(true, std::memory_order_release);
}

void AttachedDatabases::Detach(const std::string& name) {
  std::shared_ptr<DatabaseInstance> instance;
  {
    const MutexLock lock(mutex_);
    auto next = list_ ? std::make_shared<AttachedList>(*list_) : std::make_shared<AttachedList>();
    const auto found = std::find_if(next->begin(), next->end(),
                                    [&](const AttachedDatabase& other) { return other.name == name; });
    if (found == next->end()) {
      ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidCatalogName,
                 fmt::format("database \"{}\" is not attached", name));
    }
    instance = std::move(found->instance);
    next->erase(found);
    const std::shared_ptr<const AttachedList> before = std::exchange(list_, std::move(next));
    // Transactions that have begun hold a list, and through it the database; none can begin with it now, as
    // they take the list under this mutex. `before` is the only other one that is held here.
    const auto holders = static_cast<size_t>(instance.use_count()) - 1;
    if (before.use_count() > 1 || holders > 1) {
      list_ = before;
      ThrowError(
          ErrorKind::kUsage, sqlstate::kObjectInUse,
          fmt::format("cannot detach database \"{}\": transactions or results that are open may use it; "
                      "end them before",
                      name));
    }
    changes_++;
  }
  const auto store = instance->storage() != nullptr ? instance->storage()->store() : nullptr;
  // Its last checkpoint may take long, so it is written without the mutex.
  instance.reset();
  // Plans in caches of sessions may share tables, and with them the file, which must be free now.
  if (store) store->file().Close();
}

}  // namespace scaup
