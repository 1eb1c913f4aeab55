// Binds FROM: tables, files, functions, derived tables, WITH queries and joins.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "binder/bound/bound_modification.hpp"
#include "binder/bound/subquery_expression.hpp"
#include "binder/query/foreign_table.hpp"
#include "binder/query/table_arguments.hpp"
#include "binder/query/table_sample.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_source.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/nested_expressions.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/similar_name.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "format/arrow/arrow_scan.hpp"
#include "format/csv/read_csv.hpp"
#include "format/json/json_options.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "system/system_relations.hpp"
#include "system/table_function_registry.hpp"
#include "type/scan_filter.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

class FromBinder {
 public:
  /// `before` is the scope of the preceding FROM items, visible to LATERAL; null if there are none.
  FromBinder(BindSession& session, QueryLevel& level, const Scope* before)
      : session_(session), level_(level) {
    if (before != nullptr) before_.push_back(before);
  }

  BoundFrom Bind(const ast::TableRef& table) {
    CheckStack();
    switch (table.kind) {
      case ast::TableRefKind::kTable: return BindNamed(table.As<ast::NamedTable>());
      case ast::TableRefKind::kJoin: return BindJoin(table.As<ast::Join>());
      case ast::TableRefKind::kSubquery: return BindDerived(table.As<ast::SubqueryTable>());
      case ast::TableRefKind::kFunction: return BindFunction(table.As<ast::FunctionTable>());
    }
    ThrowInternal("unknown table reference");
  }

 private:
  BoundFrom BindNamed(const ast::NamedTable& table) {
    if (table.sample) CheckSampled(table);
    if (table.schema.empty()) {
      if (const auto with = FindWith(level_, table.name)) return BindWith(*with, table);
    }
    const BinderContext& context = session_.context();
    const CatalogEntryRef relation =
        context.catalog.FindRelation(context.transaction, table.schema, table.name);
    if (relation && relation->kind == CatalogEntryKind::kView)
      return BindView(std::static_pointer_cast<const ViewEntry>(relation), table);
    TableEntryRef entry;
    if (relation && relation->kind == CatalogEntryKind::kTable)
      entry = std::static_pointer_cast<const TableEntry>(relation);
    if (!entry && table.schema.empty() && LooksLikeFile(table.name)) return BindFile(table);
    if (!entry) {
      if (const TableFunction* relation = FindSystemRelation(table)) {
        const size_t dot = relation->name.find('.');
        return BindCall(*relation, {}, table, table.name, table.position, relation->name.substr(0, dot));
      }
      if (auto foreign = BindForeignTable(session_, table))
        return BindBoundCall(ArrowScanFunction(), {}, std::move(foreign), table, table.name, "");
      entry = FindTableOrThrow(session_, table);
    }
    if (table.sample) return BindSample(table, std::move(entry));
    return BindBase(table, std::move(entry));
  }

  void NoteRead(const ast::NamedTable& table, CatalogEntryRef entry, size_t table_index) {
    session_.reads->push_back(
        {std::move(entry), table_index, table.position, !table.alias.empty(), table.sample != nullptr});
  }

  BoundFrom BindBase(const ast::NamedTable& table, TableEntryRef entry) {
    const size_t table_index = session_.NewTableIndex();
    if (entry->is_collection()) return BindCollection(table, *entry, table_index);
    std::vector<std::string> names;
    std::vector<LogicalType> types;
    for (const auto& column : entry->columns) {
      names.push_back(column.name);
      types.push_back(column.type);
    }
    if (session_.reads != nullptr) NoteRead(table, entry, table_index);
    const std::vector<size_t> columns = VisibleColumns(entry->schema, entry->name, names);
    Scope scope = MakeScope(table, table.name, table_index, names, types, entry->schema, columns);
    return {std::make_unique<BoundBaseTable>(table_index, std::move(entry)), std::move(scope)};
  }

  BoundFrom BindCollection(const ast::NamedTable& table, const TableEntry& collection, size_t table_index) {
    auto use = std::make_shared<CollectionUse>(session_, collection, table_index);
    session_.AddCollection(use);
    if (const ViewSource* source = session_.view == nullptr
                                       ? nullptr
                                       : session_.view->FindSource(collection.schema, collection.name);
        source != nullptr && HasPaths(*source))
      use->Keep(PathsOf(*source));
    if (session_.reads != nullptr) NoteRead(table, use->entry(), table_index);
    auto reference = std::make_unique<BoundBaseTable>(table_index, use->entry());
    reference->has_row_number = true;  // for document_id; dropped if it is not read
    if (!table.column_aliases.empty()) {
      Scope scope = NamedScope(table, collection.name, collection.schema, use->AllColumns());
      return {std::move(reference), std::move(scope)};
    }
    ScopeTable entry;
    entry.alias = table.alias.empty() ? table.name : table.alias;
    entry.schema = table.alias.empty() ? collection.schema : "";
    entry.documents = std::move(use);
    return {std::move(reference), Scope::OfTable(std::move(entry))};
  }

  void CheckSampled(const ast::NamedTable& table) {
    const BinderContext& context = session_.context();
    const bool is_table = !(table.schema.empty() && FindWith(level_, table.name)) &&
                          !FindSystemRelation(table) &&
                          !context.catalog.Find<ViewEntry>(context.transaction, table.schema, table.name) &&
                          (context.catalog.Find<TableEntry>(context.transaction, table.schema, table.name) ||
                           !LooksLikeFile(table.name));
    if (!is_table) ThrowNotSupported("TABLESAMPLE clause can only be applied to tables", table.position);
  }

  /// TABLESAMPLE: SELECT * FROM table WHERE the row is in the sample.
  BoundFrom BindSample(const ast::NamedTable& table, TableEntryRef entry) {
    BoundFrom base = BindBase(table, entry);
    auto& reference = base.table->As<BoundBaseTable>();
    reference.has_row_number = true;
    auto select = std::make_unique<BoundSelect>();
    select->where =
        BindSampleTest(session_, level_, *table.sample, {reference.table_index, kRowNumberColumn});
    select->table_index = select->item_index = session_.NewTableIndex();
    for (ScopeTable& scope_table : base.scope.tables()) {
      for (ScopeColumn& column : scope_table.AllColumns()) {
        select->names.push_back(column.name);
        select->types.push_back(column.value->type());
        select->items.push_back(column.value->Clone());
        select->items.back()->alias = column.name;
      }
    }
    NoteDocumentColumns(session_, *select, select->table_index);
    select->from = std::move(base.table);
    const std::string schema = entry->schema;
    Scope scope = MakeScope(table, entry->name, select->table_index, select->names, select->types, schema);
    return {std::make_unique<BoundQueryTable>(std::move(select)), std::move(scope)};
  }

  /// Returns a relation of information_schema or pg_catalog; the latter is also found without its schema.
  /// Returns null if there is none.
  const TableFunction* FindSystemRelation(const ast::NamedTable& table) const {
    const std::string schema = table.schema.empty() ? kPgCatalog : table.schema;
    if (!IsSystemSchema(schema)) return nullptr;
    return TableFunctionRegistry::Builtin().Find(schema + "." + table.name);
  }

  /// Returns the columns of a table or view that the query may see. The query of a view does not see columns
  /// that are newer than the view.
  std::vector<size_t> VisibleColumns(const std::string& schema, const std::string& name,
                                     const std::vector<std::string>& columns) {
    const ViewSource* source = session_.view == nullptr ? nullptr : session_.view->FindSource(schema, name);
    std::vector<size_t> visible;
    for (size_t i = 0; i < columns.size(); i++) {
      if (source == nullptr ||
          std::find(source->columns.begin(), source->columns.end(), columns[i]) != source->columns.end())
        visible.push_back(i);
    }
    return visible;
  }

  BoundFrom BindView(const ViewEntryRef& view, const ast::NamedTable& table) {
    BoundQueryPtr query = BindViewQuery(session_, view, table.position);
    NoteDocumentColumns(session_, *query, query->table_index);
    if (session_.reads != nullptr) NoteRead(table, view, query->table_index);
    std::vector<std::string> names;
    const std::vector<LogicalType> types = query->types;
    for (const ViewEntry::Column& column : view->columns) names.push_back(column.name);
    const std::vector<size_t> columns = VisibleColumns(view->schema, view->name, names);
    Scope scope = MakeScope(table, view->name, query->table_index, names, types, view->schema, columns);
    return {std::make_unique<BoundQueryTable>(std::move(query)), std::move(scope)};
  }

  /// Returns true for the name of a file, as in FROM 'data.csv'.
  static bool LooksLikeFile(const std::string& name) {
    return LooksLikeCsvPath(name) || LooksLikeJsonPath(name);
  }

  BoundFrom BindFile(const ast::NamedTable& table) {
    TableFunctionArguments arguments;
    arguments.positional.push_back(Value::Varchar(table.name));
    size_t begin = table.name.find_last_of('/');
    begin = begin == std::string::npos ? 0 : begin + 1;
    const char* function = LooksLikeJsonPath(table.name) ? "read_json_documents" : "read_csv";
    const std::string stem = table.name.substr(begin, table.name.find('.', begin) - begin);
    return BindCall(*TableFunctionRegistry::Builtin().Find(function), arguments, table, stem, table.position);
  }

  BoundFrom BindWith(const FoundWith& with, const ast::NamedTable& table) {
    std::vector<std::string> names;
    std::vector<LogicalType> types;
    size_t table_index = 0;
    BoundTableRefPtr bound = BindWithTable(session_, with, level_, table, names, types, table_index);
    if (bound->kind == BoundTableRefKind::kQuery) {
      NoteDocumentColumns(session_, *bound->As<BoundQueryTable>().query, table_index);
    } else if (const BoundQueryPtr& query = bound->As<BoundCteTable>().cte->query) {
      NoteDocumentColumns(session_, *query, table_index);
    }
    Scope scope = MakeScope(table, table.name, table_index, names, types, "");
    return {std::move(bound), std::move(scope)};
  }

  BoundFrom BindDerived(const ast::SubqueryTable& table) {
    if (!table.lateral) return FromQuery(BindQuery(session_, *table.query, &level_), table, "");
    return BindLateral<BoundFrom>(
        table.position, [&] { return FromQuery(BindQuery(session_, *table.query, &level_), table, ""); });
  }

  BoundFrom FromQuery(BoundQueryPtr query, const ast::TableRef& table, const std::string& name) {
    NoteDocumentColumns(session_, *query, query->table_index);
    Scope scope = MakeScope(table, name, query->table_index, query->names, query->types, "");
    return {std::make_unique<BoundQueryTable>(std::move(query)), std::move(scope)};
  }

  /// Binds an item that may use the columns of preceding FROM items.
  template <typename Result>
  Result BindLateral(size_t position, const std::function<Result()>& bind) {
    Scope visible;
    for (const Scope* scope : before_) visible = Scope::Combine(std::move(visible), scope->Clone(), position);
    const Scope* scope = level_.scope;
    level_.scope = &visible;
    Result bound = bind();
    level_.scope = scope;
    return bound;
  }

  /// Binds set-returning functions, read in parallel, whose arguments may use preceding FROM items. A set of
  /// structs has the fields as columns, except for unnest().
  BoundFrom BindSets(const ast::FunctionTable& table) {
    const size_t table_index = session_.NewTableIndex();
    std::vector<ExpressionPtr> lists;
    std::vector<ScopeColumn> columns;
    AddSets(table, *table.call, table_index, lists, columns);
    for (const auto& call : table.further_calls) AddSets(table, *call, table_index, lists, columns);
    if (table.with_ordinality) {
      columns.push_back(
          {"ordinality", std::make_unique<ColumnRefExpression>(
                             TypeId::kBigInt, ColumnBinding{table_index, lists.size()}, "ordinality")});
    }
    Scope scope = NamedScope(table, table.call->name.back(), "", std::move(columns));
    scope.tables()[0].is_value = scope.visible().size() == 1;
    return {std::make_unique<BoundUnnest>(table_index, std::move(lists), table.with_ordinality),
            std::move(scope)};
  }

  void AddSets(const ast::FunctionTable& table, const ast::FunctionCall& call, size_t table_index,
               std::vector<ExpressionPtr>& lists, std::vector<ScopeColumn>& columns) {
    const std::string& name = call.name.back();
    const ScalarFunction* function = FindSetFunction(session_, name);
    std::vector<ExpressionPtr> added = BindLateral<std::vector<ExpressionPtr>>(call.position, [&] {
      ExpressionBinder binder(session_, level_, Clause::kTableFunction);
      if (function != nullptr) return binder.BindSetCall(call);
      // A scalar function becomes a set with one element.
      std::vector<ExpressionPtr> value, list;
      value.push_back(binder.BindSettled(call));
      list.push_back(MakeScalarCall(session_, "list_value", std::move(value), call.position));
      return list;
    });
    const bool has_set_column = function != nullptr && !function->set_column.empty();
    const bool takes_alias = added.size() == 1 && table.further_calls.empty() && !table.alias.empty();
    const std::string& column = has_set_column ? function->set_column : takes_alias ? table.alias : name;
    for (ExpressionPtr& list : added) {
      const LogicalType type = list->type().element();
      auto value =
          std::make_unique<ColumnRefExpression>(type, ColumnBinding{table_index, lists.size()}, column);
      NoteDocumentColumn(session_, value->binding, *list);
      lists.push_back(std::move(list));
      if (type.id() != TypeId::kStruct || name == kUnnestFunction) {
        columns.push_back({column, std::move(value)});
        continue;
      }
      for (const StructField& field : type.fields()) {
        columns.push_back(
            {field.name, MakeFieldAccess(session_, value->Clone(), field.name, table.position)});
      }
    }
  }

  /// Returns whether the arguments depend on rows. If so, the function is called for each row, otherwise
  /// once.
  bool ReadsRows(const ast::FunctionCall& call) {
    return BindLateral<bool>(call.position, [&] {
      ExpressionBinder binder(session_, level_, Clause::kTableFunction);
      return std::any_of(call.arguments.begin(), call.arguments.end(), [&](const auto& argument) {
        const ExpressionPtr bound = binder.Bind(*argument);
        bool reads = HasSubquery(*bound);
        ForEachColumnRef(*bound, [&](const ColumnRefExpression&) { reads = true; });
        return reads;
      });
    });
  }

  BoundFrom BindFunction(const ast::FunctionTable& table) {
    CheckStack(kRowStackReserve);  // binding may read the beginning of a file
    const ast::FunctionCall& call = *table.call;
    const std::string& name = call.name.back();
    const TableFunction* function = TableFunctionRegistry::Builtin().Find(name);
    if (!table.further_calls.empty()) return BindSets(table);
    if (FindSetFunction(session_, name) != nullptr) {
      if (function == nullptr || table.with_ordinality || ReadsRows(call)) return BindSets(table);
    }
    const bool is_value =
        function == nullptr && !call.over && !session_.context().registry.ScalarOverloads(name).empty();
    if (is_value) return BindSets(table);
    if (call.over) {
      ThrowError(ErrorKind::kBinder, sqlstate::kWindowingError,
                 "window functions are not allowed in functions in FROM", call.position);
    }
    if (table.with_ordinality) ThrowNotSupported("WITH ORDINALITY is not supported", table.position);
    if (function == nullptr) {
      std::vector<std::string> candidates;
      for (const TableFunction& candidate : TableFunctionRegistry::Builtin().All()) {
        if (!IsSystemRelation(candidate)) candidates.push_back(candidate.name);
      }
      const std::string similar = MostSimilar(name, candidates);
      ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
                 fmt::format("table function \"{}\" does not exist{}", name,
                             similar.empty() ? "" : fmt::format("; did you mean \"{}\"?", similar)),
                 call.position);
    }
    TableFunctionArguments arguments =
        BindLateral<TableFunctionArguments>(call.position, [&] { return BindArguments(*function, call); });
    return BindCall(*function, std::move(arguments), table, name, call.position);
  }

  TableFunctionArguments BindArguments(const TableFunction& function, const ast::FunctionCall& call) {
    TableFunctionArguments result;
    ExpressionBinder binder(session_, level_, Clause::kTableFunction);
    for (size_t i = 0; i < call.arguments.size(); i++) {
      ExpressionPtr value = binder.BindSettled(*call.arguments[i]);
      if (HasSubquery(*value)) {
        ThrowNotSupported(fmt::format("subqueries are not supported as arguments of {}", function.name),
                          call.arguments[i]->position);
      }
      const std::string name = i < call.argument_names.size() ? call.argument_names[i] : "";
      LogicalType type = TypeId::kNull;
      if (!name.empty()) {
        const auto found = function.named_arguments.find(name);
        if (found == function.named_arguments.end())
          ThrowUnknownArgument(function, name, call.arguments[i]->position);
        type = found->second;
      } else if (result.positional.size() < function.argument_types.size()) {
        type = function.argument_types[result.positional.size()];
      } else {
        ThrowArgumentCount(function, call.position);
      }
      if (type.id() != TypeId::kNull) value = Coerce(session_, std::move(value), type);
      Value constant = EvaluateForBinding(session_, *value, fmt::format("an argument of {}", function.name));
      if (name.empty()) {
        result.positional.push_back(std::move(constant));
      } else {
        result.named[name] = std::move(constant);
      }
    }
    if (result.positional.size() + function.optional_arguments < function.argument_types.size()) {
      ThrowArgumentCount(function, call.position);
    }
    return result;
  }

  BoundFrom BindCall(const TableFunction& function, const TableFunctionArguments& arguments,
                     const ast::TableRef& table, const std::string& default_alias, size_t position,
                     const std::string& schema = "") {
    std::shared_ptr<const BoundTableFunction> bound;
    try {
      bound = function.bind(session_.context().functions, arguments);
    } catch (Error& error) {
      error.SetPositionIfUnknown(position);
      throw;
    }
    return BindBoundCall(function, arguments, std::move(bound), table, default_alias, schema);
  }

  BoundFrom BindBoundCall(const TableFunction& function, const TableFunctionArguments& arguments,
                          std::shared_ptr<const BoundTableFunction> bound, const ast::TableRef& table,
                          const std::string& default_alias, const std::string& schema) {
    const size_t table_index = session_.NewTableIndex();
    std::vector<std::string> names = bound->column_names;
    // FROM generate_series(1, 3) AS i: the alias is also the name of the only column.
    if (names.size() == 1 && names[0] == function.name && !table.alias.empty()) names[0] = table.alias;
    Scope scope = MakeScope(table, default_alias, table_index, names, bound->column_types, schema);
    return {std::make_unique<BoundTableFunctionCall>(table_index, function, arguments, std::move(bound)),
            std::move(scope)};
  }

  Scope MakeScope(const ast::TableRef& table, const std::string& default_alias, size_t table_index,
                  const std::vector<std::string>& names, const std::vector<LogicalType>& types,
                  const std::string& schema) {
    std::vector<size_t> all(names.size());
    std::iota(all.begin(), all.end(), size_t{0});
    return MakeScope(table, default_alias, table_index, names, types, schema, all);
  }

  /// Makes a scope of the given columns only.
  Scope MakeScope(const ast::TableRef& table, const std::string& default_alias, size_t table_index,
                  const std::vector<std::string>& all_names, const std::vector<LogicalType>& types,
                  const std::string& schema, const std::vector<size_t>& columns) {
    std::vector<ScopeColumn> named;
    for (const size_t column : columns) {
      named.push_back(
          {all_names[column], std::make_unique<ColumnRefExpression>(
                                  types[column], ColumnBinding{table_index, column}, all_names[column])});
    }
    return NamedScope(table, default_alias, schema, std::move(named));
  }

  /// Makes a scope of columns with the alias and column aliases that the query gives, if any.
  Scope NamedScope(const ast::TableRef& table, const std::string& default_alias, const std::string& schema,
                   std::vector<ScopeColumn> columns) {
    ScopeTable entry;
    entry.alias = table.alias.empty() ? default_alias : table.alias;
    entry.schema = table.alias.empty() ? schema : "";
    std::vector<std::string> names;
    for (const ScopeColumn& column : columns) names.push_back(column.name);
    RenameColumns(names, table.column_aliases, entry.alias, table.position);
    for (size_t i = 0; i < names.size(); i++) {
      if (columns[i].value->kind() == ExpressionKind::kColumnRef)
        columns[i].value->As<ColumnRefExpression>().name = names[i];
      columns[i].name = names[i];
    }
    entry.columns = std::move(columns);
    return Scope::OfTable(std::move(entry));
  }

  // --- Joins ---

  BoundFrom BindJoin(const ast::Join& join) {
    CheckStack();
    const auto bind_side = [&](const ast::TableRef& side, bool may_be_null) {
      session_.surroundings.outer_joins += may_be_null;
      BoundFrom bound = Bind(side);
      session_.surroundings.outer_joins -= may_be_null;
      return bound;
    };
    const bool is_full = join.join == ast::JoinType::kFull;
    BoundFrom left = bind_side(*join.left, is_full || join.join == ast::JoinType::kRight);
    // A LATERAL item on the right may use the left side, unless the join preserves rows of the right side.
    const bool sees_left = !is_full && join.join != ast::JoinType::kRight;
    if (sees_left) before_.push_back(&left.scope);
    BoundFrom right = bind_side(*join.right, is_full || join.join == ast::JoinType::kLeft);
    if (sees_left) before_.pop_back();
    BoundJoinType type = BoundJoinType::kInner;
    switch (join.join) {
      case ast::JoinType::kInner:
      case ast::JoinType::kCross: break;
      case ast::JoinType::kLeft: type = BoundJoinType::kLeft; break;
      case ast::JoinType::kRight: type = BoundJoinType::kRight; break;
      case ast::JoinType::kFull: type = BoundJoinType::kFull; break;
    }
    auto bound = std::make_unique<BoundJoin>(type, std::move(left.table), std::move(right.table));
    Scope scope;
    if (join.natural || !join.using_columns.empty()) {
      scope = MergeColumns(join, *bound, std::move(left.scope), std::move(right.scope));
    } else {
      scope = Scope::Combine(std::move(left.scope), std::move(right.scope), join.position);
    }
    if (join.condition) {
      const Scope* before = level_.scope;
      level_.scope = &scope;
      ExpressionBinder binder(session_, level_, Clause::kJoinCondition);
      ExpressionPtr condition = binder.BindBoolean(*join.condition, "JOIN/ON");
      SplitAnd(std::move(condition), bound->conditions);
      level_.scope = before;
    }
    if (!join.alias.empty()) scope = Renamed(join, std::move(scope));
    return {std::move(bound), std::move(scope)};
  }

  /// (a JOIN b ...) AS j: only j is visible outside of the join.
  Scope Renamed(const ast::Join& join, Scope scope) {
    ScopeTable table;
    table.alias = join.alias;
    std::vector<std::string> names;
    std::vector<ScopeColumn> columns = scope.AllVisible();
    for (const auto& column : columns) names.push_back(column.name);
    RenameColumns(names, join.column_aliases, join.alias, join.position);
    for (size_t i = 0; i < names.size(); i++) {
      table.columns.push_back({names[i], std::move(columns[i].value)});
    }
    return Scope::OfTable(std::move(table));
  }

  std::vector<std::string> CommonNames(const ast::Join& join, const Scope& left, const Scope& right) {
    if (!join.natural) return join.using_columns;
    std::vector<std::string> names;
    for (const auto& column : left.AllVisible()) {
      if (right.FindVisible(column.name, join.position) != nullptr && right.IsOldName(column.name))
        names.push_back(column.name);
    }
    return names;
  }

  /// Joins by USING or NATURAL: equal columns are merged, and come first in the scope.
  Scope MergeColumns(const ast::Join& join, BoundJoin& bound, Scope left, Scope right) {
    const std::vector<std::string> names = CommonNames(join, left, right);
    std::vector<ScopeColumn> merged;
    for (const std::string& name : names) {
      const ScopeColumn* left_column = left.FindVisible(name, join.position);
      const ScopeColumn* right_column = right.FindVisible(name, join.position);
      if (left_column == nullptr || right_column == nullptr) {
        ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedColumn,
                   fmt::format("column \"{}\" specified in USING clause does not exist in {} table", name,
                               left_column == nullptr ? "left" : "right"),
                   join.position);
      }
      merged.push_back({name, MergedValue(bound.type, *left_column->value, *right_column->value)});
      bound.conditions.push_back(MakeComparison(session_, ComparisonOp::kEqual, left_column->value->Clone(),
                                                right_column->value->Clone(), join.position));
    }
    left.Hide(names);
    right.Hide(names);
    Scope scope = Scope::Combine(std::move(left), std::move(right), join.position);
    if (!join.using_alias.empty()) {
      ScopeTable table;
      table.alias = join.using_alias;
      for (const ScopeColumn& column : merged) table.columns.push_back({column.name, column.value->Clone()});
      Scope named = Scope::OfTable(std::move(table));
      named.visible().clear();  // already visible as columns of the join
      scope = Scope::Combine(std::move(scope), std::move(named), join.position);
    }
    scope.visible().insert(scope.visible().begin(), std::make_move_iterator(merged.begin()),
                           std::make_move_iterator(merged.end()));
    return scope;
  }

  ExpressionPtr MergedValue(BoundJoinType type, const Expression& left, const Expression& right) {
    if (type == BoundJoinType::kRight) return right.Clone();
    if (type != BoundJoinType::kFull) return left.Clone();
    std::vector<ExpressionPtr> either;
    either.push_back(left.Clone());
    either.push_back(right.Clone());
    return MakeScalarCall(session_, "coalesce", std::move(either), std::nullopt);
  }

  BindSession& session_;
  QueryLevel& level_;
  std::vector<const Scope*> before_;
};

}  // namespace

void RenameColumns(std::vector<std::string>& names, const std::vector<std::string>& aliases,
                   const std::string& table, size_t position) {
  if (aliases.size() > names.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidColumnReference,
               fmt::format("table \"{}\" has {} columns available but {} columns specified", table,
                           names.size(), aliases.size()),
               position);
  }
  std::copy(aliases.begin(), aliases.end(), names.begin());
}

BoundFrom BindTableRef(BindSession& session, const ast::TableRef& table, QueryLevel& level) {
  CheckStack();
  return FromBinder(session, level, nullptr).Bind(table);
}

BoundFrom BindFrom(BindSession& session, const std::vector<ast::TableRefPtr>& from, QueryLevel& level) {
  BoundFrom all;
  for (const auto& table : from) {
    BoundFrom next = FromBinder(session, level, all.table ? &all.scope : nullptr).Bind(*table);
    if (!all.table) {
      all = std::move(next);
      continue;
    }
    all.table =
        std::make_unique<BoundJoin>(BoundJoinType::kInner, std::move(all.table), std::move(next.table));
    all.scope = Scope::Combine(std::move(all.scope), std::move(next.scope), table->position);
  }
  return all;
}

}  // namespace scaup
