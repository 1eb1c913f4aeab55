// Texts that the catalog stores mean the same whatever the search path is later.
#pragma once

#include <string>

#include "binder/scope/bind_session.hpp"

namespace scaup {

/// Returns the text of an expression with schemas in front of the functions, types and sequences that the
/// search path finds outside of the default schema. Without a schema, names in stored texts mean that one.
std::string WithSchemasOfPath(const BinderContext& context, const std::string& text);
/// Does that for the text of a query, and for the tables and views that it reads.
std::string QueryWithSchemasOfPath(const BinderContext& context, const std::string& text);

}  // namespace scaup
