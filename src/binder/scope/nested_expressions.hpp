// Access to fields of structs, for all that binds expressions.
#pragma once

#include <optional>
#include <string>

#include "binder/scope/bind_session.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// (value).name. Throws Error(42809) where the value is no struct, 42703 where it has no such field.
ExpressionPtr MakeFieldAccess(BindSession& session, ExpressionPtr value, const std::string& name,
                              std::optional<size_t> position);

/// Accesses a field, or the member of a JSON object.
ExpressionPtr MakeMember(BindSession& session, ExpressionPtr value, const std::string& name,
                         std::optional<size_t> position);

}  // namespace scaup
