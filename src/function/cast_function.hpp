// Casts of vectors from one type to another.
#pragma once

#include <memory>
#include <optional>

#include "function/function_context.hpp"
#include "vector/vector.hpp"

namespace scaup {

struct CastCall {
  const FunctionContext& context;
  const LogicalType& source_type;
  const LogicalType& target_type;
  /// Whether it is a TRY_CAST, in which a value that does not convert becomes NULL instead of an error.
  bool is_try = false;
};

/// Converts rows [0, count) of `source`, in any form, into `result`. Rows are checked without exceptions. For
/// the first bad one throws Error(kConversion or kOutOfRange) with its text, unless is_try. REQUIRES:
/// `result` is after Reset().
using CastKernel = void (*)(const CastCall& call, Vector& source, size_t count, Vector& result);

/// An existing cast.
struct CastFunction {
  CastKernel kernel;
  bool can_fail;  ///< false for widening casts
};

/// The explicit cast between two types; nullopt if SQL has none. For from == to it is a cast that shares the
/// vector.
std::optional<CastFunction> FindCast(const LogicalType& from, const LogicalType& to);

}  // namespace scaup
