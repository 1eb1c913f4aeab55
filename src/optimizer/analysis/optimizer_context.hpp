// What the optimizer and its passes may use of the statement and the database.
#pragma once

#include <cstddef>
#include <map>

#include "common/settings.hpp"
#include "function/function_context.hpp"
#include "optimizer/analysis/relation_estimate.hpp"

namespace scaup {

class Transaction;

/// Borrowed for the time of one Optimize call.
struct OptimizerContext {
  const FunctionContext& functions;  ///< for folding constants
  Transaction& transaction;          ///< whose snapshots give the statistics; the one that runs the statement
  const Settings& settings;
};

/// The context of a pass, and table indexes that the plan does not use yet. One thread.
struct RewriteContext {
  const OptimizerContext& optimizer;
  size_t next_table_index;

  size_t NewTableIndex() { return next_table_index++; }
  /// By the number of the share; known once its definition was estimated.
  std::map<size_t, ShareEstimate> shares = {};
};

}  // namespace scaup
