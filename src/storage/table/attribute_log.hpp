// Keeps the dictionary of a collection in the file up to what its records need.
#pragma once

#include <memory>
#include <mutex>

#include "common/byte_stream.hpp"
#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Knows how much of a dictionary the newest checkpoint and the log have, and adds the rest to the log with
/// the commits that may need it. Thread-safe, as one commit may be settled while the next one is prepared.
class AttributeLog {
 public:
  /// How much of a dictionary, of the first ones.
  struct Counts {
    size_t paths = 0;
    size_t attributes = 0;
  };
  /// `dictionary`: null for a table that is no collection, of which nothing is ever written.
  explicit AttributeLog(std::shared_ptr<AttributeDictionary> dictionary)
      : dictionary_(std::move(dictionary)) {}

  /// The counts as they are now.
  Counts Present() const;
  /// Writes a record with what neither the file nor a commit on its way has, if there is anything. Returns
  /// what the file has once this commit is there.
  Counts Write(uint64_t table_id, ByteWriter& writer);
  /// The commit that got these counts from Write is in the log, and those before it.
  void Settle(Counts counts) noexcept;
  /// A commit will not be in the log: the next one writes all again that is not there.
  void Cancel() noexcept;
  /// The file has that much: it was read there, or a checkpoint has put it there.
  void SetStored(Counts counts) noexcept;
  /// Does what a record says, after its kind and the table's id. Throws Error(kIo, XX001).
  void ReadLogged(ByteReader& reader);

 private:
  std::shared_ptr<AttributeDictionary> dictionary_;
  mutable std::mutex mutex_;
  Counts stored_;
  Counts written_;  // By commits on their way, too.
};

}  // namespace scaup
