// Binds INSERT, UPDATE and MERGE of collections.
#include "binder/write/collection_changes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "binder/scope/query_binder.hpp"
#include "binder/write/change_source.hpp"
#include "binder/write/updated_row.hpp"
#include "common/throw.hpp"
#include "document/attribute/document_path.hpp"
#include "document/document_parser.hpp"
#include "document/document_record.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "type/text/json_text.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

using DictionaryRef = std::shared_ptr<AttributeDictionary>;

ExpressionPtr CallResolved(ResolvedScalar resolved, std::vector<ExpressionPtr> arguments) {
  return std::make_unique<FunctionExpression>(std::move(resolved.function), std::move(resolved.data),
                                              std::move(arguments));
}

ExpressionPtr MakeRecord(DictionaryRef dictionary, ExpressionPtr document) {
  std::vector<ExpressionPtr> arguments;
  const std::optional<size_t> position = document->position;
  arguments.push_back(std::move(document));
  ExpressionPtr record = CallResolved(DocumentRecordFunction(std::move(dictionary)), std::move(arguments));
  record->position = position;
  return record;
}

/// Sets values, as JSON, at paths of the record.
ExpressionPtr MakeChange(DictionaryRef dictionary, ExpressionPtr record, std::vector<PathId> paths,
                         std::vector<ExpressionPtr> values) {
  values.insert(values.begin(), std::move(record));
  return CallResolved(DocumentChangeFunction(std::move(dictionary), std::move(paths)), std::move(values));
}

bool IsNullLiteral(const Expression& value) {
  return IsUntyped(value) && value.kind() == ExpressionKind::kConstant &&
         value.As<ConstantExpression>().value.is_null();
}

/// Converts a value for a document: quoted literals become strings, JSON stays as it is, NULL is skipped.
ExpressionPtr MemberAsJson(BindSession& session, ExpressionPtr value) {
  const std::optional<size_t> position = value->position;
  if (IsNullLiteral(*value)) return Coerce(session, std::move(value), TypeId::kJson);
  if (IsUntyped(*value) && value->kind() == ExpressionKind::kParameter) session.follows_given_types = true;
  value = ReadAsWritten(session, Settle(session, std::move(value)));
  if (IsJson(value->type())) return Coerce(session, std::move(value), TypeId::kJson);
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(std::move(value));
  return MakeScalarCall(session, "to_json", std::move(arguments), position);
}

/// Returns the type as which a document returns the value; nullopt for NULL.
std::optional<LogicalType> TypeInDocument(const Expression& value) {
  if (IsNullLiteral(value)) return std::nullopt;
  return DocumentTypeOf(value.type());
}

/// Converts a value to a whole document: JSON, text that is cast to JSON, or a row.
ExpressionPtr ToDocument(BindSession& session, ExpressionPtr value) {
  const LogicalType& type = value->type();
  if (IsUntyped(*value) || IsJson(type) || type.id() == TypeId::kVarchar)
    return Coerce(session, std::move(value), TypeId::kJson);
  if (type.id() == TypeId::kStruct) return MemberAsJson(session, std::move(value));
  ThrowError(
      ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
      fmt::format("a document is JSON, but the expression is of type {}; name the paths that columns go "
                  "to, as in INSERT INTO collection (a, b)",
                  PostgresTypeName(type)),
      value->position);
}

ExpressionPtr EmptyRecord(BindSession& session, const DictionaryRef& dictionary) {
  return MakeRecord(dictionary, Coerce(session, MakeUntypedLiteral("{}"), TypeId::kJson));
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

/// Returns the path of a column's name as it is written; "" for other expressions.
std::string PathOf(const ast::Expression& expression) {
  if (expression.kind != ast::ExpressionKind::kColumn) return "";
  std::string path;
  const auto& names = expression.As<ast::Column>().names;
  if (names.size() == 1) return names[0];
  for (const std::string& name : names) {
    if (!path.empty()) path += '.';
    path += name;
  }
  return path;
}

/// Returns the paths of a list of names. Throws 42701 if one occurs twice or contains another.
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

/// Makes the attributes of a constant document visible now, so that RETURNING can name its paths.
static void ExpectAttributesOf(BindSession& session, const DictionaryRef& dictionary,
                               const Expression& document) {
  if (document.kind() != ExpressionKind::kConstant && document.kind() != ExpressionKind::kCast) return;
  bool is_constant = true;
  document.ForEachChild([&](const Expression& child) {
    is_constant = is_constant && child.kind() == ExpressionKind::kConstant;
  });
  if (!is_constant) return;
  const Value value = EvaluateForBinding(session, document, "documents");
  if (value.is_null()) return;
  std::string record;
  JsonFault fault;  // the statement itself will report it
  if (!DocumentParser(dictionary).Parse(value.GetString(), record, fault)) return;
  const DocumentRecord parsed(record, dictionary->attribute_count());
  for (size_t i = 0; i < parsed.size(); i++) session.AttributesOf(dictionary)->Expect(parsed.id(i));
}

InsertedDocuments BindDocuments(BindSession& session, const TableEntry& collection,
                                const ast::InsertStatement& statement) {
  const ast::SelectStatement& query = *statement.query;
  const bool has_list = !statement.columns.empty();
  InsertedDocuments inserted;
  inserted.types.resize(statement.columns.size());
  const auto convert = [&](ExpressionPtr value, size_t column) {
    if (!has_list) {
      value = ToDocument(session, std::move(value));
      if (!statement.returning.empty())
        ExpectAttributesOf(session, session.AttributesOf(collection)->dictionary(), *value);
      return value;
    }
    if (const auto type = TypeInDocument(*value); type && column < inserted.types.size()) {
      auto& known = inserted.types[column];
      known = known ? CommonDocumentType(*known, *type) : *type;
    }
    return MemberAsJson(session, std::move(value));
  };
  BoundQueryPtr& bound = inserted.query;
  if (IsPlainValues(query)) {
    std::vector<std::string> names = statement.columns;
    if (!has_list) names.assign(query.values[0].size(), "document");
    const auto make_default = [](size_t) -> ExpressionPtr {
      return std::make_unique<ConstantExpression>(Value(TypeId::kJson));
    };
    bound = BindInsertValues(session, query, std::vector<LogicalType>(names.size(), TypeId::kJson), names,
                             make_default, convert);
  } else {
    bound = BindQuery(session, query, session.around, Untyped::kKeep);
    for (size_t i = 0; i < bound->types.size(); i++) {
      if (bound->types[i].id() == TypeId::kNull)
        TypeOutput(session, *bound, i, has_list ? TypeId::kVarchar : TypeId::kJson);
      if (i < inserted.types.size()) inserted.types[i] = DocumentTypeOf(bound->types[i]);
      if (has_list) ReadAsWritten(session, bound, i);
    }
  }
  const size_t wanted = has_list ? statement.columns.size() : 1;
  if (bound->types.size() == wanted) return inserted;
  ThrowError(
      ErrorKind::kSyntax, sqlstate::kSyntaxError,
      has_list ? fmt::format("INSERT has {} target columns, but {} expressions", wanted, bound->types.size())
               : std::string("INSERT into a collection takes documents, one JSON value each; name the paths "
                             "that several columns go to, as in INSERT INTO collection (a, b)"),
      query.position);
}

Scope ScopeOfRecord(BindSession& session, const ast::InsertStatement& statement, const TableEntry& collection,
                    size_t row_index, const std::vector<std::optional<LogicalType>>& types) {
  const ColumnDefinition& record = collection.columns[0];
  auto documents = std::make_shared<RecordSource>(
      session.AttributesOf(collection),
      std::make_unique<ColumnRefExpression>(record.type, ColumnBinding{row_index, 0}, record.name));
  for (size_t i = 0; i < types.size(); i++) {
    if (types[i]) documents->Expect(*documents->dictionary()->FindPath(statement.columns[i]), *types[i]);
  }
  ScopeTable entry;
  const ast::NamedTable& name = statement.table;
  entry.schema = name.alias.empty() ? collection.schema : "";
  entry.alias = name.alias.empty() ? collection.name : name.alias;
  entry.documents = std::move(documents);
  return Scope::OfTable(std::move(entry));
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
    for (size_t i = 0; i < names.size(); i++) values.push_back(MemberAsJson(session, column(i)));
    record = MakeChange(dictionary, EmptyRecord(session, dictionary), std::move(paths), std::move(values));
  }
  record->alias = insert.table->columns[0].name;
  insert.values.clear();
  insert.values.push_back(std::move(record));
}

namespace {

/// Collects values and their types in documents, for MakeChange.
class PathValues {
 public:
  explicit PathValues(BindSession& session) : session_(session) {}

  void Add(std::string name, size_t position, ExpressionPtr value) {
    types_.push_back(TypeInDocument(*value));
    names_.push_back(std::move(name));
    positions_.push_back(position);
    values_.push_back(MemberAsJson(session_, std::move(value)));
  }
  void AddBound(ExpressionBinder& binder, const std::string& name, size_t position,
                const ast::Expression& value) {
    // Documents have no defaults, so DEFAULT is NULL.
    Add(name, position,
        IsDefaultMarker(value) ? std::make_unique<ConstantExpression>(Value()) : binder.Bind(value));
  }

  ChangedRecord Change(const DictionaryRef& dictionary, ExpressionPtr record, size_t position) {
    std::vector<PathId> paths = AddPaths(*dictionary, names_, positions_, position);
    ChangedRecord changed;
    for (size_t i = 0; i < paths.size(); i++) {
      if (types_[i]) changed.types.emplace_back(paths[i], *types_[i]);
    }
    changed.record = MakeChange(dictionary, std::move(record), std::move(paths), std::move(values_));
    return changed;
  }

 private:
  BindSession& session_;
  std::vector<std::string> names_;
  std::vector<size_t> positions_;
  std::vector<ExpressionPtr> values_;
  std::vector<std::optional<LogicalType>> types_;
};

}  // namespace

/// The target of an assignment: a path, and the steps into the array at that path.
struct SetTarget {
  std::string path;
  size_t first_step = 0;  // index of the first step into the array
};

/// Returns the target. Keys up to the first subscript form the path; the collection's own name in front is
/// skipped.
static SetTarget TargetOf(const ast::Assignment& assignment, const std::string& own_name) {
  SetTarget target;
  const auto& steps = assignment.steps;
  const bool is_qualified = !steps.empty() && !steps[0].index && assignment.column == own_name;
  if (!is_qualified) target.path = assignment.column;
  while (target.first_step < steps.size() && !steps[target.first_step].index) {
    const std::string& key = steps[target.first_step].key;
    if (target.path.empty()) {
      target.path = key;
    } else {
      AppendPathKey(key, target.path);
    }
    target.first_step++;
  }
  return target;
}

/// Refuses "tags[0]" in quotes: it is the key of that name, which is probably not what was meant.
static void RefuseQuotedElement(const VisibleAttributes& attributes, const std::string& name,
                                size_t position) {
  const size_t bracket = name.find('[');
  if (bracket == std::string::npos || bracket == 0 || name.back() != ']') return;
  const auto is_known = [&](std::string_view path) {
    const auto found = attributes.dictionary()->FindPath(path);
    return found && attributes.HasBelow(*found);
  };
  if (is_known(name) || !is_known(name.substr(0, bracket))) return;
  ThrowError(
      ErrorKind::kBinder, sqlstate::kUndefinedColumn,
      fmt::format("no document has a key \"{0}\"; to set an element of an array, write {0} without quotes",
                  name),
      position);
}

/// Returns the array with one of its elements, or a member of an element, replaced.
static ExpressionPtr PutIntoArray(BindSession& session, ExpressionBinder& binder, ExpressionPtr array,
                                  ExpressionPtr value, const ast::Assignment& assignment,
                                  const SetTarget& target) {
  std::vector<ExpressionPtr> arguments;
  std::vector<LogicalType> types;
  std::string name = target.path;
  arguments.push_back(std::move(array));
  arguments.push_back(MemberAsJson(session, std::move(value)));
  for (size_t i = target.first_step; i < assignment.steps.size(); i++) {
    const ast::AssignmentStep& step = assignment.steps[i];
    if (step.index) {
      arguments.push_back(Coerce(session, binder.Bind(*step.index), TypeId::kBigInt));
      name += "[" + arguments.back()->ToString() + "]";
    } else {
      arguments.push_back(std::make_unique<ConstantExpression>(Value::Varchar(step.key)));
      name += "." + step.key;
    }
    types.push_back(arguments.back()->type());
  }
  return CallResolved(DocumentPutFunction(std::move(types), std::move(name)), std::move(arguments));
}

ChangedRecord BindSetPaths(BindSession& session, ExpressionBinder& binder, DocumentSource& target,
                           ExpressionPtr record, const std::vector<ast::Assignment>& assignments,
                           size_t position, const std::string& own_name) {
  const auto& dictionary = target.dictionary();
  if (assignments.size() == 1 && assignments[0].steps.empty() && assignments[0].column == own_name) {
    ExpressionPtr document = ToDocument(session, binder.Bind(*assignments[0].value));
    return {MakeRecord(dictionary, std::move(document)), {}};
  }
  PathValues values(session);
  std::map<std::string, ExpressionPtr> arrays;  // arrays of which elements are set
  std::map<std::string, size_t> positions;
  for (const ast::Assignment& assignment : assignments) {
    const SetTarget set = TargetOf(assignment, own_name);
    if (assignment.steps.empty() && assignment.column == own_name) {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kSyntaxError,
          fmt::format("{0} is the whole document, which is replaced by itself alone; {0}.{0} is a key of "
                      "that name",
                      own_name),
          assignment.position);
    }
    if (set.first_step == assignment.steps.size()) {
      if (assignment.steps.empty()) RefuseQuotedElement(*target.attributes(), set.path, assignment.position);
      values.AddBound(binder, set.path, assignment.position, *assignment.value);
      continue;
    }
    // Several assignments to one array are applied one after the other, and written once.
    ExpressionPtr& array = arrays[set.path];
    if (!array) array = target.Read({AddPath(*dictionary, set.path, assignment.position), TypeId::kJson});
    positions.try_emplace(set.path, assignment.position);
    array = PutIntoArray(session, binder, std::move(array), binder.Bind(*assignment.value), assignment, set);
  }
  for (auto& [path, array] : arrays) values.Add(path, positions[path], std::move(array));
  return values.Change(dictionary, std::move(record), position);
}

ChangedRecord BindInsertedRecord(BindSession& session, ExpressionBinder& binder, const DocumentSource& target,
                                 const ast::MergeClause& clause, bool is_returned) {
  if (clause.values.empty()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               "a document has no default values; INSERT VALUES ('{}') makes an empty one", clause.position);
  }
  const size_t wanted = clause.columns.empty() ? 1 : clause.columns.size();
  if (clause.values.size() != wanted) {
    ThrowError(
        ErrorKind::kSyntax, sqlstate::kSyntaxError,
        clause.columns.empty()
            ? std::string("INSERT into a collection takes one document; name the paths that several "
                          "values go to, as in INSERT (a, b) VALUES (1, 2)")
            : fmt::format("INSERT has {} expressions for {} target columns", clause.values.size(), wanted),
        clause.values[0]->position);
  }
  const DictionaryRef& dictionary = target.dictionary();
  if (clause.columns.empty()) {
    ExpressionPtr document = ToDocument(session, binder.Bind(*clause.values[0]));
    if (is_returned) ExpectAttributesOf(session, dictionary, *document);
    return {MakeRecord(dictionary, std::move(document)), {}};
  }
  PathValues values(session);
  for (size_t i = 0; i < clause.columns.size(); i++)
    values.AddBound(binder, clause.columns[i], clause.column_positions[i], *clause.values[i]);
  return values.Change(dictionary, EmptyRecord(session, dictionary), clause.position);
}

BoundStatementPtr BindCollectionUpdate(BindSession& session, const ast::UpdateStatement& statement) {
  UpdatedRow row(session, statement);
  ChangeSource& source = row.source();
  CollectionUse& use = *session.FindCollection(source.target_index());
  const std::string& own_name = statement.table.alias.empty() ? statement.table.name : statement.table.alias;
  ExpressionBinder binder(session, source.level(), Clause::kSet);
  ChangedRecord changed =
      BindSetPaths(session, binder, use, use.Record(), statement.assignments, statement.position, own_name);
  const ColumnDefinition& record = use.entry()->columns[0];
  row.SetColumn(0, source.ReferTo(source.AddItem(std::move(changed.record), record.name)), record.name);
  // RETURNING reads the document as it is after the change.
  auto written = std::make_shared<RecordSource>(
      use.attributes(), std::make_unique<ColumnRefExpression>(
                            record.type, ColumnBinding{row.update().row_index, 1}, record.name));
  for (const auto& [path, type] : changed.types) written->Expect(path, type);
  source.ReadTargetFrom(std::move(written));
  return row.Finish();
}

ExpressionPtr BindObject(BindSession& session, ExpressionBinder& binder, const ast::FunctionCall& call) {
  PathValues values(session);
  for (size_t i = 0; i < call.arguments.size(); i++) {
    const ast::Expression& argument = *call.arguments[i];
    ExpressionPtr value = binder.Bind(argument);
    std::string name = i < call.argument_names.size() ? call.argument_names[i] : "";
    if (name.empty()) {
      name = PathOf(argument);
    }
    if (name.empty()) {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kSyntaxError,
          "what is neither a column nor a path needs a name in object(...), as in object(total => a + b)",
          argument.position);
    }
    values.Add(std::move(name), argument.position, std::move(value));
  }
  // A new dictionary, because the paths belong to no collection.
  const auto dictionary = std::make_shared<AttributeDictionary>();
  ChangedRecord changed = values.Change(dictionary, EmptyRecord(session, dictionary), call.position);
  ExpressionPtr document =
      RecordSource(session.AttributesOf(dictionary), std::move(changed.record)).ReadDocument();
  document->position = call.position;
  return document;
}

}  // namespace scaup
