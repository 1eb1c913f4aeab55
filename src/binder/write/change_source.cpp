// Builds the source query of UPDATE and DELETE.
#include "binder/write/change_source.hpp"

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/written_view.hpp"

namespace scaup {

ChangeSource::ChangeSource(BindSession& session, const ast::WithClause& with, const ast::NamedTable& target,
                           const std::vector<ast::TableRefPtr>& tables, const ast::ExpressionPtr& where)
    : session_(session), select_(std::make_unique<BoundSelect>()) {
  session.CountQuery(target.position);
  level_.outer = session.around;
  BeginWith(with.queries, with.recursive, level_);
  BoundTarget bound = BindTarget(session, target);
  table_ = std::move(bound.table);
  view_ = std::move(bound.view);
  target_index_ = bound.table_index;
  BoundFrom from = BindFrom(session, tables, level_);
  select_->from = std::move(bound.reference);
  scope_ = std::move(bound.scope);
  if (from.table) {
    select_->from =
        std::make_unique<BoundJoin>(BoundJoinType::kInner, std::move(select_->from), std::move(from.table));
    scope_ = Scope::Combine(std::move(scope_), std::move(from.scope), target.position);
  }
  level_.scope = &scope_;
  select_->table_index = select_->item_index = session.NewTableIndex();
  AddItem(std::make_unique<ColumnRefExpression>(
              TypeId::kBigInt, ColumnBinding{target_index_, kRowNumberColumn}, kRowNumberName),
          kRowNumberName);
  std::vector<ExpressionPtr> conditions;
  if (view_) conditions = std::move(view_->conditions);
  if (where)
    conditions.push_back(ExpressionBinder(session_, level_, Clause::kWhere).BindBoolean(*where, "WHERE"));
  if (!conditions.empty()) select_->where = MakeAnd(std::move(conditions));
}

size_t ChangeSource::AddItem(ExpressionPtr item, std::string name) {
  item->alias = name;
  select_->types.push_back(item->type());
  select_->names.push_back(std::move(name));
  select_->items.push_back(std::move(item));
  return select_->items.size() - 1;
}

size_t ChangeSource::PassThrough(const ColumnBinding& binding, const LogicalType& type,
                                 const std::string& name) {
  const auto [place, is_new] = passed_.try_emplace(binding, 0);
  if (is_new) place->second = AddItem(std::make_unique<ColumnRefExpression>(type, binding, name), name);
  return place->second;
}

void ChangeSource::ReadTargetFrom(std::shared_ptr<DocumentSource> documents) {
  scope_.ReplaceDocuments(*session_.FindCollection(target_index_), std::move(documents));
}

ExpressionPtr ChangeSource::ReferTo(size_t item) const {
  return std::make_unique<ColumnRefExpression>(
      select_->types[item], ColumnBinding{select_->table_index, item}, select_->names[item]);
}

void ChangeSource::AddCondition(ExpressionPtr condition) {
  std::vector<ExpressionPtr> conditions;
  if (select_->where) conditions.push_back(std::move(select_->where));
  conditions.push_back(std::move(condition));
  select_->where = MakeAnd(std::move(conditions));
}

BoundQueryPtr ChangeSource::Finish() {
  level_.scope = nullptr;
  FinishWith(session_, level_, *select_);
  // The expressions above refer to the source's index, which is that of the outermost layer.
  const size_t index = select_->table_index;
  for (Layer& layer : layers_) {
    select_->table_index = select_->item_index = session_.NewTableIndex();
    select_ = Wrap(std::move(select_), std::move(layer), index);
  }
  return std::move(select_);
}

std::unique_ptr<BoundSelect> ChangeSource::Wrap(std::unique_ptr<BoundSelect> inner, Layer layer,
                                                size_t table_index) {
  const size_t below = inner->table_index;
  const auto move_below = [&](Expression& expression) {
    ForEachOwnReference(expression, [&](ColumnRefExpression& reference) {
      if (reference.binding.table_index == table_index) reference.binding.table_index = below;
    });
  };
  auto outer = std::make_unique<BoundSelect>();
  outer->table_index = outer->item_index = table_index;
  outer->names = inner->names;
  outer->types = inner->types;
  for (size_t i = 0; i < inner->types.size(); i++) {
    const auto computed = layer.values.find(i);
    ExpressionPtr item = computed != layer.values.end()
                             ? std::move(computed->second)
                             : std::make_unique<ColumnRefExpression>(inner->types[i], ColumnBinding{below, i},
                                                                     inner->names[i]);
    move_below(*item);
    item->alias = inner->names[i];
    outer->items.push_back(std::move(item));
  }
  if (layer.condition) {
    move_below(*layer.condition);
    outer->where = std::move(layer.condition);
  }
  outer->from = std::make_unique<BoundQueryTable>(std::move(inner));
  return outer;
}

}  // namespace scaup
