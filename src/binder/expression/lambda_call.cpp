// Calls of functions over lists that take a lambda: list_transform, list_filter and list_reduce.
#include <fmt/format.h>

#include <algorithm>

#include "binder/bound/subquery_expression.hpp"
#include "binder/expression/bind_expression.hpp"
#include "binder/scope/coercion.hpp"
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "expression/lambda.hpp"
#include "type/type_rules.hpp"

namespace scaup {

namespace {

[[noreturn]] void ThrowCall(const std::string& message, size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction, message, position);
}

/// Binds one call.
class LambdaCallBinder {
 public:
  LambdaCallBinder(ExpressionBinder& binder, const ast::FunctionCall& call, const std::string& name)
      : binder_(binder),
        session_(binder.session()),
        call_(call),
        name_(name),
        lambda_(std::make_unique<LambdaData>()),
        table_index_(session_.NewTableIndex()) {}

  ExpressionPtr Bind();

 private:
  const ast::Lambda& LambdaAt(size_t argument) const;
  bool BindList();
  ExpressionPtr BindBody(const ast::Lambda& lambda, std::vector<LogicalType> types);
  void BindTransform();
  void BindFilter();
  void BindReduce();
  LogicalType AccumulatorType(const LogicalType& first, const Expression& body) const;
  bool IsParameter(const ColumnRefExpression& column) const {
    return column.binding.table_index == table_index_;
  }
  bool IsSameForAllElements(const Expression& expression) const;
  void TakeCaptures(ExpressionPtr& expression);
  size_t CaptureIndex(ExpressionPtr expression);

  ExpressionBinder& binder_;
  BindSession& session_;
  const ast::FunctionCall& call_;
  const std::string& name_;
  std::unique_ptr<LambdaData> lambda_;
  size_t table_index_;  ///< that of the parameters, while the body is being bound
  LogicalType element_;
  LogicalType return_type_;
  std::vector<ExpressionPtr> arguments_;  ///< the list, the initial value, the captured values
};

const ast::Lambda& LambdaCallBinder::LambdaAt(size_t argument) const {
  const bool is_there =
      argument < call_.arguments.size() && call_.arguments[argument]->kind == ast::ExpressionKind::kLambda;
  if (!is_there) {
    ThrowCall(fmt::format("{0} takes a list and then a lambda: {0}(list, {1})", name_,
                          name_ == "list_reduce" ? "lambda x, y: x + y" : "lambda x: ..."),
              call_.position);
  }
  return call_.arguments[argument]->As<ast::Lambda>();
}

/// Returns false if the list is a NULL without a type.
bool LambdaCallBinder::BindList() {
  ExpressionPtr list = binder_.Bind(*call_.arguments[0]);
  if (IsUntyped(*list) && list->kind() == ExpressionKind::kConstant &&
      list->As<ConstantExpression>().value.is_null()) {
    return false;
  }
  list = Settle(session_, std::move(list));
  if (list->type().id() != TypeId::kList || IsMap(list->type())) {
    ThrowCall(
        fmt::format("{} takes a list and a lambda; its first argument is {}", name_, list->type().ToString()),
        call_.arguments[0]->position);
  }
  element_ = list->type().element();
  if (element_.id() == TypeId::kNull) {
    element_ = TypeId::kVarchar;
    list = Coerce(session_, std::move(list), LogicalType::List(element_));
  }
  arguments_.push_back(std::move(list));
  return true;
}

ExpressionPtr LambdaCallBinder::BindBody(const ast::Lambda& lambda, std::vector<LogicalType> types) {
  const size_t least = types.size() - 1;  // the index may be omitted
  if (lambda.parameters.size() < least || lambda.parameters.size() > types.size()) {
    ThrowCall(fmt::format("the lambda of {} has {} or {} parameters, the last one for the index", name_,
                          least, types.size()),
              lambda.position);
  }
  return binder_.BindLambdaBody(lambda, types, table_index_);
}

void LambdaCallBinder::BindTransform() {
  ExpressionPtr body = Settle(session_, BindBody(LambdaAt(1), {element_, TypeId::kBigInt}));
  return_type_ = LogicalType::List(body->type());
  if (call_.arguments.size() > 2) {
    lambda_->condition = CoerceToBoolean(session_, BindBody(LambdaAt(2), {element_, TypeId::kBigInt}),
                                         "the condition of a list comprehension");
  }
  lambda_->body = std::move(body);
}

void LambdaCallBinder::BindFilter() {
  lambda_->condition = CoerceToBoolean(session_, BindBody(LambdaAt(1), {element_, TypeId::kBigInt}),
                                       "the lambda of list_filter");
  return_type_ = LogicalType::List(element_);
}

/// The common type of the first value and of what the body makes of it.
LogicalType LambdaCallBinder::AccumulatorType(const LogicalType& first, const Expression& body) const {
  const auto common = CommonType(first, body.type(), Meeting::kSideBySide);
  if (!common) {
    ThrowCall(fmt::format("the lambda of list_reduce makes {} of {}; cast one of them",
                          body.type().ToString(), first.ToString()),
              body.position.value_or(call_.position));
  }
  return *common;
}

void LambdaCallBinder::BindReduce() {
  const ast::Lambda& lambda = LambdaAt(1);
  lambda_->use = LambdaUse::kReduce;
  lambda_->has_initial = call_.arguments.size() > 2;
  LogicalType first = element_;
  if (lambda_->has_initial) {
    arguments_.push_back(binder_.BindSettled(*call_.arguments[2]));
    first = arguments_[1]->type();
  }
  ExpressionPtr body = Settle(session_, BindBody(lambda, {first, element_, TypeId::kBigInt}));
  return_type_ = AccumulatorType(first, *body);
  if (return_type_ != first) {
    // The first value has another type than the later ones, so it is cast, and the body is bound for it.
    if (lambda_->has_initial) {
      arguments_[1] = Coerce(session_, std::move(arguments_[1]), return_type_);
    } else {
      arguments_[0] = Coerce(session_, std::move(arguments_[0]), LogicalType::List(return_type_));
      element_ = return_type_;
    }
    body = Settle(session_, BindBody(lambda, {return_type_, element_, TypeId::kBigInt}));
  }
  lambda_->body = Coerce(session_, std::move(body), return_type_);
}

/// Returns the position of a captured value among the columns of the lambda.
size_t LambdaCallBinder::CaptureIndex(ExpressionPtr expression) {
  const size_t first = lambda_->argument_count();
  const auto same = std::find_if(arguments_.begin() + static_cast<std::ptrdiff_t>(first), arguments_.end(),
                                 [&](const ExpressionPtr& argument) {
                                   return !HasSubquery(*argument) && argument->Equals(*expression);
                                 });
  const auto index = static_cast<size_t>(same - arguments_.begin());
  if (same == arguments_.end()) arguments_.push_back(std::move(expression));
  return lambda_->parameter_count() + index - first;
}

/// Returns whether an expression over columns from outside may be computed once for all elements of a list,
/// even if there is none.
bool LambdaCallBinder::IsSameForAllElements(const Expression& expression) const {
  if (IsFoldable(expression) || !IsDeterministic(expression) || !CannotFail(expression)) return false;
  bool has_parameter = false;
  ForEachColumnRef(expression,
                   [&](const ColumnRefExpression& column) { has_parameter |= IsParameter(column); });
  return !has_parameter;
}

/// Makes the parameters references to the columns of the lambda, and what is computed from columns outside
/// arguments of the call.
void LambdaCallBinder::TakeCaptures(ExpressionPtr& expression) {
  CheckStack();
  const auto refer_to = [&](size_t column) {
    auto reference =
        std::make_unique<ReferenceExpression>(expression->type(), column, expression->ToString());
    reference->position = expression->position;
    return reference;
  };
  switch (expression->kind()) {
    case ExpressionKind::kColumnRef:
      if (const auto& column = expression->As<ColumnRefExpression>(); IsParameter(column)) {
        lambda_->uses_index |= column.binding.column_index + 1 == lambda_->parameter_count();
        expression = refer_to(column.binding.column_index);
        return;
      }
      break;
    case ExpressionKind::kAggregate:
    case ExpressionKind::kWindow:
    case ExpressionKind::kSubquery:
      ForEachColumnRef(*expression, [&](const ColumnRefExpression& column) {
        if (!IsParameter(column)) return;
        ThrowNotSupported("aggregates, window functions and subqueries cannot use the parameters of a lambda",
                          expression->position);
      });
      break;
    case ExpressionKind::kParameter: break;
    case ExpressionKind::kConstant:
    case ExpressionKind::kReference:
    case ExpressionKind::kFunction:
    case ExpressionKind::kCast:
    case ExpressionKind::kComparison:
    case ExpressionKind::kConjunction:
    case ExpressionKind::kNot:
    case ExpressionKind::kIsNull:
    case ExpressionKind::kInList:
    case ExpressionKind::kCase:
      if (IsSameForAllElements(*expression)) break;
      expression->ForEachChild([&](ExpressionPtr& child) { TakeCaptures(child); });
      return;
  }
  ExpressionPtr reference = refer_to(0);
  reference->As<ReferenceExpression>().index = CaptureIndex(std::move(expression));
  expression = std::move(reference);
}

ExpressionPtr LambdaCallBinder::Bind() {
  const bool is_plain =
      !call_.star && !call_.distinct && !call_.filter && !call_.over && call_.order_by.empty();
  const size_t most = name_ == "list_filter" ? 2 : 3;
  if (!is_plain || call_.arguments.empty() || call_.arguments.size() > most) LambdaAt(call_.arguments.size());
  if (!BindList()) return std::make_unique<ConstantExpression>(Value());
  if (name_ == "list_transform") {
    BindTransform();
  } else if (name_ == "list_filter") {
    BindFilter();
  } else {
    BindReduce();
  }
  if (lambda_->body) TakeCaptures(lambda_->body);
  if (lambda_->condition) TakeCaptures(lambda_->condition);
  auto result = MakeLambdaCall(name_, std::move(lambda_), std::move(arguments_), return_type_);
  result->position = call_.position;
  return result;
}

}  // namespace

bool TakesLambda(std::string_view name) {
  return name == "list_transform" || name == "list_filter" || name == "list_reduce";
}

ExpressionPtr BindLambdaCall(ExpressionBinder& binder, const ast::FunctionCall& call,
                             const std::string& name) {
  return LambdaCallBinder(binder, call, name).Bind();
}

void RefuseLambda(const ast::Lambda& lambda) {
  ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
             "a lambda can only be an argument of list_transform, list_filter or list_reduce",
             lambda.position);
}

}  // namespace scaup
