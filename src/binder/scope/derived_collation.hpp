// The collation that an expression has, as SQL derives it.
#pragma once

#include "function/scalar/collation/collation.hpp"

namespace scaup {

/// The collation of an expression, and how strong its claim is. A value.
struct DerivedCollation {
  /// From the weakest.
  enum class Strength : uint8_t {
    kNone,      ///< that of the database, the order of bytes
    kImplicit,  ///< of a column of a query
    kConflict,  ///< two columns have different ones, so that only COLLATE can say which to use
    kExplicit,  ///< by COLLATE in the expression
  };
  Strength strength = Strength::kNone;
  Collation collation = {};
};

}  // namespace scaup
