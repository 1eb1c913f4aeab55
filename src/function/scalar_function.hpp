// Scalar functions: one value per row, computed a vector at a time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "function/function_context.hpp"
#include "vector/data_chunk.hpp"

namespace scaup {

/// The context of a kernel's call, besides its arguments.
struct ScalarCall {
  const FunctionContext& context;
  const FunctionData* data;  ///< the result of `bind`; may be null
  const LogicalType& return_type;
};

/// The inclusive range of an expression's values, and whether NULL can occur. Only for types stored as
/// integers (BOOLEAN .. HUGEINT, DECIMAL unscaled, DATE, TIME, TIMESTAMP).
struct ValueRange {
  int128_t minimum;
  int128_t maximum;
  bool may_be_null = true;
};

struct ScalarFunction;

/// An argument as `bind` sees it.
struct BindArgument {
  LogicalType type;
  const Value* constant = nullptr;  ///< set if the argument is constant
};

/// Evaluates `count` = arguments.size() rows into `result`. Throws Error for the first bad row. Arguments may
/// be of any vector form, but not all of them constant, because such calls are evaluated once. REQUIRES:
/// `result` is after Reset() and of the return type.
using ScalarKernel = void (*)(const ScalarCall& call, DataChunk& arguments, Vector& result);

/// Adapts a chosen overload to its arguments. It sets argument_types (to which arguments are then cast) and
/// return_type if they depend on type parameters, may choose another kernel, and returns data for the call.
using ScalarBind = std::unique_ptr<FunctionData> (*)(ScalarFunction& function,
                                                     std::span<const BindArgument> arguments);

/// Computes the range of the result from those of the arguments; nullopt if unknown.
using ScalarRange = std::optional<ValueRange> (*)(std::span<const std::optional<ValueRange>> arguments,
                                                  std::span<const LogicalType> argument_types,
                                                  const LogicalType& return_type);

enum class NullHandling : uint8_t {
  kPropagate,  ///< A NULL argument yields NULL. The kernel must not evaluate NULL rows (MapUnary and the like
               ///< do not).
  kSpecial,    ///< the function sees NULLs and decides
};
enum class Volatility : uint8_t {
  kImmutable,  ///< same arguments, same result: can be folded, and evaluated once per dictionary entry
  kStable,     ///< constant within a statement: now()
  kVolatile,   ///< differs from row to row: random()
};

/// One overload of a function: as registered and, after binding, as called.
struct ScalarFunction {
  std::string name;
  std::vector<LogicalType> argument_types;
  LogicalType return_type;
  ScalarKernel kernel = nullptr;
  std::string description;  ///< one line
  std::string example;      ///< an SQL expression, such as "abs(-3)"
  /// The type of any number (at least one) of further arguments.
  std::optional<LogicalType> varargs = std::nullopt;
  ScalarBind bind = nullptr;
  /// The data of every call of a function of the program; null for built-in functions.
  std::shared_ptr<const FunctionData> data = nullptr;
  NullHandling nulls = NullHandling::kPropagate;
  Volatility volatility = Volatility::kImmutable;
  /// False if no row can raise an error, so that even rows that a filter drops may be evaluated.
  bool can_fail = true;
  ScalarRange range = nullptr;
  /// The kernel without overflow checks, for use when `range` proves that the result fits its type.
  ScalarKernel unchecked_kernel = nullptr;
  /// Whether arguments with kNull in argument_types may be of any type; `bind` must resolve it.
  bool any_types = false;
  /// The names for calls with named arguments, f(days => 3), if any. Arguments that a call omits are 0.
  std::vector<std::string> argument_names = {};
  /// Whether the function returns a set. It returns a list, whose elements become rows in FROM or in the
  /// SELECT list.
  bool returns_set = false;
  /// The name of a set's column in FROM; if empty, the function's name or the table's alias.
  std::string set_column = {};
};

}  // namespace scaup
