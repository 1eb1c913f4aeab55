// What ALTER renames, in the views that read it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "binder/bound/bound_definition.hpp"
#include "binder/scope/bind_session.hpp"

namespace scaup {

/// A table or view with the names that it, and some of its columns, are about to get.
struct RelationRenaming {
  CatalogEntryRef relation;
  std::string schema;
  std::string name;
  std::vector<std::pair<std::string, std::string>> columns;  ///< from, to
};

/// New versions of the views that read the relation, whose texts call things by their new names; what the
/// views give stays what it was, the names of their columns included. Throws Error(kNotSupported, 0A000) at
/// `position` for a text that cannot be changed so.
std::vector<BoundViewChange> RenameInViews(BindSession& session, const RelationRenaming& renaming,
                                           size_t position);

}  // namespace scaup
