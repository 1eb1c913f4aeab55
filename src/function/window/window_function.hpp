// The functions that exist only with OVER: their names, arguments and what listings say of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "scaup/type.hpp"

namespace scaup {

enum class WindowFunctionKind : uint8_t {
  kAggregate,  ///< an aggregate function, called with OVER
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

/// One function. All of them live as long as the program.
struct WindowFunction {
  const char* name;
  WindowFunctionKind kind;
  /// The first argument may be of any type; others are integers, but for the default of lag and lead, which
  /// has the first one's type. ntile has an integer alone.
  size_t least_arguments;
  size_t most_arguments;
  TypeId return_type;  ///< kNull: the first argument's
  const char* argument_types;
  const char* description;
  const char* example;
};

/// Sorted by name. Thread-safe.
std::span<const WindowFunction> BuiltinWindowFunctions();
/// Null if there is none of that name.
const WindowFunction* FindWindowFunction(std::string_view name);

}  // namespace scaup
