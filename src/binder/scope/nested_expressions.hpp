// Access to fields of structs and to members of JSON objects.
#pragma once

#include <optional>
#include <string>

#include "binder/scope/bind_session.hpp"
#include "expression/expression.hpp"

namespace scaup {

/// Makes the field access (value).name. Throws Error(42809) if the value is not a struct, 42703 if it has no
/// such field.
ExpressionPtr MakeFieldAccess(BindSession& session, ExpressionPtr value, const std::string& name,
                              std::optional<size_t> position);

/// Accesses a field of a struct or a member of a JSON object.
ExpressionPtr MakeMember(BindSession& session, ExpressionPtr value, const std::string& name,
                         std::optional<size_t> position);

}  // namespace scaup
