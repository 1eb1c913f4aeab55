// Aggregate source: where the aggregates are looked up that a call may mean.
#pragma once

#include <functional>

#include "function/function_registry.hpp"

namespace scaup {

/// The aggregates that a call may mean. Borrows the registry.
struct AggregateSource {
  const FunctionRegistry& registry;
  /// Called with the overload that is chosen.
  std::function<void(const AggregateFunction& chosen)> note;
};

}  // namespace scaup
