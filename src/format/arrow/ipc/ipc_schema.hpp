// The types of columns in Arrow's IPC format.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "format/arrow/ipc/flat_buffer.hpp"
#include "scaup/arrow.h"

namespace scaup {

/// How the buffers of a column lie, as far as writing them is concerned.
enum class IpcLayout : uint8_t {
  kNull,        ///< no buffers
  kBits,        ///< a bit for each value
  kFixed,       ///< `width` bytes for each value
  kVariable32,  ///< 32-bit offsets and bytes
  kVariable64,
  kViews,   ///< views of 16 bytes, and any number of buffers
  kList32,  ///< 32-bit offsets into the child
  kList64,
  kFixedList,  ///< `width` values of the child for each value
  kStruct,
  kSparseUnion,  ///< the member's number for each value, and children of the same length; no bits of NULLs
  kDenseUnion,   ///< the member's number and its place in the child for each value
  kDictionary    ///< indexes of `width` bytes; the child is the dictionary
};

/// A column's layout with those of its children. Immutable.
struct IpcColumn {
  IpcLayout layout = IpcLayout::kNull;
  int64_t width = 0;
  int64_t dictionary = 0;  ///< its number, from 0
  std::vector<IpcColumn> children;
};

/// Returns the layout of a type; for a table, of the struct of its columns. `dictionaries` counts those that
/// were numbered. Throws Error(kNotSupported, 0A000).
IpcColumn ReadIpcLayout(const ArrowSchema& schema, int64_t& dictionaries);

/// Adds the schema of a table to a FlatBuffer.
FlatBufferBuilder::Place AddIpcSchema(const ArrowSchema& schema, FlatBufferBuilder& builder);
/// Returns the FlatBuffer of the message with the schema of a table.
std::string IpcSchemaMessage(const ArrowSchema& schema);

}  // namespace scaup
