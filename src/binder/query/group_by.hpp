// GROUP BY: the groups of a SELECT, and its grouping sets.
#pragma once

#include "binder/bound/bound_query.hpp"
#include "binder/scope/bind_session.hpp"
#include "binder/scope/scope.hpp"
#include "parser/ast/statement.hpp"

namespace scaup {

/// Binds GROUP BY of the statement: adds the groups and the grouping sets to `select`, whose items are bound.
/// Items that GROUP BY refers to become references to their group. REQUIRES: FROM of the level is bound.
void BindGroupBy(BindSession& session, const ast::SelectStatement& statement, QueryLevel& level,
                 BoundSelect& select);

}  // namespace scaup
