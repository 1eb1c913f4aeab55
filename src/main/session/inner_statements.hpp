// Inner statements: those that functions of the program run within the statement that calls them.
#pragma once

#include <list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/lock/mutex.hpp"
#include "function/function_context.hpp"
#include "main/session/inner_texts.hpp"
#include "main/statement/statement_execution.hpp"
#include "main/trigger/trigger_host.hpp"

namespace scaup {

/// Runs statements within another one, one at a time: queries of functions, and triggers. Owned by the outer
/// statement's execution; any thread that works for it may call.
class InnerStatements final : public InnerWork, private TriggerHost {
 public:
  /// Shares what the outer statement uses of its session. `texts` are those of earlier statements, borrowed;
  /// `depth` counts the statements around it that run within others.
  InnerStatements(const SessionServices& session, InnerTexts& texts, size_t depth)
      : session_(session), texts_(texts), depth_(depth) {}
  /// Leaves its texts to later statements.
  ~InnerStatements() override;

  /// Begins a statement that functions can run others in. `outer` is the one that it runs within, with its
  /// inner statements; null if there is none.
  static std::unique_ptr<StatementExecution> Begin(const SessionServices& session, InnerTexts& texts,
                                                   const StatementExecution* outer = nullptr,
                                                   const InnerStatements* of_outer = nullptr);

  /// See CallingStatement::Query. `has_effects` is whether the function has effects.
  std::shared_ptr<const ResultData> Run(std::string_view sql, std::span<const Value> parameters,
                                        const std::string& function, bool has_effects);
  void RunTriggers(RowChanges& changes, const DatabaseViews& databases) override;
  void RunTriggersBefore(const std::vector<std::unique_ptr<RowChanges::Target>>& targets,
                         const DatabaseViews& databases) override;

 private:
  InnerText& TriggerText(const Call& call, const std::string& key, const Parse& parse) override;
  const LogicalPlan* TriggerPlan(const Call& call, InnerText& text) override;
  std::shared_ptr<const ResultData> RunText(const Call& call, InnerText& text,
                                            std::span<const Value> parameters) override;
  std::shared_ptr<const ResultData> RunPlan(const Call& call, LogicalPlan plan) override;
  /// Throws 54001 if triggers fire triggers without end.
  void CheckTriggerDepth(const RowChanges::Target& target) const;
  /// Returns what a statement uses of the session: that of the outer one, in a database.
  SessionServices Services(std::string& home, QueryProgress& progress) const;
  /// Begins a statement of a trigger's function.
  std::unique_ptr<StatementExecution> BeginTriggered(const Call& call, std::string& home,
                                                     QueryProgress& progress) const;
  /// Makes the plan of a statement, unless it has one that fits.
  void PrepareTriggered(StatementPreparer& preparer, InnerText& text) const;

  /// Finds a text, or parses it. Functions run the same few texts for one row after the other.
  InnerText& Find(std::string_view sql, std::span<const Value> parameters, const std::string& function)
      SCAUP_REQUIRES_LOCK(mutex_);
  InnerText& Add(std::unique_ptr<InnerText> text) SCAUP_REQUIRES_LOCK(mutex_);
  std::shared_ptr<const ResultData> RunStatement(InnerText& known, std::span<const Value> parameters,
                                                 const std::string& function, bool has_effects)
      SCAUP_REQUIRES_LOCK(mutex_);

  const SessionServices session_;
  InnerTexts& texts_;
  const StatementExecution* outer_ = nullptr;  // set when it has begun
  const size_t depth_;
  Mutex mutex_;  // held while a statement runs, which uses the transaction and the session's objects
  std::vector<std::unique_ptr<InnerText>> triggered_;  // used by the thread that runs triggers
  std::list<std::unique_ptr<InnerText>> known_ SCAUP_GUARDED_BY(mutex_);  // the one used last comes first
};

}  // namespace scaup
