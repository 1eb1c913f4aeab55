// The rows that an UPDATE writes: builds what the SET list, checks and RETURNING need.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "binder/bound/bound_modification.hpp"
#include "binder/write/change_source.hpp"
#include "parser/ast/modification.hpp"

namespace scaup {

/// Builds the projection of an UPDATE: row number, new values of columns, then further columns of FROM that
/// checks and RETURNING need. Used once, for one statement.
class UpdatedRow {
 public:
  UpdatedRow(BindSession& session, const ast::UpdateStatement& statement);
  UpdatedRow(const UpdatedRow&) = delete;
  UpdatedRow& operator=(const UpdatedRow&) = delete;

  ChangeSource& source() { return source_; }
  BoundUpdate& update() { return *update_; }
  /// Sets the new value of a column of the target, over the source. Call it in ascending order of columns,
  /// before MoveToRow.
  void SetColumn(size_t column, ExpressionPtr value, const std::string& name);
  /// Rewrites references to columns of FROM into references to the projection, adding missing columns. A
  /// column of the target that is set refers to its new value.
  void MoveToRow(ExpressionPtr& expression);
  /// Binds RETURNING and finishes the source.
  BoundStatementPtr Finish();

 private:
  BindSession& session_;
  const ast::UpdateStatement& statement_;
  ChangeSource source_;
  std::unique_ptr<BoundUpdate> update_;
  std::map<ColumnBinding, size_t> places_;  // from columns of FROM to positions in the projection
};

}  // namespace scaup
