// The query behind UPDATE and DELETE: which rows are changed, and what is needed of them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "binder/bound/bound_modification.hpp"
#include "binder/scope/query_binder.hpp"

namespace scaup {

/// SELECT row number, ... FROM target, tables WHERE condition. One statement, one use.
class ChangeSource {
 public:
  ChangeSource(BindSession& session, const ast::WithClause& with, const ast::NamedTable& target,
               const std::vector<ast::TableRefPtr>& tables, const ast::ExpressionPtr& where);
  ChangeSource(const ChangeSource&) = delete;
  ChangeSource& operator=(const ChangeSource&) = delete;

  const TableEntryRef& table() const { return table_; }
  size_t target_index() const { return target_index_; }
  size_t table_index() const { return select_->table_index; }
  QueryLevel& level() { return level_; }

  /// Returns the item's number.
  size_t AddItem(ExpressionPtr item, std::string name);
  /// The item that is this column as FROM has it.
  size_t PassThrough(const ColumnBinding& binding, const LogicalType& type, const std::string& name);
  /// From now on names of the target, a collection, mean paths of these documents.
  void ReadTargetFrom(std::shared_ptr<DocumentSource> documents);
  /// A reference to an item, from above the query.
  ExpressionPtr ReferTo(size_t item) const;
  BoundQueryPtr Finish();

 private:
  BindSession& session_;
  std::unique_ptr<BoundSelect> select_;
  QueryLevel level_;
  Scope scope_;
  TableEntryRef table_;
  size_t target_index_ = 0;
  std::map<ColumnBinding, size_t> passed_;
};

}  // namespace scaup
