// Writes a collection's dictionary to the log and reads it back.
#include "storage/wal/attribute_log.hpp"

#include "storage/wal/log_record_kind.hpp"

namespace scaup {

AttributeLog::Counts AttributeLog::Present() const {
  // The attributes are counted first: an attribute is added after its path, so every counted one has its
  // path.
  const size_t attributes = dictionary_->attribute_count();
  return {dictionary_->path_count(), attributes};
}

AttributeLog::Counts AttributeLog::Write(uint64_t table_id, ByteWriter& writer) {
  MutexLock lock(mutex_);
  const Counts present = Present();
  if (present.attributes == written_.attributes) return written_;  // paths without attributes are of no use
  writer.WriteU8(static_cast<uint8_t>(LogRecordKind::kAttributes));
  writer.WriteU64(table_id);
  dictionary_->Write(written_.paths, written_.attributes, writer);
  // Written does not mean durable: Settle or Cancel decides that.
  written_ = present;
  return written_;
}

void AttributeLog::Settle(Counts counts) noexcept {
  MutexLock lock(mutex_);
  if (counts.attributes > stored_.attributes) stored_ = counts;
}

void AttributeLog::Cancel() noexcept {
  MutexLock lock(mutex_);
  // This also forgets what earlier commits in progress have written. The next commit writes it again, which
  // recovery tolerates.
  written_ = stored_;
}

void AttributeLog::SetStored(Counts counts) noexcept {
  MutexLock lock(mutex_);
  stored_ = written_ = counts;
}

void AttributeLog::ReadLogged(ByteReader& reader) {
  dictionary_->Read(reader);
  SetStored(Present());
}

}  // namespace scaup
