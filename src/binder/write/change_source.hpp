// The source query of UPDATE and DELETE: it yields the rows to change and the values needed of them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/scope/query_binder.hpp"

namespace scaup {

/// Builds SELECT row number, ... FROM target, tables WHERE condition. Used once, for one statement.
class ChangeSource {
 public:
  ChangeSource(BindSession& session, const ast::WithClause& with, const ast::NamedTable& target,
               const std::vector<ast::TableRefPtr>& tables, const ast::ExpressionPtr& where);
  ChangeSource(const ChangeSource&) = delete;
  ChangeSource& operator=(const ChangeSource&) = delete;

  const TableEntryRef& table() const { return table_; }
  /// Returns the view through which the table is changed; null if there is none.
  const WrittenView* view() const { return view_.get(); }
  size_t target_index() const { return target_index_; }
  size_t table_index() const { return select_->table_index; }
  QueryLevel& level() { return level_; }

  /// Adds an output column and returns its position.
  size_t AddItem(ExpressionPtr item, std::string name);
  /// Returns the position of the output column that passes on this column of FROM; adds it if needed.
  size_t PassThrough(const ColumnBinding& binding, const LogicalType& type, const std::string& name);
  /// Makes names of the target, a collection, refer to paths of these documents from now on.
  void ReadTargetFrom(std::shared_ptr<DocumentSource> documents);
  /// Returns a reference to an output column, for use above the query.
  ExpressionPtr ReferTo(size_t item) const;
  /// Adds a condition on the rows, over FROM.
  void AddCondition(ExpressionPtr condition);
  /// A query over the source's rows that gives some output columns other values, and leaves out rows.
  struct Layer {
    std::map<size_t, ExpressionPtr> values;  ///< by output column, over the source's output columns
    ExpressionPtr condition;                 ///< likewise; null if all rows stay
  };
  /// Puts a query around the source and the layers before. The columns that it computes were added to the
  /// source with any values.
  void AddLayer(Layer layer) { layers_.push_back(std::move(layer)); }
  BoundQueryPtr Finish();

 private:
  BindSession& session_;
  std::unique_ptr<BoundSelect> select_;
  QueryLevel level_;
  Scope scope_;
  TableEntryRef table_;
  std::shared_ptr<WrittenView> view_;
  size_t target_index_ = 0;
  /// Puts a layer around a query, whose columns it takes over under the index `table_index`.
  std::unique_ptr<BoundSelect> Wrap(std::unique_ptr<BoundSelect> inner, Layer layer, size_t table_index);

  std::map<ColumnBinding, size_t> passed_;
  std::vector<Layer> layers_;
};

}  // namespace scaup
