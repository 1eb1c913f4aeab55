// Resolves the types of calls of list functions.
#include "function/scalar/nested/list_binding.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {

std::unique_ptr<ListCallData> BindElements(ScalarFunction& function, std::span<const BindArgument> arguments,
                                           std::initializer_list<size_t> lists,
                                           std::initializer_list<size_t> elements) {
  LogicalType common;
  const auto add = [&](const LogicalType& type) {
    const auto both = CommonType(common, type, Meeting::kSideBySide);
    if (!both) {
      std::string given;
      for (const BindArgument& argument : arguments)
        given += (given.empty() ? "" : ", ") + PostgresTypeName(argument.type);
      ThrowError(
          ErrorKind::kBinder, sqlstate::kUndefinedFunction,
          "function " + function.name + "(" + given + ") does not exist; cast the elements to one type");
    }
    common = *both;
  };
  for (const size_t i : lists) {
    if (arguments[i].type.id() == TypeId::kList) add(arguments[i].type.element());
  }
  for (const size_t i : elements) add(arguments[i].type);
  if (common.id() == TypeId::kNull) common = TypeId::kVarchar;
  for (const size_t i : lists) function.argument_types[i] = LogicalType::List(common);
  for (const size_t i : elements) function.argument_types[i] = common;
  return std::make_unique<ListCallData>(common);
}

}  // namespace scaup
