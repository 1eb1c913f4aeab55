// The sequences that a statement's functions reach, and what a session remembers of them.
#include "main/statement/catalog_sequences.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog_changes.hpp"
#include "common/throw.hpp"

namespace scaup {

void SessionSequences::Note(const SequenceEntry& sequence, int64_t value, bool is_last) {
  MutexLock lock(mutex_);
  current_[sequence.state] = value;
  if (is_last) last_ = sequence.state;
}

std::optional<int64_t> SessionSequences::Current(const SequenceEntry& sequence) const {
  MutexLock lock(mutex_);
  const auto found = current_.find(sequence.state);
  if (found == current_.end()) return std::nullopt;
  return found->second;
}

void SessionSequences::Forget() {
  const MutexLock lock(mutex_);
  current_.clear();
  last_.reset();
}

std::pair<std::shared_ptr<SequenceState>, int64_t> SessionSequences::Last() const {
  MutexLock lock(mutex_);
  return {last_, last_ ? current_.at(last_) : 0};
}

SequenceEntryRef CatalogSequences::Find(const SequenceName& sequence) const {
  if (auto found = catalog_.Find<SequenceEntry>(transaction_, sequence.schema, sequence.name)) return found;
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("sequence \"{}{}{}\" does not exist", sequence.schema,
                         sequence.schema.empty() ? "" : ".", sequence.name));
}

void CatalogSequences::NoteUse(const SequenceEntryRef& sequence) {
  MutexLock lock(mutex_);
  // A statement uses few sequences but takes many values, so each sequence is noted once.
  if (std::find(used_.begin(), used_.end(), sequence) == used_.end()) used_.push_back(sequence);
}

int64_t CatalogSequences::NextValue(const SequenceName& sequence) {
  const SequenceEntryRef entry = Find(sequence);
  // Noted before the value is taken: a value that was given out must be logged, whatever fails afterwards.
  NoteUse(entry);
  const int64_t value = entry->state->Next(entry->options);
  session_.Note(*entry, value, true);
  return value;
}

int64_t CatalogSequences::CurrentValue(const SequenceName& sequence) {
  const SequenceEntryRef entry = Find(sequence);
  if (const auto value = session_.Current(*entry)) return *value;
  ThrowError(ErrorKind::kUsage, sqlstate::kObjectNotInPrerequisiteState,
             fmt::format("currval of sequence \"{}\" is not yet defined in this session: call nextval first",
                         entry->name));
}

int64_t CatalogSequences::LastValue() {
  const auto [state, value] = session_.Last();
  // A sequence that has been dropped has no last value any more.
  const auto sequences = catalog_.ListAll<SequenceEntry>(transaction_);
  if (state && std::any_of(sequences.begin(), sequences.end(),
                           [&state = state](const auto& sequence) { return sequence->state == state; }))
    return value;
  ThrowError(ErrorKind::kUsage, sqlstate::kObjectNotInPrerequisiteState,
             "lastval is not yet defined in this session: call nextval first");
}

void CatalogSequences::SetValue(const SequenceName& sequence, int64_t value, bool is_called) {
  const SequenceEntryRef entry = Find(sequence);
  if (value < entry->options.minimum || value > entry->options.maximum) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kNumericOutOfRange,
               fmt::format("setval: value {} is out of bounds for sequence \"{}\" ({}..{})", value,
                           entry->name, entry->options.minimum, entry->options.maximum));
  }
  NoteUse(entry);
  entry->state->Set({value, is_called});
  // As in PostgreSQL, setval counts for currval but not for lastval.
  if (is_called) session_.Note(*entry, value, false);
}

void CatalogSequences::NoteUses(Transaction& transaction) {
  MutexLock lock(mutex_);
  // Values are taken without the transaction, since tasks must not change it. So the uses are handed over
  // here.
  for (const SequenceEntryRef& sequence : used_) NoteSequenceUse(transaction, sequence);
  used_.clear();
}

}  // namespace scaup
