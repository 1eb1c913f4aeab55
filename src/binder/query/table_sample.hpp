// TABLESAMPLE: which rows of a table are in a sample.
#pragma once

#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "parser/ast/query.hpp"

namespace scaup {

/// The predicate of the rows that are in a sample of a table: is_sampled(row number, percent, seed), which
/// for SYSTEM takes the number of the block of 1024 rows. Throws Error(2202H) or (2202G) for bad arguments,
/// 42704 for an unknown method.
ExpressionPtr BindSampleTest(BindSession& session, QueryLevel& level, const ast::TableSample& sample,
                             ColumnBinding row_number);

}  // namespace scaup
