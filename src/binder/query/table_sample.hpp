// TABLESAMPLE: the predicate that selects the sampled rows of a table.
#pragma once

#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "parser/ast/query.hpp"

namespace scaup {

/// Returns the predicate is_sampled(row number, percent, seed), which is true for the sampled rows. For
/// SYSTEM its first argument is the number of the block of 1024 rows instead. Throws Error(2202H) or (2202G)
/// for bad arguments, 42704 for an unknown method.
ExpressionPtr BindSampleTest(BindSession& session, QueryLevel& level, const ast::TableSample& sample,
                             ColumnBinding row_number);

}  // namespace scaup
