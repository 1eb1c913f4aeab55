// Transforms SEARCH and CYCLE of recursive WITH queries: adds the columns that order rows and find cycles.
#include <algorithm>
#include <utility>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "parser/transform/transform.hpp"

namespace scaup {

namespace {

using ast::ExpressionPtr;

constexpr const char* kTerm = "term";  // the alias of the terms, which are wrapped in queries

ExpressionPtr ColumnOf(std::string table, std::string name, size_t position) {
  auto column = std::make_unique<ast::Column>();
  column->names = {std::move(table), std::move(name)};
  column->position = position;
  return column;
}

ExpressionPtr Call(std::string name, ExpressionPtr first, ExpressionPtr second, size_t position) {
  auto call = std::make_unique<ast::FunctionCall>();
  call->name = {std::move(name)};
  call->position = position;
  call->arguments.push_back(std::move(first));
  call->arguments.push_back(std::move(second));
  call->argument_names.resize(2);
  return call;
}

ExpressionPtr Integer(int64_t value) {
  auto literal = std::make_unique<ast::Literal>();
  literal->literal = ast::Literal::Kind::kInteger;
  literal->integer = value;
  return literal;
}

ExpressionPtr ArrayOf(ExpressionPtr element) {
  auto array = std::make_unique<ast::Array>();
  array->position = element->position;
  array->elements.push_back(std::move(element));
  return array;
}

/// ROW(columns) of a term; with a depth in front of them if it is given.
ExpressionPtr RowOf(const std::vector<std::string>& columns, size_t position, ExpressionPtr depth = nullptr) {
  auto row = std::make_unique<ast::Row>();
  row->position = position;
  if (depth) row->values.push_back(std::move(depth));
  for (const std::string& column : columns) row->values.push_back(ColumnOf(kTerm, column, position));
  return row;
}

ast::SelectItem NamedItem(ExpressionPtr expression, std::string alias) {
  ast::SelectItem item;
  item.expression = std::move(expression);
  item.alias = std::move(alias);
  return item;
}

/// Returns the alias under which FROM reads the recursive query itself; "" if it does not.
std::string AliasOf(const ast::TableRef& table, const std::string& name) {
  CheckStack();
  if (table.kind == ast::TableRefKind::kTable) {
    const auto& named = table.As<ast::NamedTable>();
    if (!named.schema.empty() || named.name != name) return "";
    return table.alias.empty() ? name : table.alias;
  }
  if (table.kind != ast::TableRefKind::kJoin || !table.alias.empty()) return "";
  const auto& join = table.As<ast::Join>();
  std::string alias = AliasOf(*join.left, name);
  return alias.empty() ? AliasOf(*join.right, name) : alias;
}

/// Adds the columns to one recursive query.
class RecursionColumns {
 public:
  RecursionColumns(const StatementText& text, TreeNode body, ast::CommonTableExpression& cte)
      : text_(text), cte_(cte), search_(body["search_clause"]), cycle_(body["cycle_clause"]) {
    search_columns_ = search_.Strings("search_col_list");
    cycle_columns_ = cycle_.Strings("cycle_col_list");
    search_position_ = text.Position(search_.Integer("location"));
    cycle_position_ = text.Position(cycle_.Integer("location"));
  }

  void Apply() {
    const size_t position = search_ ? search_position_ : cycle_position_;
    const ast::SelectStatement* query = cte_.query.get();
    if (query == nullptr || query->set_operation != ast::SetOperation::kUnion ||
        query->operands.size() != 2 || !query->with.empty() || !query->order_by.empty() || query->limit ||
        query->offset) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
                 "SEARCH and CYCLE need a recursive query of the form: query UNION [ALL] query", position);
    }
    SetNames(*query->operands[0], position);
    std::unique_ptr<ast::SelectStatement>& first = cte_.query->operands[0];
    std::unique_ptr<ast::SelectStatement>& next = cte_.query->operands[1];
    AddCarried(*next, position);
    first = Wrap(std::move(first), false, position);
    next = Wrap(std::move(next), true, position);
    cte_.column_aliases = names_;
    for (const std::string& column : added_) cte_.column_aliases.push_back(column);
  }

 private:
  [[noreturn]] static void ThrowNoNames(size_t position) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               "SEARCH and CYCLE need the names of the query's columns: WITH RECURSIVE name(a, b, ...)",
               position);
  }

  /// Finds the names of the query's own columns, and those that are added.
  void SetNames(const ast::SelectStatement& first, size_t position) {
    names_ = cte_.column_aliases;
    if (!first.values.empty() && names_.size() < first.values[0].size()) ThrowNoNames(position);
    for (size_t i = names_.size(); i < first.items.size(); i++) {
      const ast::SelectItem& item = first.items[i];
      const bool is_column = item.expression->kind == ast::ExpressionKind::kColumn;
      if (item.alias.empty() && !is_column) ThrowNoNames(position);
      names_.push_back(item.alias.empty() ? item.expression->As<ast::Column>().names.back() : item.alias);
    }
    for (const auto* list : {&search_columns_, &cycle_columns_}) {
      for (const std::string& column : *list) {
        if (std::find(names_.begin(), names_.end(), column) != names_.end()) continue;
        ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                   (list == &search_columns_ ? "search column \"" : "cycle column \"") + column +
                       "\" not in WITH query column list",
                   list == &search_columns_ ? search_position_ : cycle_position_);
      }
    }
    if (search_) added_.emplace_back(search_.Text("search_seq_column"));
    if (cycle_) {
      added_.emplace_back(cycle_.Text("cycle_mark_column"));
      added_.emplace_back(cycle_.Text("cycle_path_column"));
    }
    for (size_t i = 0; i < added_.size(); i++) {
      const bool is_twice = std::find(names_.begin(), names_.end(), added_[i]) != names_.end() ||
                            std::find(added_.begin(), added_.begin() + static_cast<ptrdiff_t>(i),
                                      added_[i]) != added_.begin() + static_cast<ptrdiff_t>(i);
      if (!is_twice) continue;
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 "column name \"" + added_[i] + "\" of SEARCH or CYCLE is used already", position);
    }
  }

  /// Adds the columns of the previous round to the recursive term.
  void AddCarried(ast::SelectStatement& next, size_t position) {
    std::string alias;
    for (const ast::TableRefPtr& table : next.from) {
      if (alias.empty()) alias = AliasOf(*table, cte_.name);
    }
    if (alias.empty() || next.set_operation != ast::SetOperation::kNone || next.distinct ||
        !next.group_by.empty()) {
      ThrowError(
          ErrorKind::kSyntax, sqlstate::kSyntaxError,
          "with SEARCH or CYCLE the recursive term must be a plain SELECT that reads the query in its FROM",
          position);
    }
    for (const std::string& column : added_)
      next.items.push_back(NamedItem(ColumnOf(alias, column, position), column));
  }

  /// SELECT columns, new columns FROM (query) AS term(names)
  std::unique_ptr<ast::SelectStatement> Wrap(std::unique_ptr<ast::SelectStatement> query, bool is_next,
                                             size_t position) {
    auto outer = std::make_unique<ast::SelectStatement>();
    outer->position = query->position;
    for (const std::string& name : names_)
      outer->items.push_back(NamedItem(ColumnOf(kTerm, name, position), name));
    if (search_) outer->items.push_back(NamedItem(Sequence(is_next), added_[0]));
    if (cycle_) {
      const std::string& mark = added_[added_.size() - 2];
      outer->items.push_back(NamedItem(Mark(is_next), mark));
      outer->items.push_back(
          NamedItem(Path(added_.back(), cycle_columns_, cycle_position_, is_next), added_.back()));
      // Rows that close a cycle are not followed.
      if (is_next) {
        auto open = std::make_unique<ast::Operator>();
        open->symbol = "<>";
        open->position = cycle_position_;
        open->left = ColumnOf(kTerm, mark, cycle_position_);
        open->right = TransformExpression(text_, cycle_["cycle_mark_value"]);
        outer->where = std::move(open);
      }
    }
    auto derived = std::make_unique<ast::SubqueryTable>();
    derived->position = query->position;
    derived->query = std::move(query);
    derived->alias = kTerm;
    derived->column_aliases = names_;
    if (is_next) derived->column_aliases.insert(derived->column_aliases.end(), added_.begin(), added_.end());
    outer->from.push_back(std::move(derived));
    return outer;
  }

  /// The path so far with the row at its end.
  static ExpressionPtr Path(const std::string& column, const std::vector<std::string>& of, size_t position,
                            bool is_next) {
    if (!is_next) return ArrayOf(RowOf(of, position));
    return Call("array_append", ColumnOf(kTerm, column, position), RowOf(of, position), position);
  }

  ExpressionPtr Sequence(bool is_next) const {
    if (!search_.Flag("search_breadth_first"))
      return Path(added_[0], search_columns_, search_position_, is_next);
    if (!is_next) return RowOf(search_columns_, search_position_, Integer(0));
    auto depth = std::make_unique<ast::Field>();
    depth->child = ColumnOf(kTerm, added_[0], search_position_);
    depth->name = "f1";
    depth->position = search_position_;
    auto deeper = std::make_unique<ast::Operator>();
    deeper->symbol = "+";
    deeper->position = search_position_;
    deeper->left = std::move(depth);
    deeper->right = Integer(1);
    return RowOf(search_columns_, search_position_, std::move(deeper));
  }

  ExpressionPtr Mark(bool is_next) const {
    ExpressionPtr other = TransformExpression(text_, cycle_["cycle_mark_default"]);
    if (!is_next) return other;
    auto is_known = std::make_unique<ast::ArrayComparison>();
    is_known->child = RowOf(cycle_columns_, cycle_position_);
    is_known->array = ColumnOf(kTerm, added_.back(), cycle_position_);
    is_known->symbol = "=";
    is_known->position = cycle_position_;
    auto mark = std::make_unique<ast::Case>();
    mark->position = cycle_position_;
    mark->branches.push_back({std::move(is_known), TransformExpression(text_, cycle_["cycle_mark_value"])});
    mark->otherwise = std::move(other);
    return mark;
  }

  const StatementText& text_;
  ast::CommonTableExpression& cte_;
  const TreeNode search_;
  const TreeNode cycle_;
  std::vector<std::string> search_columns_;
  std::vector<std::string> cycle_columns_;
  size_t search_position_ = 0;
  size_t cycle_position_ = 0;
  std::vector<std::string> names_;  // Of the query's own columns.
  std::vector<std::string> added_;  // Of the columns that are added behind them.
};

}  // namespace

void TransformSearchAndCycle(const StatementText& text, TreeNode body, ast::CommonTableExpression& cte) {
  if (body["search_clause"] || body["cycle_clause"]) RecursionColumns(text, body, cte).Apply();
}

}  // namespace scaup
