// Finds built-in scalar and aggregate functions by name and argument types.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "function/aggregate_function.hpp"
#include "function/scalar_function.hpp"

namespace scaup {

/// An immutable set of scalar and aggregate functions. Thread-safe. Names are lower case; operators go by
/// their symbols ("+",
/// "||", "~~").
class FunctionRegistry {
 public:
  /// All built-in ones; made on first use, never changed.
  static const FunctionRegistry& Builtin();

  /// Overloads of a name; empty if there are none.
  std::span<const ScalarFunction> ScalarOverloads(std::string_view name) const;
  std::span<const AggregateFunction> AggregateOverloads(std::string_view name) const;

  /// All functions, sorted by name, for listings and suggestions.
  std::vector<const ScalarFunction*> AllScalar() const;
  std::vector<const AggregateFunction*> AllAggregate() const;

 private:
  FunctionRegistry();
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// The overload with the least ImplicitCastCost for the arguments, bound to them. Throws Error(kBinder,
/// 42883) without position, listing the candidates, when none or several fit equally.
struct ResolvedScalar {
  ScalarFunction function;
  std::shared_ptr<const FunctionData> data;
};
struct ResolvedAggregate {
  AggregateFunction function;
  std::shared_ptr<const FunctionData> data;
};
ResolvedScalar ResolveScalar(const FunctionRegistry& registry, std::string_view name,
                             std::span<const BindArgument> arguments);
ResolvedAggregate ResolveAggregate(const FunctionRegistry& registry, std::string_view name,
                                   std::span<const BindArgument> arguments);

}  // namespace scaup
