// Finds the places of literals in syntax trees, and gives parameters their values.
#include "main/session/literal_parameters.hpp"

#include <algorithm>

#include "common/stack_bound.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

using Use = LiteralParameter::Use;
using Kind = TextLiteral::Kind;

bool IsComparison(const std::string& symbol) {
  return symbol == "=" || symbol == "<>" || symbol == "<" || symbol == "<=" || symbol == ">" ||
         symbol == ">=";
}

bool IsSum(const std::string& symbol) { return symbol == "+" || symbol == "-"; }

bool IsColumn(const ast::ExpressionPtr& expression) {
  return expression && expression->kind == ast::ExpressionKind::kColumn;
}

bool IsLiteral(const ast::ExpressionPtr& expression) {
  return expression && expression->kind == ast::ExpressionKind::kLiteral;
}

/// Walks over the places of a statement where a literal and a parameter mean the same.
class LiteralReplacement {
 public:
  LiteralReplacement(std::string_view sql, const TextShape& shape)
      : sql_(sql), literals_(shape.literals), found_(literals_.size()) {}

  void Visit(ast::Statement& statement) {
    switch (statement.kind) {
      case ast::StatementKind::kSelect: return VisitCondition(statement.As<ast::SelectStatement>().where);
      case ast::StatementKind::kUpdate: {
        auto& update = statement.As<ast::UpdateStatement>();
        for (ast::Assignment& assignment : update.assignments) VisitAssigned(assignment.value);
        return VisitCondition(update.where);
      }
      case ast::StatementKind::kDelete: return VisitCondition(statement.As<ast::DeleteStatement>().where);
      case ast::StatementKind::kInsert: return VisitInsert(statement.As<ast::InsertStatement>());
      default: return;
    }
  }

  /// Returns what became of the literals; nullopt unless all of them were replaced.
  std::optional<std::vector<LiteralParameter>> Finish() const {
    std::vector<LiteralParameter> parameters;
    for (const auto& each : found_) {
      if (!each) return std::nullopt;
      parameters.push_back(*each);
    }
    return parameters;
  }

 private:
  void VisitInsert(ast::InsertStatement& insert) {
    if (insert.is_object || !insert.query) return;
    for (auto& row : insert.query->values) {
      for (ast::ExpressionPtr& value : row) VisitAssigned(value);
    }
  }

  void VisitCondition(ast::ExpressionPtr& condition) {
    if (!condition) return;
    switch (condition->kind) {
      case ast::ExpressionKind::kAnd:
      case ast::ExpressionKind::kOr:
        CheckStack();
        for (auto& child : static_cast<ast::Conjunction&>(*condition).children) VisitCondition(child);
        return;
      case ast::ExpressionKind::kOperator: {
        auto& comparison = static_cast<ast::Operator&>(*condition);
        if (!IsComparison(comparison.symbol)) return;
        if (IsColumn(comparison.left)) Replace(comparison.right, Use::kCompared);
        if (IsColumn(comparison.right)) Replace(comparison.left, Use::kCompared);
        return;
      }
      default: return;
    }
  }

  void VisitAssigned(ast::ExpressionPtr& value) {
    if (!value || value->kind != ast::ExpressionKind::kOperator) return Replace(value, Use::kAssigned);
    auto& sum = static_cast<ast::Operator&>(*value);
    if (!IsSum(sum.symbol)) return;
    if (IsColumn(sum.left)) Replace(sum.right, Use::kOperand);
    if (IsColumn(sum.right)) Replace(sum.left, Use::kOperand);
  }

  /// Puts a parameter in the place of an expression that is a literal of the text.
  void Replace(ast::ExpressionPtr& expression, Use use) {
    if (!IsLiteral(expression)) return;
    const auto& literal = expression->As<ast::Literal>();
    const auto found = Find(literal.position);
    if (!found || !IsSame(literals_[found->index], literal, found->is_negated)) return;
    if (use == Use::kOperand && literals_[found->index].kind == Kind::kString) return;
    auto parameter = std::make_unique<ast::Parameter>();
    parameter->index = found->index;
    parameter->position = literal.position;
    found_[found->index] = LiteralParameter{use, found->is_negated, literals_[found->index].end};
    expression = std::move(parameter);
  }

  struct Place {
    size_t index;
    bool is_negated;
  };

  /// Finds the literal of the text that begins at a position, or behind the minus sign that does.
  std::optional<Place> Find(size_t position) const {
    const auto next =
        std::lower_bound(literals_.begin(), literals_.end(), position,
                         [](const TextLiteral& literal, size_t wanted) { return literal.begin < wanted; });
    if (next == literals_.end()) return std::nullopt;
    const auto index = static_cast<size_t>(next - literals_.begin());
    if (next->begin == position) return Place{index, false};
    if (sql_[position] != '-') return std::nullopt;
    const std::string_view between = sql_.substr(position + 1, next->begin - position - 1);
    if (between.find_first_not_of(' ') != std::string_view::npos) return std::nullopt;
    return Place{index, true};
  }

  static bool IsSame(const TextLiteral& given, const ast::Literal& literal, bool is_negated) {
    if (given.kind == Kind::kString)
      return literal.literal == ast::Literal::Kind::kString && literal.text == given.text;
    return literal.literal == ast::Literal::Kind::kInteger &&
           literal.integer == (is_negated ? -given.integer : given.integer);
  }

  const std::string_view sql_;
  const std::vector<TextLiteral>& literals_;
  std::vector<std::optional<LiteralParameter>> found_;
};

Value ValueOf(const LiteralParameter& parameter, const TextLiteral& literal) {
  const int64_t integer = parameter.is_negated ? -literal.integer : literal.integer;
  switch (literal.kind) {
    case Kind::kInteger: return Value::Integer(static_cast<int32_t>(integer));
    case Kind::kBigInt: return Value::BigInt(integer);
    case Kind::kString: break;
  }
  return Value::Varchar(literal.text);
}

/// Returns whether a parameter for a literal may have a type.
bool IsLikeLiteral(const LiteralParameter& parameter, Kind kind, const LogicalType& type) {
  if (ModifierBits(type) != 0) return false;
  if (kind == Kind::kString) {
    return type.id() == TypeId::kVarchar || type.id() == TypeId::kUuid || type.id() == TypeId::kDate ||
           type.id() == TypeId::kTimestamp;
  }
  if (parameter.use == Use::kOperand)
    return type.id() == (kind == Kind::kInteger ? TypeId::kInteger : TypeId::kBigInt);
  // A number beside a column of another kind of numbers makes both of them what they have in common.
  if (parameter.use == Use::kCompared) return type.IsInteger();
  return type.IsInteger() || type.id() == TypeId::kDecimal || type.id() == TypeId::kDouble;
}

/// Returns whether a text means the same as a literal and as a value. Words for moments, such as 'today', are
/// none, and spaces at the end of a literal do not count beside a CHAR(n).
bool IsPlain(const TextLiteral& literal, const LogicalType& type) {
  if (literal.kind != Kind::kString || type.id() == TypeId::kUuid) return true;
  if (type.id() == TypeId::kVarchar) return !literal.text.ends_with(' ');
  return !literal.text.empty() && literal.text[0] >= '0' && literal.text[0] <= '9';
}

}  // namespace

std::optional<std::vector<LiteralParameter>> ParameterizeLiterals(ast::Statement& statement,
                                                                  std::string_view sql,
                                                                  const TextShape& shape) {
  if (statement.parameter_count != 0) return std::nullopt;
  LiteralReplacement replacement(sql, shape);
  replacement.Visit(statement);
  auto parameters = replacement.Finish();
  if (parameters) statement.parameter_count = parameters->size();
  return parameters;
}

std::vector<LogicalType> TypesToBind(const std::vector<LiteralParameter>& parameters,
                                     const TextShape& shape) {
  std::vector<LogicalType> types(parameters.size());
  for (size_t i = 0; i < types.size(); i++) {
    if (parameters[i].use != Use::kOperand) continue;
    types[i] = shape.literals[i].kind == Kind::kInteger ? TypeId::kInteger : TypeId::kBigInt;
  }
  return types;
}

bool AreBoundLikeLiterals(const std::vector<LiteralParameter>& parameters, const TextShape& shape,
                          const PreparedPlan& prepared) {
  // The meaning of documents' paths follows the values beside them.
  if (prepared.follows_given_types || !prepared.known_attributes.empty()) return false;
  if (prepared.parameter_types.size() != parameters.size()) return false;
  for (size_t i = 0; i < parameters.size(); i++) {
    if (!IsLikeLiteral(parameters[i], shape.literals[i].kind, prepared.parameter_types[i])) return false;
  }
  return true;
}

std::optional<std::vector<Value>> ValuesOfLiterals(const std::vector<LiteralParameter>& parameters,
                                                   const TextShape& shape,
                                                   const std::vector<LogicalType>& types) {
  std::vector<Value> values(parameters.size());
  for (size_t i = 0; i < values.size(); i++) {
    const TextLiteral& literal = shape.literals[i];
    Value value = ValueOf(parameters[i], literal);
    if (!IsPlain(literal, types[i])) return std::nullopt;
    if (value.type() == types[i]) {
      values[i] = std::move(value);
    } else if (!CastValue(value, types[i], values[i])) {
      return std::nullopt;
    }
  }
  return values;
}

MovedPositions::MovedPositions(const std::vector<LiteralParameter>& parameters, const TextShape& shape) {
  ptrdiff_t distance = 0;
  for (size_t i = 0; i < parameters.size(); i++) {
    const auto here =
        static_cast<ptrdiff_t>(shape.literals[i].end) - static_cast<ptrdiff_t>(parameters[i].end);
    if (here == distance) continue;
    distance = here;
    steps_.push_back({parameters[i].end, distance});
  }
}

Error MovedPositions::Move(const Error& error) const {
  if (!error.position()) return error;
  const size_t position = *error.position();
  const auto after = std::upper_bound(steps_.begin(), steps_.end(), position,
                                      [](size_t wanted, const Step& step) { return wanted < step.begin; });
  if (after == steps_.begin()) return error;
  const auto moved = static_cast<size_t>(static_cast<ptrdiff_t>(position) + std::prev(after)->distance);
  return {error.kind(), error.sqlstate(), error.message(), moved};
}

}  // namespace scaup
