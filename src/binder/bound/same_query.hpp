// Whether two queries that were bound apart are the same.
#pragma once

#include "binder/bound/bound_query.hpp"

namespace scaup {

/// True where both mean the same, clause by clause, though each has table indexes of its own. What neither
/// defines, such as columns of queries around them, has to be the very same. REQUIRES: neither is planned.
bool AreSame(BoundQuery& a, BoundQuery& b);

}  // namespace scaup
