// Schemas of Arrow's IPC format as those of the C data interface.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "format/arrow/ipc/flat_table.hpp"
#include "scaup/arrow.h"

namespace scaup {

/// A field of a schema, in the terms of the C data interface. Immutable once it is read.
struct IpcField {
  std::string name, format, metadata;
  int64_t flags = 0;
  std::vector<std::unique_ptr<IpcField>> children;
  std::unique_ptr<IpcField> dictionary;  ///< the type of a dictionary's values
  int64_t dictionary_id = 0;             ///< the number by which batches name it
};

/// Reads the schema of a message as a struct of its columns. Throws Error(22P04) if it is damaged, and 0A000
/// for big-endian data.
std::unique_ptr<IpcField> ReadIpcSchema(const FlatTable& schema);

/// Exports a schema, which keeps the field alive.
void ExportIpcSchema(std::shared_ptr<const IpcField> field, ArrowSchema* out);

}  // namespace scaup
