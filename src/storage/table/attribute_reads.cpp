// Tests whether attributes that a transaction knows have appeared or vanished.
#include "storage/table/attribute_reads.hpp"

#include "document/attribute_census.hpp"
#include "storage/table/table_changes.hpp"

namespace scaup {

AttributeReadPredicate::AttributeReadPredicate(std::shared_ptr<const Table> collection,
                                               std::shared_ptr<const std::set<PathId>> paths)
    : ReadPredicate(collection->id()), collection_(std::move(collection)), paths_(std::move(paths)) {}

bool AttributeReadPredicate::IsHitBy(const ChangeSet& changes) const {
  const auto& census = static_cast<const TableChangeSet&>(changes).attributes;
  if (!census) return false;
  const AttributeDictionary& dictionary = *collection_->attributes();
  // Only attributes whose first document came or whose last one went change the meaning of names.
  for (const AttributeId id : census->moved()) {
    PathId path = dictionary.attribute(id).path;
    while (path != kRootPath && !paths_->contains(path)) path = dictionary.ParentOf(path);
    if (paths_->contains(path)) return true;
  }
  return false;
}

}  // namespace scaup
