// Finds databases by their names and by what is in them.
#include "catalog/database_views.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "common/throw.hpp"

namespace scaup {

DatabaseViews::DatabaseViews(std::vector<DatabaseView> views, size_t home)
    : views_(std::move(views)), home_(home) {
  SCAUP_CHECK(home_ < views_.size());
}

const DatabaseView* DatabaseViews::Find(std::string_view name) const {
  const auto found =
      std::find_if(views_.begin(), views_.end(), [&](const DatabaseView& view) { return view.name == name; });
  return found == views_.end() ? nullptr : &*found;
}

const DatabaseView& DatabaseViews::Require(std::string_view name, size_t position) const {
  if (const DatabaseView* found = Find(name)) return *found;
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidCatalogName,
             fmt::format("database \"{}\" is not attached; SHOW DATABASES lists those that are", name),
             position);
}

const DatabaseView& DatabaseViews::Of(const Table& table) const {
  const auto found = std::find_if(views_.begin(), views_.end(), [&](const DatabaseView& view) {
    return &view.catalog->transactions() == table.transactions();
  });
  if (found != views_.end()) return *found;
  SCAUP_CHECK(table.transactions() == nullptr);
  return home();
}

const DatabaseView* DatabaseViews::FirstOfTwo(std::string_view first, const DatabaseView& own,
                                              size_t position) const {
  const DatabaseView* found = Find(first);
  if (found == nullptr || !own.catalog->FindSchema(*own.transaction, first)) return found;
  if (found->catalog == own.catalog) return nullptr;
  ThrowError(ErrorKind::kCatalog, sqlstate::kAmbiguousAlias,
             fmt::format("\"{0}\" is a database and a schema of database \"{1}\": write all three names, "
                         "{0}.{2}.name or {1}.{0}.name",
                         first, own.name, Catalog::kDefaultSchema),
             position);
}

}  // namespace scaup
