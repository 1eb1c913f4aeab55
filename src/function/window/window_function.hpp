// The functions that exist only with OVER: names, arguments, and texts for listings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

enum class WindowFunctionKind : uint8_t {
  kAggregate,  ///< an aggregate function called with OVER
  kRowNumber,
  kRank,
  kDenseRank,
  kPercentRank,
  kCumeDist,
  kNtile,
  kLag,
  kLead,
  kFirstValue,
  kLastValue,
  kNthValue,
};

/// A window function. All objects live as long as the program.
struct WindowFunction {
  const char* name;
  WindowFunctionKind kind;
  /// The first argument may be of any type, the others are integers. Exceptions: the default of lag and lead
  /// has the first one's type, and ntile's only argument is an integer.
  size_t least_arguments;
  size_t most_arguments;
  TypeId return_type;  ///< kNull: the first argument's type
  const char* argument_types;
  const char* description;
  const char* example;
};

/// All window functions, sorted by name. Thread-safe.
std::span<const WindowFunction> BuiltinWindowFunctions();
/// The function with this name; null if there is none.
const WindowFunction* FindWindowFunction(std::string_view name);

}  // namespace scaup
