// The cast of lists of regclass, regtype and their kin to lists of texts.
#pragma once

#include "function/scalar/catalog/object_number.hpp"

namespace scaup {

/// Returns the function from a list of OIDs to the list of the names that ObjectNameFunction gives. REQUIRES:
/// not kNone.
BoundFunction ObjectNamesFunction(ObjectNumber kind);

}  // namespace scaup
