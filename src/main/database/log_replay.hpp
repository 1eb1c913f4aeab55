// LogReplay: repeats the commits of a log in an open catalog.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "catalog/catalog.hpp"
#include "catalog/function_entry.hpp"
#include "catalog/table_definition.hpp"
#include "common/byte_stream.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

/// Makes the entry of a table that the file or the log defines.
TableEntryRef EntryOf(const TableDefinition& definition, std::shared_ptr<Table> storage);
/// Makes the storage of such a table. Throws Error(kIo, XX001), naming `path`, for an element table without
/// its collection.
std::shared_ptr<Table> MakeStorage(Catalog& catalog, const Transaction& transaction,
                                   const TableDefinition& definition, MemoryTracker& memory,
                                   const std::string& path);

/// Repeats the commits of a log, frame by frame. Owned by the DatabaseStorage; borrows everything. Used by
/// one thread at a time; other threads may read meanwhile, as each frame is a transaction.
class LogReplay {
 public:
  LogReplay(Catalog& catalog, TransactionManager& transactions, MemoryTracker& memory, std::string path);

  /// Repeats the commit of one frame. Throws Error(kIo, XX001) for bytes that do not fit the database.
  void Apply(std::span<const std::byte> payload);

 private:
  void ApplyRecord(Transaction& transaction, ByteReader& reader);
  void ReplaceTable(Transaction& transaction, ByteReader& reader);
  Table& RequireTable(ByteReader& reader) const;
  SequenceEntryRef FindSequence(Transaction& transaction, ByteReader& reader);
  ViewEntryRef FindView(Transaction& transaction, ByteReader& reader);
  FunctionEntryRef RequireFunction(Transaction& transaction, ByteReader& reader);
  TypeEntryRef RequireType(Transaction& transaction, ByteReader& reader);
  DomainEntryRef RequireDomain(Transaction& transaction, ByteReader& reader);

  Catalog& catalog_;
  TransactionManager& transactions_;
  MemoryTracker& memory_;
  std::string path_;
  std::map<uint64_t, std::shared_ptr<Table>> tables_;
};

}  // namespace scaup
