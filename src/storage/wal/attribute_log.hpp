// AttributeLog: logs a collection's dictionary as far as its records need it.
#pragma once

#include <memory>

#include "common/byte_stream.hpp"
#include "common/lock/mutex.hpp"
#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Knows how much of a dictionary the newest checkpoint and the log have, and logs the rest with the commits
/// that may need it. Thread-safe, as one commit may be settled while the next one is prepared.
class AttributeLog {
 public:
  /// A size of the dictionary: how many of its first paths and attributes.
  struct Counts {
    size_t paths = 0;
    size_t attributes = 0;
  };
  /// `dictionary` is not null.
  explicit AttributeLog(std::shared_ptr<AttributeDictionary> dictionary)
      : dictionary_(std::move(dictionary)) {}

  /// Returns the current size of the dictionary.
  Counts Present() const;
  /// Writes a record with everything that neither the file nor a commit in progress has, if there is
  /// anything. Returns the size that the file has once this commit is logged.
  Counts Write(uint64_t table_id, ByteWriter& writer);
  /// Notes that the commit for which Write returned `counts` is in the log, and all commits before it.
  void Settle(Counts counts) noexcept;
  /// Notes that a commit will not be in the log. The next one writes again everything that is missing.
  void Cancel() noexcept;
  /// Notes that the file has the dictionary up to `counts`, since it was read from there or a checkpoint
  /// wrote it.
  void SetStored(Counts counts) noexcept;
  /// Applies a record, after its kind and the table's id were read. Throws Error(kIo, XX001).
  void ReadLogged(ByteReader& reader);

 private:
  std::shared_ptr<AttributeDictionary> dictionary_;
  mutable Mutex mutex_;
  Counts stored_ SCAUP_GUARDED_BY(mutex_);
  Counts written_ SCAUP_GUARDED_BY(mutex_);  // includes commits in progress
};

}  // namespace scaup
