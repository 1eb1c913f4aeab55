// Binds the types of PREPARE and the arguments of EXECUTE.
#include <fmt/format.h>

#include "binder/scope/coercion.hpp"
#include "binder/scope/expression_binder.hpp"
#include "binder/scope/literal.hpp"
#include "binder/statement/binder.hpp"
#include "common/throw.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {

std::vector<LogicalType> Binder::BindParameterTypes(const std::vector<ast::TypeName>& types) {
  std::vector<LogicalType> bound;
  for (const ast::TypeName& type : types) {
    const bool is_unknown = type.names == std::vector<std::string>{"unknown"} && type.array_dimensions == 0;
    bound.push_back(is_unknown ? LogicalType(TypeId::kNull) : BindTypeName(&session_, type));
  }
  return bound;
}

std::vector<ExpressionPtr> Binder::BindArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                                 std::span<const LogicalType> types,
                                                 std::span<const LogicalType> declared_types) {
  SCAUP_ASSERT(arguments.size() == types.size());
  session_.ReserveParameters(declared_types.size());
  for (size_t i = 0; i < declared_types.size(); i++) session_.SetParameterType(i, declared_types[i]);
  std::vector<ExpressionPtr> values;
  for (size_t i = 0; i < arguments.size(); i++) {
    QueryLevel level;
    ExpressionPtr value = ExpressionBinder(session_, level, Clause::kExecute).Bind(*arguments[i]);
    if (!IsUntyped(*value) && !IsAssignable(*value, types[i])) {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
          fmt::format("parameter ${} of type {} cannot be coerced to the expected type {}; use CAST to "
                      "convert it",
                      i + 1, PostgresTypeName(value->type()), PostgresTypeName(types[i])),
          arguments[i]->position);
    }
    values.push_back(Coerce(session_, std::move(value), types[i]));
  }
  session_.SettleParameters();
  return values;
}

std::vector<LogicalType> Binder::TypesOfArguments(const std::vector<ast::ExpressionPtr>& arguments,
                                                  std::span<const LogicalType> declared_types) {
  session_.ReserveParameters(declared_types.size());
  for (size_t i = 0; i < declared_types.size(); i++) session_.SetParameterType(i, declared_types[i]);
  std::vector<LogicalType> types;
  for (const auto& argument : arguments) {
    QueryLevel level;
    types.push_back(ExpressionBinder(session_, level, Clause::kExecute).Bind(*argument)->type());
  }
  return types;
}

}  // namespace scaup
