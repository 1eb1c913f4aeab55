// The test of a value by a rule of its domain.
#pragma once

#include <memory>
#include <string>

#include "function/scalar_function.hpp"

namespace scaup {

/// A function of a value and of the rule's condition. Its result is the value; it throws Error(kConstraint)
/// where the condition is false. NULL satisfies a rule.
struct BoundDomainCheck {
  ScalarFunction function;
  std::shared_ptr<const FunctionData> data;
};
BoundDomainCheck MakeDomainCheck(const LogicalType& type, const char* state, std::string message);

}  // namespace scaup
