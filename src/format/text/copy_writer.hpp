// The interface of file writers for COPY TO.
#pragma once

#include <string>
#include <string_view>

#include "vector/data_chunk.hpp"

namespace scaup {

/// A file being written. Several threads may call Format at the same time; Write and Finish are called by one
/// thread at a time. If destroyed before Finish, it removes the incomplete file.
class CopyWriter {
 public:
  virtual ~CopyWriter() = default;
  /// Appends the rows as text to `buffer`. The chunk's vectors may be of any form; sequences are flattened.
  virtual void Format(DataChunk& chunk, std::string& buffer) const = 0;
  /// Appends formatted rows to the file.
  virtual void Write(std::string_view text) = 0;
  /// Writes what is buffered; the file is then complete.
  virtual void Finish() = 0;
};

}  // namespace scaup
