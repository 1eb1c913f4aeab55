// INSERT and UPDATE of collections.
#include "binder/collection_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "binder/bind_statement.hpp"
#include "binder/change_source.hpp"
#include "binder/coercion.hpp"
#include "binder/document_source.hpp"
#include "binder/expression_binder.hpp"
#include "binder/subquery_expression.hpp"
#include "binder/written_row.hpp"
#include "common/throw.hpp"
#include "document/document_path.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "type/json_text.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

using DictionaryRef = std::shared_ptr<AttributeDictionary>;

ExpressionPtr MakeCall(ResolvedScalar resolved, std::vector<ExpressionPtr> arguments) {
  return std::make_unique<FunctionExpression>(std::move(resolved.function), std::move(resolved.data),
                                              std::move(arguments));
}

ExpressionPtr MakeRecord(DictionaryRef dictionary, ExpressionPtr document) {
  std::vector<ExpressionPtr> arguments;
  const std::optional<size_t> position = document->position;
  arguments.push_back(std::move(document));
  ExpressionPtr record = MakeCall(DocumentRecordFunction(std::move(dictionary)), std::move(arguments));
  record->position = position;
  return record;
}

/// The record with values, as JSON, put at paths.
ExpressionPtr MakeChange(DictionaryRef dictionary, ExpressionPtr record, std::vector<PathId> paths,
                         std::vector<ExpressionPtr> values) {
  values.insert(values.begin(), std::move(record));
  return MakeCall(DocumentChangeFunction(std::move(dictionary), std::move(paths)), std::move(values));
}

/// A value as it stands in a document: quoted literals are strings, JSON is what it says, NULL is nothing.
ExpressionPtr ToJson(BindSession& session, ExpressionPtr value) {
  const std::optional<size_t> position = value->position;
  const bool is_null = IsUntyped(*value) && value->kind() == ExpressionKind::kConstant &&
                       value->As<ConstantExpression>().value.is_null();
  if (is_null) return Coerce(session, std::move(value), TypeId::kJson);
  value = Settle(session, std::move(value));
  if (IsJson(value->type())) return Coerce(session, std::move(value), TypeId::kJson);
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(value));
  return MakeScalarCall(session, "to_json", std::move(arguments), position);
}

/// A whole document: JSON, text that is cast to it, or a row.
ExpressionPtr ToDocument(BindSession& session, ExpressionPtr value) {
  const LogicalType& type = value->type();
  if (IsUntyped(*value) || IsJson(type) || type.id() == TypeId::kVarchar)
    return Coerce(session, std::move(value), TypeId::kJson);
  if (type.id() == TypeId::kStruct) return ToJson(session, std::move(value));
  ThrowError(
      ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
      fmt::format("a document is JSON, but the expression is of type {}; name the paths that columns go "
                  "to, as in INSERT INTO collection (a, b)",
                  PostgresTypeName(type)),
      value->position);
}

PathId AddPath(AttributeDictionary& dictionary, const std::string& name, size_t position) {
  const auto keys = SplitPath(name);
  if (!keys || keys->empty()) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kInvalidName,
        fmt::format("\"{}\" is no key path: keys are joined by dots, and \\. stands for a dot within one",
                    name),
        position);
  }
  PathId path = kRootPath;
  for (const std::string& key : *keys) path = dictionary.AddPath(path, key);
  return path;
}

/// The paths of a list of names, none of them twice or within another.
std::vector<PathId> AddPaths(AttributeDictionary& dictionary, const std::vector<std::string>& names,
                             const std::vector<size_t>& positions, size_t statement_position) {
  std::vector<PathId> paths;
  for (size_t i = 0; i < names.size(); i++) {
    const size_t position = i < positions.size() ? positions[i] : statement_position;
    const PathId path = AddPath(dictionary, names[i], position);
    for (size_t j = 0; j < i; j++) {
      const auto is_within = [&](PathId inner, PathId outer) {
        while (inner != kRootPath && inner != outer) inner = dictionary.ParentOf(inner);
        return inner == outer;
      };
      if (!is_within(path, paths[j]) && !is_within(paths[j], path)) continue;
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateColumn,
                 path == paths[j]
                     ? fmt::format("column \"{}\" specified more than once", names[i])
                     : fmt::format("columns \"{}\" and \"{}\" lie within each other", names[j], names[i]),
                 position);
    }
    paths.push_back(path);
  }
  return paths;
}

}  // namespace

BoundQueryPtr BindDocuments(BindSession& session, const ast::InsertStatement& statement) {
  const ast::SelectStatement& query = *statement.query;
  const bool has_list = !statement.columns.empty();
  const auto convert = [&](ExpressionPtr value) {
    return has_list ? ToJson(session, std::move(value)) : ToDocument(session, std::move(value));
  };
  BoundQueryPtr bound;
  if (IsPlainValues(query)) {
    std::vector<std::string> names = statement.columns;
    if (!has_list) names.assign(query.values[0].size(), "document");
    const auto make_default = [](size_t) -> ExpressionPtr {
      return std::make_unique<ConstantExpression>(Value(TypeId::kJson));
    };
    bound = BindInsertValues(session, query, std::vector<LogicalType>(names.size(), TypeId::kJson), names,
                             make_default,
                             [&](ExpressionPtr value, size_t) { return convert(std::move(value)); });
  } else {
    bound = BindQuery(session, query, session.around, Untyped::kKeep);
    for (size_t i = 0; i < bound->types.size(); i++) {
      if (bound->types[i].id() == TypeId::kNull)
        TypeOutput(session, *bound, i, has_list ? TypeId::kVarchar : TypeId::kJson);
    }
  }
  const size_t wanted = has_list ? statement.columns.size() : 1;
  if (bound->types.size() == wanted) return bound;
  ThrowError(
      ErrorKind::kSyntax, sqlstate::kSyntaxError,
      has_list ? fmt::format("INSERT has {} target columns, but {} expressions", wanted, bound->types.size())
               : std::string("INSERT into a collection takes documents, one JSON value each; name the paths "
                             "that several columns go to, as in INSERT INTO collection (a, b)"),
      query.position);
}

void FillRecords(BindSession& session, BoundInsert& insert, const std::vector<std::string>& names,
                 size_t table_index, const std::vector<LogicalType>& types, size_t position) {
  const DictionaryRef& dictionary = insert.table->storage->attributes();
  const auto column = [&](size_t i) -> ExpressionPtr {
    auto source = std::make_unique<ColumnRefExpression>(types[i], ColumnBinding{table_index, i}, "document");
    source->position = position;
    return source;
  };
  ExpressionPtr record;
  if (names.empty()) {
    record = MakeRecord(dictionary, ToDocument(session, column(0)));
  } else {
    std::vector<PathId> paths = AddPaths(*dictionary, names, {}, position);
    std::vector<ExpressionPtr> values;
    for (size_t i = 0; i < names.size(); i++) values.push_back(ToJson(session, column(i)));
    auto empty = Coerce(session, MakeUntypedLiteral("{}"), TypeId::kJson);
    record =
        MakeChange(dictionary, MakeRecord(dictionary, std::move(empty)), std::move(paths), std::move(values));
  }
  record->alias = insert.table->columns[0].name;
  insert.values.clear();
  insert.values.push_back(std::move(record));
}

namespace {

class CollectionUpdateBinder {
 public:
  CollectionUpdateBinder(BindSession& session, const ast::UpdateStatement& statement)
      : session_(session),
        statement_(statement),
        source_(session, statement.with, statement.table, statement.from, statement.where),
        use_(*session.FindCollection(source_.target_index())),
        update_(std::make_unique<BoundUpdate>()) {}

  BoundStatementPtr Bind() {
    update_->table = source_.table();
    update_->row_index = session_.NewTableIndex();
    update_->columns = {0};
    const size_t item = source_.AddItem(BindRecord(), kRecordName);
    update_->projection.push_back(source_.ReferTo(0));
    update_->projection.push_back(source_.ReferTo(item));
    if (!statement_.returning.empty()) {
      update_->returning = BindReturning(session_, source_.level(), statement_.returning);
      for (ExpressionPtr& each : update_->returning->items) MoveToRow(each);
    }
    update_->source = source_.Finish();
    return std::move(update_);
  }

 private:
  static constexpr const char* kRecordName = "document";

  ExpressionPtr BindRecord() {
    ExpressionBinder binder(session_, source_.level(), Clause::kSet);
    std::vector<std::string> names;
    std::vector<size_t> positions;
    std::vector<ExpressionPtr> values;
    for (const ast::Assignment& assignment : statement_.assignments) {
      names.push_back(assignment.column);
      positions.push_back(assignment.position);
      values.push_back(IsDefaultMarker(*assignment.value)
                           ? std::make_unique<ConstantExpression>(Value(TypeId::kJson))
                           : ToJson(session_, binder.Bind(*assignment.value)));
    }
    std::vector<PathId> paths = AddPaths(*use_.dictionary(), names, positions, statement_.position);
    return MakeChange(use_.dictionary(), use_.Record(), std::move(paths), std::move(values));
  }

  /// From the columns of FROM to those of the written row: paths of the target are read from its new record.
  void MoveToRow(ExpressionPtr& expression) {
    if (expression->kind() == ExpressionKind::kColumnRef) {
      auto& reference = expression->As<ColumnRefExpression>();
      if (reference.outer_level != 0) return;
      if (reference.binding.table_index == source_.target_index()) {
        expression = ReadWritten(reference);
        return;
      }
      const auto [place, is_new] = extra_.try_emplace(reference.binding, update_->projection.size());
      if (is_new) {
        const size_t item = source_.PassThrough(reference.binding, reference.type(), reference.name);
        update_->projection.push_back(source_.ReferTo(item));
        update_->projection.back()->alias = reference.name;
      }
      reference.binding = {update_->row_index, place->second};
      return;
    }
    expression->ForEachChild([&](ExpressionPtr& child) { MoveToRow(child); });
  }

  ExpressionPtr ReadWritten(const ColumnRefExpression& reference) {
    auto record = std::make_unique<ColumnRefExpression>(TypeId::kBlob, ColumnBinding{update_->row_index, 1},
                                                        kRecordName);
    const ColumnDefinition& column = use_.entry()->columns[reference.binding.column_index];
    if (!column.projection) return record;
    ExpressionPtr value = RecordSource(use_.dictionary(), std::move(record)).Read(*column.projection);
    value->position = reference.position;
    value->alias = reference.alias;
    return value;
  }

  BindSession& session_;
  const ast::UpdateStatement& statement_;
  ChangeSource source_;
  CollectionUse& use_;
  std::unique_ptr<BoundUpdate> update_;
  std::map<ColumnBinding, size_t> extra_;  // What else is in the projection.
};

}  // namespace

BoundStatementPtr BindCollectionUpdate(BindSession& session, const ast::UpdateStatement& statement) {
  return CollectionUpdateBinder(session, statement).Bind();
}

}  // namespace scaup
