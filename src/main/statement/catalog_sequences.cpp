// The sequences that a statement's functions reach, and what a session remembers of them.
#include "main/statement/catalog_sequences.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "catalog/catalog_changes.hpp"
#include "common/throw.hpp"
#include "execution/write/written_rows.hpp"
#include "type/text/temporary_name.hpp"

namespace scaup {

/// Throws Error(kTransaction, 25006) in a read-only transaction, but for temporary sequences, and in a
/// database that is attached read-only.
static void RequireMayChange(const Transaction& transaction, const SequenceEntry& sequence,
                             const char* call) {
  if (transaction.is_read_only() && !IsTemporarySchema(sequence.schema)) {
    ThrowError(ErrorKind::kTransaction, sqlstate::kReadOnlyTransaction,
               fmt::format("cannot execute {} in a read-only transaction", call));
  }
  RequireWritableDatabase(transaction, call);
}

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

CatalogSequences::Found CatalogSequences::Find(const SequenceName& sequence) const {
  const DatabaseView* database = &databases_.home();
  std::string schema = sequence.schema;
  const DatabaseView& main = databases_.main();
  if (!sequence.database.empty()) {
    database = &databases_.Require(sequence.database, 0);
  } else if (const DatabaseView* first =
                 schema.empty() ? nullptr : databases_.FirstOfTwo(schema, *database, 0)) {
    database = first;
    schema.clear();
  }
  // Temporary sequences hide others, and are in the main database.
  const bool may_be_temporary = IsTemporarySchema(schema) || (schema.empty() && database != &main);
  if (may_be_temporary) {
    if (auto found = main.catalog->Find<SequenceEntry>(*main.transaction, kTemporarySchema, sequence.name))
      return {std::move(found), main.transaction, main.catalog};
  }
  if (auto found = database->catalog->Find<SequenceEntry>(*database->transaction, schema, sequence.name))
    return {std::move(found), database->transaction, database->catalog};
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("sequence \"{}{}{}\" does not exist", sequence.schema,
                         sequence.schema.empty() ? "" : ".", sequence.name));
}

void CatalogSequences::NoteUse(const Found& sequence) {
  sequence.catalog->RequireWritable(*sequence.transaction, sequence.entry->schema);
  MutexLock lock(mutex_);
  // A statement uses few sequences but takes many values, so each sequence is noted once.
  const bool is_known = std::any_of(used_.begin(), used_.end(),
                                    [&](const Found& used) { return used.entry == sequence.entry; });
  if (!is_known) used_.push_back(sequence);
}

int64_t CatalogSequences::NextValue(const SequenceName& sequence) {
  const Found found = Find(sequence);
  const SequenceEntryRef& entry = found.entry;
  RequireMayChange(*found.transaction, *entry, "nextval()");
  // Noted before the value is taken: a value that was given out must be logged, whatever fails afterwards.
  NoteUse(found);
  const int64_t value = entry->state->Next(entry->options);
  session_.Note(*entry, value, true);
  return value;
}

int64_t CatalogSequences::CurrentValue(const SequenceName& sequence) {
  const SequenceEntryRef entry = Find(sequence).entry;
  if (const auto value = session_.Current(*entry)) return *value;
  ThrowError(ErrorKind::kUsage, sqlstate::kObjectNotInPrerequisiteState,
             fmt::format("currval of sequence \"{}\" is not yet defined in this session: call nextval first",
                         entry->name));
}

int64_t CatalogSequences::LastValue() {
  const auto [state, value] = session_.Last();
  // A sequence that has been dropped has no last value any more.
  const bool exists = std::any_of(
      databases_.all().begin(), databases_.all().end(), [&state = state](const DatabaseView& database) {
        const auto sequences = database.catalog->ListAll<SequenceEntry>(*database.transaction);
        return std::any_of(sequences.begin(), sequences.end(),
                           [&](const auto& sequence) { return sequence->state == state; });
      });
  if (state && exists) return value;
  ThrowError(ErrorKind::kUsage, sqlstate::kObjectNotInPrerequisiteState,
             "lastval is not yet defined in this session: call nextval first");
}

void CatalogSequences::SetValue(const SequenceName& sequence, int64_t value, bool is_called) {
  const Found found = Find(sequence);
  const SequenceEntryRef& entry = found.entry;
  RequireMayChange(*found.transaction, *entry, "setval()");
  if (value < entry->options.minimum || value > entry->options.maximum) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kNumericOutOfRange,
               fmt::format("setval: value {} is out of bounds for sequence \"{}\" ({}..{})", value,
                           entry->name, entry->options.minimum, entry->options.maximum));
  }
  NoteUse(found);
  entry->state->Set({value, is_called});
  // As in PostgreSQL, setval counts for currval but not for lastval.
  if (is_called) session_.Note(*entry, value, false);
}

void CatalogSequences::NoteUses() {
  MutexLock lock(mutex_);
  // Values are taken without the transaction, since tasks must not change it. So the uses are handed over
  // here.
  for (const Found& used : used_) NoteSequenceUse(*used.transaction, used.entry);
  used_.clear();
}

}  // namespace scaup
