// Row changes: what a statement has done to tables with triggers.
#include "execution/write/row_changes.hpp"

#include <algorithm>
#include <utility>

namespace scaup {

namespace {

template <typename Test>
bool AnyAfterTrigger(const TableEntry& table, uint8_t event, const std::vector<size_t>& columns,
                     const Test& test) {
  const auto& triggers = table.constraints.triggers;
  return std::any_of(triggers.begin(), triggers.end(), [&](const TriggerDefinition& trigger) {
    return trigger.timing == TriggerTiming::kAfter && trigger.FiresFor(event, table, columns) &&
           test(trigger);
  });
}

}  // namespace

bool RowChanges::Fires(const TableEntry& table, uint8_t event, const std::vector<size_t>& columns) {
  return AnyAfterTrigger(table, event, columns, [](const TriggerDefinition&) { return true; });
}

bool RowChanges::WantsRows(const TableEntry& table, uint8_t event, const std::vector<size_t>& columns) {
  return AnyAfterTrigger(table, event, columns, [](const TriggerDefinition& trigger) {
    return trigger.is_for_each_row || !trigger.old_table.empty() || !trigger.new_table.empty();
  });
}

RowChanges::Target* RowChanges::Find(const TableEntry& table, uint8_t event) {
  const auto place = std::find_if(targets_.begin(), targets_.end(), [&](const auto& target) {
    return target->table->storage == table.storage && target->event == event;
  });
  return place == targets_.end() ? nullptr : place->get();
}

void RowChanges::AddTarget(const TableEntryRef& table, uint8_t event, const std::vector<size_t>& columns) {
  if (!Fires(*table, event, columns)) return;
  const MutexLock lock(mutex_);
  Target* target = Find(*table, event);
  if (target == nullptr) {
    targets_.push_back(std::make_unique<Target>(Target{table, event, {}, nullptr}));
    target = targets_.back().get();
  }
  for (const size_t column : columns) {
    if (std::find(target->columns.begin(), target->columns.end(), column) == target->columns.end())
      target->columns.push_back(column);
  }
}

void RowChanges::AddRows(QueryContext& context, const TableEntryRef& table, uint8_t event, DataChunk& rows) {
  const MutexLock lock(mutex_);
  Target* const target = Find(*table, event);
  if (target == nullptr) return;
  if (!target->rows) target->rows = std::make_unique<SpillableRows>(context, rows.types());
  target->rows->Append(rows);
}

bool RowChanges::empty() const {
  const MutexLock lock(mutex_);
  return targets_.empty();
}

std::vector<std::unique_ptr<RowChanges::Target>> RowChanges::Take() {
  const MutexLock lock(mutex_);
  for (const auto& target : targets_) {
    if (target->rows) target->rows->Finish();
  }
  // As in PostgreSQL, where one statement has several kinds of changes: MERGE and ON CONFLICT.
  const auto rank = [](const std::unique_ptr<Target>& target) {
    return target->event == kOnDelete ? 0 : target->event == kOnUpdate ? 1 : 2;
  };
  std::stable_sort(targets_.begin(), targets_.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  return std::exchange(targets_, {});
}

std::vector<LogicalType> ChangedRowTypes(const TableEntry& table, uint8_t event) {
  std::vector<LogicalType> types;
  for (int row = event == kOnUpdate ? 2 : 1; row > 0; row--) {
    for (const size_t column : table.VisibleColumns()) types.push_back(table.columns[column].type);
  }
  return types;
}

}  // namespace scaup
