// IpcDecoder: the state that messages of Arrow's IPC format are read with: the schema and the dictionaries.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "format/arrow/ipc/flat_table.hpp"
#include "format/arrow/ipc/ipc_batch.hpp"
#include "format/arrow/ipc/ipc_field.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"
#include "format/arrow/ipc/ipc_schema.hpp"

namespace scaup {

/// The kind of a message, and the size of its body, which its FlatBuffer tells.
struct IpcMessageInfo {
  ipc::Header kind = {};
  uint64_t body_bytes = 0;
};
/// Throws Error(22P04) for a damaged message.
IpcMessageInfo ReadIpcMessage(std::span<const std::byte> metadata);

/// The sizes of the prefix of a message and of the FlatBuffer behind it.
struct IpcPrefix {
  size_t prefix_bytes = 0;
  size_t metadata_bytes = 0;  ///< 0: the mark of a stream's end
};
constexpr size_t kMostIpcPrefixBytes = 8;
/// Reads the first bytes of a message; returns nullopt if more are needed. Throws Error(22P04).
std::optional<IpcPrefix> ReadIpcPrefix(std::span<const std::byte> bytes);

/// Reads messages; `metadata` is the FlatBuffer of each. Functions throw Error(22P04) for damaged data, and
/// 0A000 for what is not supported. Once the dictionaries are read, several threads may read batches.
class IpcDecoder {
 public:
  void ReadSchema(std::span<const std::byte> metadata);
  void ReadDictionary(std::span<const std::byte> metadata, IpcBodySource body);
  /// Reads a batch: a struct of all columns, or of those that are given, in their order.
  std::shared_ptr<const IpcArray> ReadBatch(std::span<const std::byte> metadata, IpcBodySource body,
                                            std::optional<std::span<const size_t>> columns = {}) const;
  /// Returns the number of rows of a batch.
  static int64_t RowsOfBatch(std::span<const std::byte> metadata);

  /// Null before the schema has been read.
  const std::shared_ptr<const IpcField>& schema() const { return schema_; }

 private:
  void NoteDictionaries(const IpcField& field, const IpcColumn& column);

  std::shared_ptr<const IpcField> schema_;
  IpcColumn columns_;
  std::map<int64_t, std::pair<const IpcField*, const IpcColumn*>> dictionary_types_;
  IpcDictionaries dictionaries_;
};

}  // namespace scaup
