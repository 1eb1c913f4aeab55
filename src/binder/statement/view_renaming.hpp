// Carries renamings by ALTER into the views that read the renamed relation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "binder/bound/bound_definition.hpp"
#include "binder/scope/bind_session.hpp"

namespace scaup {

/// A table or view with its new name, and the new names of some of its columns.
struct RelationRenaming {
  CatalogEntryRef relation;
  std::string schema;
  std::string name;
  std::vector<std::pair<std::string, std::string>> columns;  ///< from, to
};

/// Returns new versions of the views that read the relation; their texts use the new names. The columns and
/// column names of the views stay the same. Throws Error(kNotSupported, 0A000) at `position` for a text that
/// cannot be changed in this way.
std::vector<BoundViewChange> RenameInViews(BindSession& session, const RelationRenaming& renaming,
                                           size_t position);

}  // namespace scaup
