// DISTINCT and set operations over texts that are equal under their collation though they differ.
#pragma once

#include "binder/bound/bound_query.hpp"
#include "binder/scope/bind_session.hpp"

namespace scaup {

/// Makes DISTINCT compare the keys of texts of which different ones are equal under their collation, in
/// hidden items. Of equal texts it returns one. The caller gives the items an index that tells them from the
/// result, if there are hidden ones.
void CompareCollated(BindSession& session, BoundSelect& select);

/// Makes UNION, INTERSECT and EXCEPT compare texts by their collation: DISTINCT of UNION ALL, or of the rows
/// of the first operand that are, or are not, in the others. Returns a set operation whose texts compare by
/// their bytes as it is. Throws 0A000 for INTERSECT ALL and EXCEPT ALL of other texts.
BoundQueryPtr FollowCollations(BindSession& session, BoundQueryPtr query, size_t position);

}  // namespace scaup
