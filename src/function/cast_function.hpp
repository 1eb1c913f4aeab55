// Casts of whole vectors from one type to another.
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
  /// TRY_CAST: a value that does not convert becomes NULL instead of raising an error.
  bool is_try = false;
};

/// Converts rows [0, count) of `source` (any kind) into `result`, which is after Reset(). Rows are tested
/// without exceptions; for the first bad one Error(kConversion or kOutOfRange) is thrown with its text,
/// unless is_try.
using CastKernel = void (*)(const CastCall& call, Vector& source, size_t count, Vector& result);

/// A cast that exists.
struct CastFunction {
  CastKernel kernel;
  bool can_fail;  ///< false for widening casts
};

/// The explicit cast between two types, or nullopt if SQL has none. from == to gives a cast that references.
std::optional<CastFunction> FindCast(const LogicalType& from, const LogicalType& to);

}  // namespace scaup
