// The key paths of a collection that a view reads, as they were when it was made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog_entry.hpp"

namespace scaup {

/// A key path as the view sees it, whatever later documents have there. A value.
struct ViewPath {
  std::string name;
  LogicalType type;
  bool is_in_star;  ///< stands for it; these paths come first, in their order
};

// A source has the paths of a collection in `columns`. Its `used_columns` begin with an empty name, which no
// column has; then come the number of paths that * stands for, and the types of all paths. So files of
// earlier versions can still be read.

/// Returns whether the source is a collection with paths: false for tables and views, and for collections in
/// files of earlier versions.
bool HasPaths(const ViewSource& source);
/// Returns the paths of a source. Throws Error(kIo, XX001) if their types are damaged. REQUIRES: HasPaths.
std::vector<ViewPath> PathsOf(const ViewSource& source);
void SetPaths(ViewSource& source, const std::vector<ViewPath>& paths);

}  // namespace scaup
