// The common type of several arguments, for COALESCE, GREATEST, NULLIF and the like.
#include "function/scalar/conditional/common_argument_type.hpp"

#include "common/throw.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

namespace scaup {

LogicalType CommonArgumentType(std::string_view function_name, std::span<const BindArgument> arguments,
                               size_t first, Meeting meeting) {
  LogicalType common;
  for (const BindArgument& argument : arguments.subspan(first)) {
    if (argument.type == TypeId::kVarchar && argument.constant != nullptr) continue;
    const auto both = CommonType(common, argument.type, meeting);
    if (!both) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
                 std::string(function_name) + " types " + PostgresTypeName(common) + " and " +
                     PostgresTypeName(argument.type) + " cannot be matched");
    }
    common = *both;
  }
  return common.id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : common;
}

}  // namespace scaup
