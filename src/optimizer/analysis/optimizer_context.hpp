// The parts of the statement and the database that optimizer passes may use.
#pragma once

#include <cstddef>
#include <map>

#include "common/settings/settings.hpp"
#include "function/function_context.hpp"
#include "optimizer/analysis/relation_estimate.hpp"

namespace scaup {

class Transaction;

/// The context of one Optimize call, which borrows everything.
struct OptimizerContext {
  const FunctionContext& functions;  ///< for folding constants
  Transaction& transaction;          ///< runs the statement; its snapshots yield the statistics
  const Settings& settings;
};

/// The context of a pass; allocates table indexes that the plan does not use yet. One thread at a time.
struct RewriteContext {
  const OptimizerContext& optimizer;
  size_t next_table_index;

  size_t NewTableIndex() { return next_table_index++; }
  /// By share number; known once the share's definition was estimated.
  std::map<size_t, ShareEstimate> shares = {};
};

}  // namespace scaup
