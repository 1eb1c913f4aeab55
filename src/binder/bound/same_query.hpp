// Compares two queries that were bound separately.
#pragma once

#include "binder/bound/bound_query.hpp"

namespace scaup {

/// Returns true if both queries have the same meaning, clause by clause, up to the numbering of their own
/// table indexes. References to anything outside, such as columns of outer queries, must be identical.
/// REQUIRES: neither query has been planned.
bool AreSame(BoundQuery& a, BoundQuery& b);

}  // namespace scaup
