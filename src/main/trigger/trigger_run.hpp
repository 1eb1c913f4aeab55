// Fires the AFTER triggers of a statement.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "execution/write/row_changes.hpp"
#include "main/trigger/trigger_host.hpp"

namespace scaup {

/// The triggers of one statement, once it has written everything. Those of rows fire first: for each row, in
/// the order of the changes of each kind, all triggers in the order of their names. Where it means the same,
/// a statement of a function is run once over all rows. Made for one statement; used by one thread; borrows
/// everything.
class TriggerRun {
 public:
  TriggerRun(TriggerHost& host, const DatabaseViews& databases) : host_(host), databases_(databases) {}
  /// Fires all. Throws what the functions throw, with the name of the trigger.
  void Run(const std::vector<std::unique_ptr<RowChanges::Target>>& targets);
  /// Fires those that run once BEFORE a statement; the targets have no rows. Throws likewise.
  void RunBefore(const std::vector<std::unique_ptr<RowChanges::Target>>& targets);

 private:
  /// A trigger that fires, with its statements.
  struct Firing {
    TriggerNames names;
    InnerText* condition = nullptr;  ///< SELECT of WHEN; null if there is none
    std::vector<InnerText*> statements;
    /// By row: whether the condition holds; empty if all rows count.
    std::vector<bool> holds;
  };

  void RunForRows(const RowChanges::Target& target);
  void RunForStatement(const RowChanges::Target& target, TriggerTiming timing);
  TriggerHost::Call CallOf(const Firing& firing) const {
    return {firing.names, databases_.Of(*firing.names.table->storage)};
  }
  /// Finds the triggers of the target that are of rows, or of the statement.
  std::vector<Firing> FiringsOf(const RowChanges::Target& target, TriggerTiming timing,
                                bool is_for_each_row) const;
  Firing MakeFiring(const RowChanges::Target& target, const TriggerDefinition& trigger) const;
  /// Runs all statements over all rows, if this means the same as row after row. Returns whether it has.
  bool RunOverRows(const RowChanges::Target& target, const std::vector<Firing>& firings) const;
  void RunRowByRow(const RowChanges::Target& target, std::vector<Firing>& firings) const;
  void FindWhereHolds(const RowChanges::Target& target, Firing& firing) const;
  bool Holds(const Firing& firing, std::span<const Value> row) const;

  TriggerHost& host_;
  const DatabaseViews& databases_;
};

}  // namespace scaup
