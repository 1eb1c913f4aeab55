// The rows that an UPDATE writes, as its SET list, its checks and RETURNING ask for them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "binder/bound/bound_modification.hpp"
#include "binder/write/change_source.hpp"
#include "parser/ast/modification.hpp"

namespace scaup {

/// The projection of an UPDATE as it grows: row number, new values of columns, then whatever else checks and
/// RETURNING need of the rows of FROM. One statement, one use.
class UpdatedRow {
 public:
  UpdatedRow(BindSession& session, const ast::UpdateStatement& statement);
  UpdatedRow(const UpdatedRow&) = delete;
  UpdatedRow& operator=(const UpdatedRow&) = delete;

  ChangeSource& source() { return source_; }
  BoundUpdate& update() { return *update_; }
  /// The new value of a column of the target, over the source. In ascending order, before anything is moved.
  void SetColumn(size_t column, ExpressionPtr value, const std::string& name);
  /// From the columns of FROM to those of the row, which gets what it lacks: a column of the target that is
  /// set has its new value.
  void MoveToRow(ExpressionPtr& expression);
  /// Binds RETURNING and ends the source.
  BoundStatementPtr Finish();

 private:
  BindSession& session_;
  const ast::UpdateStatement& statement_;
  ChangeSource source_;
  std::unique_ptr<BoundUpdate> update_;
  std::map<ColumnBinding, size_t> places_;  // Of columns of FROM, in the projection.
};

}  // namespace scaup
