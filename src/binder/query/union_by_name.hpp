// UNION BY NAME: columns of the operands correspond by their names.
#pragma once

#include <vector>

#include "binder/scope/query_binder.hpp"

namespace scaup {

/// Gives all operands the same columns: those of the first one, then those that only later ones have, with
/// NULL where an operand lacks one. Throws 42701 if an operand has two columns of one name.
void MatchByName(BindSession& session, std::vector<BoundQueryPtr>& operands,
                 const ast::SelectStatement& statement);

}  // namespace scaup
