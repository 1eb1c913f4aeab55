// json_to_record, json_to_recordset and their JSONB variants: records whose columns FROM defines.
#pragma once

#include <string_view>
#include <vector>

#include "binder/scope/expression_binder.hpp"
#include "parser/ast/query.hpp"

namespace scaup {

/// Returns whether a function needs a list of column definitions.
bool IsRecordFunction(std::string_view name);
/// Binds a call in FROM as a list of structs, one for each record. Throws 42601 if the function has no list
/// of column definitions, or another function has one.
std::vector<ExpressionPtr> BindRecords(ExpressionBinder& binder, const ast::FunctionTable& table,
                                       const ast::FunctionCall& call);

}  // namespace scaup
