// Checks names of collations, derives the collations of expressions, and makes keys of texts.
#include "binder/scope/collation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "binder/bound/subquery_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/window_expression.hpp"
#include "type/type_name.hpp"

namespace scaup {

namespace {

using Strength = DerivedCollation::Strength;

constexpr const char* kCollationSchema = "pg_catalog";
constexpr const char* kDefaultCollation = "default";
constexpr const char* kCollationMismatch = "42P21";
constexpr const char* kIndeterminateCollation = "42P22";
constexpr size_t kMostCollationParts = 4;

/// Returns the parts of the name behind its schema, which is checked; none if another schema is meant.
std::vector<std::string> WithoutSchema(const BindSession& session, const ast::Collation& collation) {
  const std::vector<std::string>& parts = collation.names;
  if (parts.size() == 2 && parts[0] == kCollationSchema) return {parts[1]};
  const bool is_chain = std::all_of(parts.begin(), parts.end(), MayBeCollation);
  if (is_chain && parts.size() <= kMostCollationParts) return parts;
  if (parts.size() > 2) {
    ThrowNotSupported(
        fmt::format("a collation has no more than its schema in front, not {}", fmt::join(parts, ".")),
        collation.position);
  }
  if (parts.size() < 2 || MayBeCollation(parts[0])) return parts;
  const BinderContext& context = session.context();
  if (context.catalog.FindSchema(context.transaction, parts[0])) return {};
  ThrowError(ErrorKind::kCatalog, sqlstate::kInvalidSchemaName,
             fmt::format("schema \"{}\" does not exist", parts[0]), collation.position);
}

/// Returns the data of one of the two functions; null for other expressions.
const CollationData* DataOf(const Expression& expression, std::string_view function) {
  if (expression.kind() != ExpressionKind::kFunction) return nullptr;
  const auto& call = expression.As<FunctionExpression>();
  // A function of the user may have the name, and other data.
  return call.function.name == function ? dynamic_cast<const CollationData*>(call.data.get()) : nullptr;
}

const CollationData* DataOfCollate(const Expression& expression) {
  return DataOf(expression, kCollateFunction);
}

ExpressionPtr CallCollation(BoundFunction function, const Collation& collation, ExpressionPtr text) {
  const std::optional<size_t> position = text->position;
  std::string alias = std::move(text->alias);
  text->alias.clear();
  auto call = std::make_unique<FunctionExpression>(
      std::move(function.function), std::move(function.data),
      PairOf(std::move(text), std::make_unique<ConstantExpression>(Value::Varchar(collation.name))));
  call->position = position;
  call->alias = std::move(alias);
  return call;
}

/// Combines the collations of two parts of an expression.
DerivedCollation CombinedCollation(DerivedCollation a, DerivedCollation b, std::optional<size_t> position) {
  if (a.strength != b.strength) return a.strength > b.strength ? a : b;
  if (a.strength == Strength::kNone || a.strength == Strength::kConflict || a.collation == b.collation)
    return a;
  if (a.strength == Strength::kImplicit) return {Strength::kConflict, {}};
  ThrowError(ErrorKind::kBinder, kCollationMismatch,
             fmt::format("collation mismatch between explicit collations \"{}\" and \"{}\"", a.collation.name,
                         b.collation.name),
             position);
}

/// Outside of its query, the collation of a column counts as that of any column does.
DerivedCollation AsColumn(DerivedCollation collation) {
  if (collation.strength == Strength::kExplicit) collation.strength = Strength::kImplicit;
  return collation;
}

DerivedCollation CollationOfChildren(const BindSession& session, const Expression& expression) {
  DerivedCollation all;
  expression.ForEachChild([&](const Expression& child) {
    all = CombinedCollation(std::move(all), CollationOf(session, child), child.position);
  });
  return all;
}

DerivedCollation CollationOfCase(const BindSession& session, const CaseExpression& expression) {
  DerivedCollation all = CollationOf(session, *expression.otherwise);
  for (const auto& branch : expression.branches)
    all = CombinedCollation(std::move(all), CollationOf(session, *branch.result), branch.result->position);
  return all;
}

DerivedCollation CollationOfArguments(const BindSession& session,
                                      const std::vector<ExpressionPtr>& arguments) {
  DerivedCollation all;
  for (const ExpressionPtr& argument : arguments)
    all = CombinedCollation(std::move(all), CollationOf(session, *argument), argument->position);
  return all;
}

/// Refuses an expression by whose parts rows are sorted or grouped if those are columns of different
/// collations. As in PostgreSQL, that is not the error of a comparison of such columns.
void CheckIsOneCollation(const DerivedCollation& derived, const Expression& value) {
  if (derived.strength != Strength::kConflict || value.kind() == ExpressionKind::kColumnRef) return;
  ThrowError(ErrorKind::kBinder, kCollationMismatch,
             "collation mismatch between implicit collations; choose one by the COLLATE clause",
             value.position);
}

/// Returns the collation unless the bytes of texts do for that use.
std::optional<Collation> NeededFor(const DerivedCollation& derived, KeyUse use,
                                   std::optional<size_t> position) {
  if (derived.strength == Strength::kNone) return std::nullopt;
  if (derived.strength == Strength::kConflict) {
    ThrowError(ErrorKind::kBinder, kIndeterminateCollation,
               "could not determine which collation to use for string comparison; use the COLLATE clause to "
               "set the collation explicitly",
               position);
  }
  const Collation& collation = derived.collation;
  if (use == KeyUse::kEquality) {
    if (collation.HasPlainEquality()) return std::nullopt;
    return EqualityOf(collation);
  }
  if (collation.IsBytes()) return std::nullopt;
  RequireOrder(collation);
  return collation;
}

[[noreturn]] void ThrowComparesBytes(std::string_view what, const Collation& collation,
                                     std::optional<size_t> position) {
  ThrowError(
      ErrorKind::kNotSupported, sqlstate::kFeatureNotSupported,
      fmt::format("{} compares texts by their bytes, not by collation \"{}\"; write COLLATE \"C\" "
                  "behind the text to do that, or compare by =, <, IN, CASE or a join, which follow it",
                  what, collation.name),
      position);
}

bool IsText(const Expression& expression) { return expression.type().id() == TypeId::kVarchar; }

bool IsOneOf(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Functions that are true or false by what a text has in it.
bool IsTextTest(std::string_view name) {
  return IsOneOf(
      name, {"~~", "!~~", "~~*", "!~~*", "contains", "starts_with", "ends_with", "prefix", "suffix", "^@"});
}

}  // namespace

// --- Names

Collation ResolveCollation(const BindSession& session, const ast::Collation& collation) {
  const std::string name = fmt::format("{}", fmt::join(collation.names, "."));
  const std::vector<std::string> parts = WithoutSchema(session, collation);
  std::optional<Collation> found;
  if (!parts.empty()) found = FindCollation(parts);
  if (found) return *found;
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedObject,
             fmt::format("collation \"{}\" for encoding \"UTF8\" does not exist; there are \"C\", \"POSIX\", "
                         "\"ucs_basic\" and \"default\", which order by bytes, NOCASE, NOACCENT, and "
                         "languages such as \"de\" and \"en-US-x-icu\", which pg_collation lists",
                         name),
             collation.position);
}

void CheckCollatable(const LogicalType& type, size_t position) {
  LogicalType element = type;
  while (element.id() == TypeId::kList && !IsMap(element)) element = element.element();
  if (element.id() == TypeId::kVarchar) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
             fmt::format("collations are not supported by type {}", PostgresTypeName(type)), position);
}

std::string StoredCollation(const BindSession& session, const ast::Collation& collation,
                            const LogicalType& type) {
  const Collation found = ResolveCollation(session, collation);
  CheckCollatable(type, collation.position);
  if (type.id() == TypeId::kVarchar) return found.name == kDefaultCollation ? "" : found.name;
  if (found.IsBytes()) return "";
  ThrowNotSupported(fmt::format("lists compare texts by their bytes, not by collation \"{}\"", found.name),
                    collation.position);
}

std::string StoredCollation(const DerivedCollation& collation, const std::string& column,
                            std::optional<size_t> position) {
  if (collation.strength != Strength::kConflict)
    return collation.collation.name == kDefaultCollation ? "" : collation.collation.name;
  ThrowError(ErrorKind::kBinder, kIndeterminateCollation,
             fmt::format("no collation was derived for column \"{}\" with collatable type text; use the "
                         "COLLATE clause to set the collation explicitly",
                         column),
             position);
}

// --- COLLATE in expressions

ExpressionPtr Collate(BindSession& session, ExpressionPtr text, const Collation& collation) {
  SCAUP_ASSERT(IsText(*text));
  session.has_collations = true;
  return CallCollation(CollateFunction(collation), collation, std::move(text));
}

ExpressionPtr WithImplicitCollation(BindSession& session, ExpressionPtr text, const std::string& collation) {
  if (collation.empty() || !IsText(*text)) return text;
  session.has_collations = true;
  if (CollationOf(session, *text).strength != Strength::kNone) return text;
  BoundFunction function = CollateFunction(FindStoredCollation(collation));
  auto data = std::make_shared<CollationData>(FindStoredCollation(collation));
  data->is_implicit = true;
  function.data = std::move(data);
  return CallCollation(std::move(function), FindStoredCollation(collation), std::move(text));
}

ExpressionPtr WithoutCollate(ExpressionPtr expression) {
  while (DataOfCollate(*expression) != nullptr) {
    std::string alias = std::move(expression->alias);
    ExpressionPtr text = std::move(expression->As<FunctionExpression>().arguments[0]);
    text->alias = std::move(alias);
    expression = std::move(text);
  }
  return expression;
}

ExpressionPtr WithoutOrderOfBytes(ExpressionPtr expression) {
  const CollationData* data = DataOfCollate(*expression);
  return data != nullptr && data->collation.IsBytes() ? WithoutCollate(std::move(expression))
                                                      : std::move(expression);
}

DerivedCollation CollationOf(const BindSession& session, const Expression& expression) {
  if (!session.has_collations || !IsText(expression)) return {};
  CheckStack();
  switch (expression.kind()) {
    case ExpressionKind::kColumnRef: {
      const ColumnBinding& binding = expression.As<ColumnRefExpression>().binding;
      const auto found = session.column_collations.find({binding.table_index, binding.column_index});
      return found == session.column_collations.end() ? DerivedCollation() : found->second;
    }
    case ExpressionKind::kFunction: {
      if (const CollationData* data = DataOfCollate(expression))
        return {data->is_implicit ? Strength::kImplicit : Strength::kExplicit, data->collation};
      if (TextOfKey(expression) != nullptr) return {};
      return CollationOfChildren(session, expression);
    }
    case ExpressionKind::kCast: return CollationOfChildren(session, expression);
    case ExpressionKind::kCase: return CollationOfCase(session, expression.As<CaseExpression>());
    case ExpressionKind::kAggregate:
      return CollationOfArguments(session, expression.As<AggregateExpression>().arguments);
    case ExpressionKind::kWindow:
      return CollationOfArguments(session, expression.As<WindowExpression>().arguments);
    case ExpressionKind::kSubquery: {
      const auto& subquery = expression.As<SubqueryExpression>();
      if (subquery.subquery != SubqueryKind::kScalar) return {};
      return CollationOfColumn(session, *subquery.query, 0);
    }
    default: return {};
  }
}

DerivedCollation CollationOfColumn(const BindSession& session, BoundQuery& query, size_t column) {
  DerivedCollation all;
  if (!session.has_collations || query.types[column].id() != TypeId::kVarchar) return all;
  CheckStack();
  switch (query.kind) {
    case BoundQueryKind::kSelect:
      return AsColumn(CollationOf(session, *query.As<BoundSelect>().items[column]));
    case BoundQueryKind::kSetOperation:
      for (const BoundQueryPtr& operand : query.As<BoundSetOperation>().operands)
        all = CombinedCollation(std::move(all), CollationOfColumn(session, *operand, column), std::nullopt);
      return all;
    case BoundQueryKind::kValues:
      for (const auto& row : query.As<BoundValues>().rows)
        all = CombinedCollation(std::move(all), CollationOf(session, *row[column]), row[column]->position);
      return AsColumn(std::move(all));
  }
  return all;
}

void NoteCollation(BindSession& session, ColumnBinding column, const DerivedCollation& collation) {
  if (collation.strength == Strength::kNone) return;
  session.column_collations[{column.table_index, column.column_index}] = AsColumn(collation);
}

void NoteCollations(BindSession& session, BoundQuery& query, size_t table_index) {
  if (!session.has_collations) return;
  for (size_t i = 0; i < query.types.size(); i++)
    NoteCollation(session, {table_index, i}, CollationOfColumn(session, query, i));
}

void NoteCollations(BindSession& session, const std::vector<ColumnDefinition>& columns, size_t table_index) {
  for (size_t i = 0; i < columns.size(); i++) {
    if (columns[i].collation.empty()) continue;
    session.has_collations = true;
    NoteCollation(session, {table_index, i},
                  {Strength::kImplicit, FindStoredCollation(columns[i].collation)});
  }
}

// --- Keys

namespace {

/// Makes a text and the pattern or part that it is searched for alike in case and accents.
void FitTextTest(BindSession& session, std::vector<ExpressionPtr>& arguments) {
  auto collation = CollationFor(session, {arguments[0].get(), arguments[1].get()}, KeyUse::kEquality);
  if (!collation) return;
  for (ExpressionPtr& argument : arguments)
    argument = KeyUnder(*collation, Settle(session, std::move(argument)));
}

/// Makes a text and the texts of a list that it is compared with keys.
void FitElementTest(BindSession& session, std::string_view function, std::vector<ExpressionPtr>& arguments) {
  const bool is_equality = function[0] == '=' || function.starts_with("<>");
  const auto collation =
      CollationFor(session, {arguments[0].get()}, is_equality ? KeyUse::kEquality : KeyUse::kOrder);
  const LogicalType& list = arguments[1]->type();
  if (!collation) return;
  if (list.id() != TypeId::kList || list.element().id() != TypeId::kVarchar)
    return RequireBytes(session, *arguments[0], KeyUse::kOrder, function);
  arguments[0] = KeyUnder(*collation, std::move(arguments[0]));
  arguments[1] = CallCollation(ListKeysFunction(*collation), *collation, std::move(arguments[1]));
}

ExpressionPtr NullText() { return MakeConstant(Value(LogicalType(TypeId::kVarchar))); }

/// Returns nullif(a, b).
ExpressionPtr NullIfEqual(const Collation& collation, std::vector<ExpressionPtr>& texts) {
  std::vector<CaseExpression::Branch> branches;
  branches.push_back(
      {std::make_unique<ComparisonExpression>(ComparisonOp::kEqual, KeyUnder(collation, texts[0]->Clone()),
                                              KeyUnder(collation, std::move(texts[1]))),
       NullText()});
  return std::make_unique<CaseExpression>(TypeId::kVarchar, std::move(branches), std::move(texts[0]));
}

/// Returns the first text that `op` holds for beside all others that are not NULL.
ExpressionPtr FirstExtreme(const Collation& collation, ComparisonOp op, std::vector<ExpressionPtr>& texts) {
  std::vector<CaseExpression::Branch> branches;
  for (size_t i = 0; i < texts.size(); i++) {
    std::vector<ExpressionPtr> conditions;
    for (size_t j = 0; j < texts.size(); j++) {
      if (i == j) continue;
      std::vector<ExpressionPtr> either;
      either.push_back(std::make_unique<IsNullExpression>(WithoutCollate(texts[j]->Clone()), false));
      either.push_back(std::make_unique<ComparisonExpression>(op, KeyUnder(collation, texts[i]->Clone()),
                                                              KeyUnder(collation, texts[j]->Clone())));
      conditions.push_back(std::make_unique<ConjunctionExpression>(false, std::move(either)));
    }
    branches.push_back({MakeAnd(std::move(conditions)), texts[i]->Clone()});
  }
  return std::make_unique<CaseExpression>(TypeId::kVarchar, std::move(branches), NullText());
}

}  // namespace

std::optional<Collation> CollationFor(const BindSession& session,
                                      std::initializer_list<const Expression*> values, KeyUse use) {
  DerivedCollation all;
  if (!session.has_collations) return std::nullopt;
  for (const Expression* value : values)
    all = CombinedCollation(std::move(all), CollationOf(session, *value), value->position);
  if (values.size() == 1) CheckIsOneCollation(all, **values.begin());
  return NeededFor(all, use, (*values.begin())->position);
}

ExpressionPtr KeyUnder(const Collation& given, ExpressionPtr text) {
  // Without a language the key is the same under all names, and so it is found in indexes.
  const Collation collation = given.language.empty() ? EqualityOf(given) : given;
  return CallCollation(CollationKeyFunction(collation), collation, WithoutCollate(std::move(text)));
}

std::optional<Collation> CollationFor(const BindSession& session, BoundQuery& query, size_t column,
                                      KeyUse use, size_t position) {
  return NeededFor(CollationOfColumn(session, query, column), use, position);
}

ExpressionPtr ChooseByCollation(BindSession& session, std::string_view function,
                                std::vector<ExpressionPtr>& arguments) {
  constexpr size_t kMostChoices = 16;  // each is compared with all others
  const bool is_null_if = function == "nullif" && arguments.size() == 2;
  const bool is_extreme = IsOneOf(function, {"greatest", "least"}) && arguments.size() > 1;
  if (!session.has_collations || !(is_null_if || is_extreme) || arguments.size() > kMostChoices)
    return nullptr;
  DerivedCollation all;
  for (const ExpressionPtr& argument : arguments) {
    if (!IsText(*argument) && !IsUntyped(*argument)) return nullptr;
    // Values are read several times.
    if (HasSubquery(*argument) || !IsDeterministic(*argument)) return nullptr;
    all = CombinedCollation(std::move(all), CollationOf(session, *argument), argument->position);
  }
  const auto collation =
      NeededFor(all, is_null_if ? KeyUse::kEquality : KeyUse::kOrder, arguments[0]->position);
  if (!collation) return nullptr;
  for (ExpressionPtr& argument : arguments) argument = Settle(session, std::move(argument));
  if (is_null_if) return NullIfEqual(*collation, arguments);
  const bool is_greatest = function == "greatest";
  return FirstExtreme(*collation, is_greatest ? ComparisonOp::kGreaterEqual : ComparisonOp::kLessEqual,
                      arguments);
}

bool IsEqualityKey(const Expression& expression, const std::string& collation) {
  const CollationData* data = DataOf(expression, kCollationKeyFunction);
  return data != nullptr && data->collation == EqualityOf(FindStoredCollation(collation));
}

ExpressionPtr CollationKeyOf(const BindSession& session, ExpressionPtr value, KeyUse use) {
  const std::optional<Collation> collation = CollationFor(session, {value.get()}, use);
  return collation ? KeyUnder(*collation, std::move(value)) : WithoutCollate(std::move(value));
}

const Expression* TextOfKey(const Expression& expression) {
  const bool is_key = DataOf(expression, kCollationKeyFunction) != nullptr;
  return is_key ? expression.As<FunctionExpression>().arguments[0].get() : nullptr;
}

void FitCollations(const BindSession& session, ComparisonOp op, ExpressionPtr& left, ExpressionPtr& right) {
  if (!session.has_collations || !IsText(*left) || !IsText(*right)) return;
  const bool is_order = op == ComparisonOp::kLess || op == ComparisonOp::kLessEqual ||
                        op == ComparisonOp::kGreater || op == ComparisonOp::kGreaterEqual;
  const auto collation =
      CollationFor(session, {left.get(), right.get()}, is_order ? KeyUse::kOrder : KeyUse::kEquality);
  for (ExpressionPtr* side : {&left, &right})
    *side = collation ? KeyUnder(*collation, std::move(*side)) : WithoutCollate(std::move(*side));
}

void FitCollations(BindSession& session, std::string_view function, std::vector<ExpressionPtr>& arguments) {
  if (!session.has_collations || arguments.size() < 2) return;
  if (IsTextTest(function)) return FitTextTest(session, arguments);
  if (function.ends_with(" any") || function.ends_with(" all"))
    return FitElementTest(session, function, arguments);
  const bool is_equality = function == "nullif";
  const bool is_order = IsOneOf(function, {"greatest", "least"});
  if (!is_equality && !is_order) return;
  for (const ExpressionPtr& argument : arguments)
    RequireBytes(session, *argument, is_equality ? KeyUse::kEquality : KeyUse::kOrder, function);
}

void RequireBytes(const BindSession& session, const Expression& value, KeyUse use, std::string_view what) {
  const std::optional<Collation> collation = CollationFor(session, {&value}, use);
  if (collation) ThrowComparesBytes(what, *collation, value.position);
}

void RequireBytes(const BindSession& session, BoundQuery& query, size_t column, std::string_view what,
                  size_t position) {
  const auto collation = CollationFor(session, query, column, KeyUse::kEquality, position);
  if (collation) ThrowComparesBytes(what, *collation, position);
}

}  // namespace scaup
