// Trigger host: the statement that fires triggers, as they see it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "binder/scope/trigger_names.hpp"
#include "catalog/database_views.hpp"
#include "main/statement/result_data.hpp"
#include "parser/ast/statement.hpp"
#include "planner/planner.hpp"

namespace scaup {

struct InnerText;

/// Runs the statements of triggers' functions within the statement that fires them. Used by one thread.
class TriggerHost {
 public:
  virtual ~TriggerHost() = default;
  /// A statement of a trigger's function, and what it is run for. Borrows everything.
  struct Call {
    const TriggerNames& names;
    const DatabaseView& database;  ///< of the table, and so of what the function names
  };
  using Parse = std::function<ast::StatementPtr()>;

  /// Returns a statement under its key, parsed at the first time. It lives as long as the host.
  virtual InnerText& TriggerText(const Call& call, const std::string& key, const Parse& parse) = 0;
  /// Returns the plan of a statement, to look at; null if it has none.
  virtual const LogicalPlan* TriggerPlan(const Call& call, InnerText& text) = 0;
  /// Runs a statement. `parameters` are the columns of OLD and NEW, as TriggerNames has them.
  virtual std::shared_ptr<const ResultData> RunText(const Call& call, InnerText& text,
                                                    std::span<const Value> parameters) = 0;
  /// Runs a plan without parameters.
  virtual std::shared_ptr<const ResultData> RunPlan(const Call& call, LogicalPlan plan) = 0;
};

}  // namespace scaup
