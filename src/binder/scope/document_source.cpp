// Document sources: names as paths, and projections that read paths as types.
#include "binder/scope/document_source.hpp"

#include <algorithm>
#include <set>

#include "binder/scope/coercion.hpp"
#include "binder/scope/document_value.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "document/attribute/document_path.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "function/scalar/text/text_search.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

constexpr size_t kMostSuggestions = 4096;

/// Returns a name such as "kids[3].name"; `document` for the whole document.
std::string NameOf(const AttributeDictionary& dictionary, const DocumentProjection& projection,
                   const std::string& document) {
  std::string name = projection.path == kRootPath ? document : dictionary.NameOf(projection.path);
  for (const DocumentStep& step : projection.steps) {
    if (step.is_element) {
      name += "[" + std::to_string(step.index) + "]";
    } else {
      AppendPathKey(step.key, name);
    }
  }
  return name;
}

/// Returns the spelling of a path's name that dictionaries use.
std::string CanonicalName(std::string_view name) {
  const auto keys = SplitPath(name);
  std::string canonical;
  if (!keys) return std::string(name);
  for (const std::string& key : *keys) AppendPathKey(key, canonical);
  return canonical;
}

/// Adds a path to the dictionary. REQUIRES: `name` is a valid path.
PathId AddPath(AttributeDictionary& dictionary, std::string_view name) {
  PathId path = kRootPath;
  const auto keys = SplitPath(name);
  SCAUP_ASSERT(keys.has_value());
  for (const std::string& key : *keys) path = dictionary.AddPath(path, key);
  return path;
}

}  // namespace

std::optional<PathInExpression> FindPath(const BindSession& session, const Expression& expression) {
  if (expression.kind() == ExpressionKind::kFunction) {
    const auto* extraction =
        dynamic_cast<const DocumentExtraction*>(expression.As<FunctionExpression>().data.get());
    if (extraction == nullptr) return std::nullopt;
    return PathInExpression{session.AttributesOf(extraction->dictionary).get(), &extraction->projection};
  }
  if (expression.kind() != ExpressionKind::kColumnRef) return std::nullopt;
  const ColumnBinding& binding = expression.As<ColumnRefExpression>().binding;
  const CollectionUse* use = session.FindCollection(binding.table_index);
  if (use == nullptr || binding.column_index >= use->entry()->columns.size()) return std::nullopt;
  const auto& projection = use->entry()->columns[binding.column_index].projection;
  if (!projection) return std::nullopt;
  return PathInExpression{use->attributes().get(), &*projection};
}

// --- DocumentSource

LogicalType DocumentTypeOf(const LogicalType& type) {
  CheckStack();
  switch (ClassOf(type)) {
    case ValueClass::kUnknown:
    case ValueClass::kString: return TypeId::kVarchar;
    case ValueClass::kBoolean: return TypeId::kBoolean;
    case ValueClass::kJson: return TypeId::kJson;
    case ValueClass::kNumber:
      if (!type.IsInteger()) return TypeId::kDouble;
      return type.id() == TypeId::kHugeInt || type.id() == TypeId::kUBigInt ? TypeId::kHugeInt
                                                                            : TypeId::kBigInt;
    case ValueClass::kList: {
      const LogicalType element = DocumentTypeOf(type.element());
      const bool is_nested =
          element.id() == TypeId::kJson || element.id() == TypeId::kList || element.id() == TypeId::kHugeInt;
      return is_nested ? LogicalType(TypeId::kJson) : LogicalType::List(element);
    }
    case ValueClass::kOther: break;
  }
  return type.id() == TypeId::kStruct ? TypeId::kJson : TypeId::kVarchar;
}

LogicalType CommonDocumentType(const LogicalType& a, const LogicalType& b) {
  if (a == b) return a;
  if (!a.IsNumeric() || !b.IsNumeric()) return TypeId::kJson;
  return a.id() == TypeId::kDouble || b.id() == TypeId::kDouble ? TypeId::kDouble : TypeId::kHugeInt;
}

void DocumentSource::Expect(PathId path, const LogicalType& type) {
  const auto [place, is_new] = expected_.try_emplace(path, type);
  if (!is_new) place->second = CommonDocumentType(place->second, type);
}

std::optional<LogicalType> DocumentSource::TypeOf(PathId path) const {
  std::optional<LogicalType> type;
  if (attributes_->HasBelow(path)) type = DefaultTypeOf(*attributes_, path);
  for (const auto& [other, expected] : expected_) {
    PathId at = other;
    while (at != kRootPath && at != path) at = dictionary()->ParentOf(at);
    if (at != path) continue;
    const LogicalType here = other == path ? expected : LogicalType(TypeId::kJson);
    type = type ? CommonDocumentType(*type, here) : here;
  }
  return type;
}

void DocumentSource::Keep(const std::vector<ViewPath>& paths) {
  kept_.emplace();
  for (const ViewPath& path : paths) {
    kept_->emplace(path.name, path.type);
    if (path.is_in_star) kept_star_.push_back(path.name);
  }
}

bool DocumentSource::IsOldColumn(std::string_view name) const {
  return !kept_ || kept_->contains(CanonicalName(name));
}

const ScopeColumn* DocumentSource::FindColumn(std::string_view name) {
  const auto known = found_.find(name);
  if (known != found_.end()) return &known->second;
  auto path = dictionary()->FindPath(name);
  if (!path) attributes_->AskAboutUnknown();
  if (path && *path == kRootPath) return nullptr;
  std::optional<LogicalType> type = path ? TypeOf(*path) : std::nullopt;
  if (kept_) {
    const auto kept = kept_->find(CanonicalName(name));
    if (kept != kept_->end()) {
      type = kept->second;
      // Later documents may have the path, so it is read as a path even if no document has it now.
      if (!path) path = AddPath(*dictionary(), name);
    }
  }
  if (!type) return nullptr;
  return &found_.emplace(std::string(name), ScopeColumn{std::string(name), Read({*path, *type})})
              .first->second;
}

std::vector<ScopeColumn> DocumentSource::AllColumns() {
  std::vector<ScopeColumn> columns = kept_ ? std::vector<ScopeColumn>() : PresentColumns();
  if (kept_) {
    for (const std::string& name : kept_star_) columns.push_back(FindColumn(name)->Clone());
  }
  star_names_.clear();
  for (const ScopeColumn& column : columns) star_names_.push_back(column.name);
  return columns;
}

std::vector<ScopeColumn> DocumentSource::PresentColumns() {
  std::vector<PathId> paths = attributes_->Paths();
  for (const auto& [path, type] : expected_) {
    if (attributes_->AttributesOf(path).empty()) paths.push_back(path);
  }
  std::vector<ScopeColumn> columns;
  for (const PathId path : paths) {
    ExpressionPtr value = Read({path, *TypeOf(path)});
    columns.push_back({dictionary()->NameOf(path), std::move(value)});
  }
  return columns;
}

std::vector<std::string> DocumentSource::SomeNames() const {
  std::vector<std::string> names;
  for (const PathId path : attributes_->Paths()) {
    if (names.size() == kMostSuggestions) break;
    names.push_back(dictionary()->NameOf(path));
  }
  return names;
}

CollectionUse::CollectionUse(BindSession& session, const TableEntry& collection, size_t table_index)
    : DocumentSource(session.AttributesOf(collection)),
      entry_(std::make_shared<TableEntry>(collection.schema, collection.name, collection.columns,
                                          collection.storage, collection.constraints)),
      table_index_(table_index) {}

ExpressionPtr CollectionUse::Read(const DocumentProjection& projection) {
  auto& columns = entry_->columns;
  const auto [first, end] = places_.equal_range(projection.path);
  const auto found = std::find_if(
      first, end, [&](const auto& place) { return *columns[place.second].projection == projection; });
  const size_t index = found == end ? columns.size() : found->second;
  if (found == end) {
    places_.emplace(projection.path, index);
    ColumnDefinition column;
    column.name = NameOf(*dictionary(), projection, entry_->name);
    column.type = projection.type;
    column.projection = projection;
    columns.push_back(std::move(column));
  }
  return std::make_unique<ColumnRefExpression>(projection.type, ColumnBinding{table_index_, index},
                                               columns[index].name);
}

std::vector<ViewPath> CollectionUse::ReadPaths() {
  std::vector<std::string> names = star_names();
  const size_t star_count = names.size();
  for (const ColumnDefinition& column : entry_->columns) {
    const bool is_path =
        column.projection && column.projection->path != kRootPath && column.projection->steps.empty();
    if (is_path) names.push_back(column.name);
  }
  std::vector<ViewPath> paths;
  std::set<std::string_view> added;
  for (size_t i = 0; i < names.size(); i++) {
    if (!added.insert(names[i]).second) continue;
    const ScopeColumn* column = FindColumn(names[i]);
    if (column != nullptr) paths.push_back({names[i], column->value->type(), i < star_count});
  }
  return paths;
}

ExpressionPtr CollectionUse::Record() const {
  return std::make_unique<ColumnRefExpression>(entry_->columns[0].type, ColumnBinding{table_index_, 0},
                                               entry_->columns[0].name);
}

ExpressionPtr RecordSource::Read(const DocumentProjection& projection) {
  std::vector<ExpressionPtr> arguments;
  arguments.push_back(record_->Clone());
  arguments.push_back(std::make_unique<ConstantExpression>(
      Value::Varchar(NameOf(*dictionary(), projection, "") + "::" + projection.type.ToString())));
  ResolvedScalar resolved = DocumentExtractFunction(dictionary(), projection);
  return std::make_unique<FunctionExpression>(std::move(resolved.function), std::move(resolved.data),
                                              std::move(arguments));
}

// --- Values of paths

ExpressionPtr ReadInstead(BindSession& session, const Expression& value,
                          const DocumentProjection& projection) {
  SCAUP_ASSERT(FindPath(session, value).has_value());
  ExpressionPtr read;
  if (value.kind() == ExpressionKind::kFunction) {
    const auto& call = value.As<FunctionExpression>();
    const auto& extraction = static_cast<const DocumentExtraction&>(*call.data);
    read = RecordSource(session.AttributesOf(extraction.dictionary), call.arguments[0]->Clone())
               .Read(projection);
  } else {
    const auto& reference = value.As<ColumnRefExpression>();
    read = session.FindCollection(reference.binding.table_index)->Read(projection);
    read->As<ColumnRefExpression>().outer_level = reference.outer_level;
  }
  read->position = value.position;
  read->alias = value.alias;
  return read;
}

ExpressionPtr ReadStep(BindSession& session, ExpressionPtr value, DocumentStep step) {
  const auto at = FindPath(session, *value);
  SCAUP_ASSERT(at.has_value());
  DocumentProjection projection = *at->projection;
  projection.type = TypeId::kJson;
  projection.steps.push_back(std::move(step));
  return ReadInstead(session, *value, projection);
}

/// Returns whether all strings at the path and below it are values of the path itself.
static bool IsPlainText(const VisibleAttributes& attributes, const DocumentProjection& projection) {
  if (!projection.steps.empty()) return true;
  for (const AttributeId id : attributes.AttributesBelow(projection.path)) {
    const Attribute attribute = attributes.dictionary()->attribute(id);
    const bool is_array =
        attribute.type == AttributeType::kStringArray || attribute.type == AttributeType::kArray;
    if (is_array || (attribute.type == AttributeType::kString && attribute.path != projection.path))
      return false;
  }
  return true;
}

/// Returns the record that contains a path's value, and its dictionary.
static std::pair<ExpressionPtr, std::shared_ptr<AttributeDictionary>> RecordOf(const BindSession& session,
                                                                               const Expression& value) {
  if (value.kind() == ExpressionKind::kFunction) {
    const auto& call = value.As<FunctionExpression>();
    return {call.arguments[0]->Clone(), static_cast<const DocumentExtraction&>(*call.data).dictionary};
  }
  const auto& reference = value.As<ColumnRefExpression>();
  const CollectionUse* collection = session.FindCollection(reference.binding.table_index);
  ExpressionPtr record = collection->Record();
  record->As<ColumnRefExpression>().outer_level = reference.outer_level;
  return {std::move(record), collection->dictionary()};
}

ExpressionPtr SearchStrings(BindSession& session, ExpressionPtr value, std::string_view name,
                            ExpressionPtr query, size_t position) {
  const auto at = FindPath(session, *value);
  SCAUP_ASSERT(at.has_value() && query->type().id() == TypeId::kVarchar);
  const PathId path = at->projection->path;
  std::vector<ExpressionPtr> arguments;
  // Plain strings can be searched as a column, which is cheaper than searching the record.
  if (path != kRootPath && IsPlainText(*at->attributes, *at->projection)) {
    arguments.push_back(ReadAs(session, std::move(value), TypeId::kVarchar));
    arguments.push_back(std::move(query));
    return MakeScalarCall(session, name, std::move(arguments), position);
  }
  const std::string* constant = nullptr;
  if (query->kind() == ExpressionKind::kConstant) {
    const Value& text = query->As<ConstantExpression>().value;
    if (!text.is_null()) constant = &text.GetString();
  }
  auto [record, dictionary] = RecordOf(session, *value);
  ResolvedScalar resolved =
      DocumentSearchFunction(name == kScoreFunction, std::move(dictionary), path, constant);
  arguments.push_back(std::move(record));
  arguments.push_back(std::make_unique<ConstantExpression>(
      Value::Varchar(path == kRootPath ? "*" : at->attributes->dictionary()->NameOf(path))));
  arguments.push_back(std::move(query));
  auto call = std::make_unique<FunctionExpression>(std::move(resolved.function), std::move(resolved.data),
                                                   std::move(arguments));
  call->position = position;
  return call;
}

}  // namespace scaup
