// The key paths of a collection that a view reads, as they were when it was made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog_entry.hpp"

namespace scaup {

/// A key path as the view sees it, whatever later documents have there.
struct ViewPath {
  std::string name;
  LogicalType type;
  bool is_in_star;  ///< * stands for it: these come first, in its order
};

// A source keeps the paths of a collection in the place of its columns, and in the place of those that are
// used, behind an empty name, which no column has: how many of them * stands for, and the types.

/// Whether the source is a collection with paths: false for tables and views, and for collections in files of
/// earlier versions.
bool HasPaths(const ViewSource& source);
/// REQUIRES: HasPaths. Throws Error(kIo, XX001) where they are none.
std::vector<ViewPath> PathsOf(const ViewSource& source);
void SetPaths(ViewSource& source, const std::vector<ViewPath>& paths);

}  // namespace scaup
