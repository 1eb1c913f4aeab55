// Finds built-in functions and those of the program by name and argument types.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "function/aggregate_function.hpp"
#include "function/rows_function.hpp"
#include "function/scalar_function.hpp"

namespace scaup {

/// An immutable set of functions. Thread-safe. Names are in lower case; operators are
/// found by their symbols ("+", "||", "~~").
class FunctionRegistry {
 public:
  /// All built-in functions; made at the first use.
  static const FunctionRegistry& Builtin();

  /// These functions and `more`, `aggregates` and `rows`, whose names are others.
  FunctionRegistry With(std::vector<ScalarFunction> more, std::vector<AggregateFunction> aggregates,
                        std::vector<RowsFunctionRef> rows = {}) const;

  /// The overloads of a name; empty if there are none.
  std::span<const ScalarFunction> ScalarOverloads(std::string_view name) const;
  std::span<const AggregateFunction> AggregateOverloads(std::string_view name) const;
  /// The function of the program that returns rows; null if there is none.
  RowsFunctionRef FindRows(std::string_view name) const;

  /// All functions, sorted by name, for listings and suggestions.
  std::vector<const ScalarFunction*> AllScalar() const;
  std::vector<const AggregateFunction*> AllAggregate() const;

 private:
  FunctionRegistry();
  struct Impl;
  std::shared_ptr<const Impl> impl_;
};

/// An overload bound to its arguments. Resolution chooses the one with the least ImplicitCastCost. It throws
/// Error(kBinder, 42883) without position, listing the candidates, if none or several fit equally well.
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
