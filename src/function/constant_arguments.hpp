// Constant arguments: what the data of a call learns of them when the call is bound.
#pragma once

#include <memory>
#include <vector>

#include "function/function_context.hpp"

namespace scaup {

/// Data of calls that may treat constant arguments apart from columns.
class ConstantAwareData : public FunctionData {
 public:
  /// Returns the data of a call in which these arguments have one value in the whole statement, by their
  /// expressions; null if that makes no difference.
  virtual std::shared_ptr<const FunctionData> ForConstants(std::vector<bool> is_constant) const = 0;
};

}  // namespace scaup
