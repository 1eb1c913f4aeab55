// Inner work: queries of functions, and triggers, which run within a statement.
#pragma once

#include <memory>
#include <vector>

#include "catalog/database_views.hpp"
#include "execution/write/row_changes.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Runs statements within another one. Owned by the outer statement's execution.
class InnerWork : public InnerQueries {
 public:
  /// Fires the AFTER triggers of a statement that has come to its end. `databases` are those of the
  /// statement. Throws what the triggers' functions throw, and Error(kUsage, 54001) if triggers fire triggers
  /// without end.
  virtual void RunTriggers(RowChanges& changes, const DatabaseViews& databases) = 0;
  /// Fires the triggers of a statement that run BEFORE it, once. Throws likewise.
  virtual void RunTriggersBefore(const std::vector<std::unique_ptr<RowChanges::Target>>& targets,
                                 const DatabaseViews& databases) = 0;
};

}  // namespace scaup
