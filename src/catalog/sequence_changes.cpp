// Creating, replacing and dropping sequences, and logging their use.
#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_writer.hpp"
#include "catalog/table_definition.hpp"
#include "catalog/temporary_schema.hpp"

namespace scaup {

namespace {

/// Logs the position of a sequence at the commit of a transaction that advanced it. A rollback does nothing,
/// as values are never given out twice.
class SequenceUseUndo final : public UndoEntry {
 public:
  explicit SequenceUseUndo(SequenceEntryRef sequence) : sequence_(std::move(sequence)) {}
  void Log(ByteWriter& writer) const override {
    writer.WriteBytes(
        ChangeRecord(LogRecordKind::kSequencePosition, sequence_->schema, sequence_->name).bytes());
    WriteSequencePosition(sequence_->state->position(), writer);
  }
  void Commit(Timestamp, Timestamp) noexcept override {}
  void Rollback() noexcept override {}

 private:
  SequenceEntryRef sequence_;
};

}  // namespace

void CreateSequence(Catalog& catalog, Transaction& transaction, const SequenceEntryRef& sequence) {
  CatalogWriter writer(catalog, transaction);
  writer.CheckIsFree(sequence->schema, sequence->name);
  ByteWriter record = ChangeRecord(LogRecordKind::kCreateSequence);
  WriteSequenceDefinition(*sequence, record);
  writer.Put(sequence);
  writer.Note(sequence->schema, std::move(record));
}

void DropSequence(Catalog& catalog, Transaction& transaction, const std::string& schema,
                  const std::string& sequence) {
  CatalogWriter writer(catalog, transaction);
  const SequenceEntryRef dropped = writer.Find<SequenceEntry>(schema, sequence);
  writer.Remove(*dropped);
  writer.Note(schema, ChangeRecord(LogRecordKind::kDropSequence, schema, sequence));
}

void ReplaceSequence(Catalog& catalog, Transaction& transaction, const SequenceEntry& old,
                     const SequenceEntryRef& sequence) {
  CatalogWriter writer(catalog, transaction);
  writer.FindSchema(old.schema);
  ByteWriter record = ChangeRecord(LogRecordKind::kReplaceSequence, old.schema, old.name);
  WriteSequenceDefinition(*sequence, record);
  if (old.name != sequence->name || old.schema != sequence->schema)
    writer.CheckIsFree(sequence->schema, sequence->name);
  writer.Replace(old, sequence);
  writer.Note(old.schema, std::move(record));
}

void NoteSequenceUse(Transaction& transaction, const SequenceEntryRef& sequence) {
  if (IsTemporarySchema(sequence->schema)) return;
  transaction.AddUndo(std::make_unique<SequenceUseUndo>(sequence));
}

}  // namespace scaup
