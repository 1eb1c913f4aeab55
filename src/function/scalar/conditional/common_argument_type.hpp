// The common type of several arguments, for COALESCE, GREATEST, NULLIF and the like.
#pragma once

#include <span>
#include <string_view>

#include "function/scalar_function.hpp"
#include "type/type_rules.hpp"

namespace scaup {

/// The common type of the arguments from `first` on; VARCHAR if all are untyped NULLs. Constant texts take
/// the type of the other arguments, as untyped literals do. Throws Error(kBinder, 42804) if there is none.
LogicalType CommonArgumentType(std::string_view function_name, std::span<const BindArgument> arguments,
                               size_t first = 0, Meeting meeting = Meeting::kSideBySide);

}  // namespace scaup
