// Scalar functions: one row in, one value out, a vector at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "function/function_context.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The surroundings of a call of a kernel, besides its arguments.
struct ScalarCall {
  const FunctionContext& context;
  const FunctionData* data;  ///< what `bind` returned; may be null
  const LogicalType& return_type;
};

/// The inclusive range that an expression's values lie in, with whether NULL can occur.
/// For types stored as integers only (BOOLEAN .. HUGEINT, DECIMAL unscaled, DATE, TIME, TIMESTAMP).
struct ValueRange {
  int128_t minimum;
  int128_t maximum;
  bool may_be_null = true;
};

struct ScalarFunction;

/// An argument as `bind` sees it.
struct BindArgument {
  LogicalType type;
  const Value* constant = nullptr;  ///< set where the argument is a constant
};

/// Evaluates `count` = arguments.size() rows into `result`, which is after Reset() and of the return type.
/// Throws Error for the first bad row. Arguments may be of any vector kind (constants only where another is
/// not constant: all-constant calls are evaluated once).
using ScalarKernel = void (*)(const ScalarCall& call, DataChunk& arguments, Vector& result);

/// Adapts a chosen overload to its arguments: sets argument_types (to which arguments are then cast) and
/// return_type where they depend on parameters of types, may pick another kernel, and returns data for the
/// call.
using ScalarBind = std::unique_ptr<FunctionData> (*)(ScalarFunction& function,
                                                     std::span<const BindArgument> arguments);

/// The range of the result, given those of the arguments; nullopt when unknown.
using ScalarRange = std::optional<ValueRange> (*)(std::span<const std::optional<ValueRange>> arguments,
                                                  std::span<const LogicalType> argument_types,
                                                  const LogicalType& return_type);

enum class NullHandling : uint8_t {
  kPropagate,  ///< A NULL argument gives NULL. The kernel must still leave NULL rows alone (MapUnary and kin
               ///< do).
  kSpecial,    ///< The function sees NULLs and decides.
};
enum class Volatility : uint8_t {
  kImmutable,  ///< Same arguments, same result: can be folded and done once per dictionary entry.
  kStable,     ///< Constant within one statement (now()).
  kVolatile,   ///< Differs from row to row (random()).
};

/// One overload of a function, as registered and, after binding, as called.
struct ScalarFunction {
  std::string name;
  std::vector<LogicalType> argument_types;
  LogicalType return_type;
  ScalarKernel kernel = nullptr;
  std::string description;  ///< One line.
  std::string example;      ///< SQL expression, such as "abs(-3)".
  /// Any number (at least one) of further arguments of this type.
  std::optional<LogicalType> varargs = std::nullopt;
  ScalarBind bind = nullptr;
  NullHandling nulls = NullHandling::kPropagate;
  Volatility volatility = Volatility::kImmutable;
  /// False when no row can raise an error, so that rows which a filter drops may be evaluated too.
  bool can_fail = true;
  ScalarRange range = nullptr;
  /// The kernel without overflow checks; used when `range` proves that the result fits its type.
  ScalarKernel unchecked_kernel = nullptr;
  /// True for overloads that accept any type where argument_types says kNull (bind must settle it).
  bool any_types = false;
  /// Where not empty: the names by which a call may give the arguments, f(days => 3). Those that it leaves
  /// out are 0.
  std::vector<std::string> argument_names = {};
  /// The function returns a set: it gives a list, whose elements become rows where it is called, in FROM or
  /// in the SELECT list.
  bool returns_set = false;
  /// The name of a set's column in FROM; where empty, the function's or the table's alias.
  std::string set_column = {};
};

}  // namespace scaup
