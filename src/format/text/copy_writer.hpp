// What COPY TO writes with.
#pragma once

#include <string>
#include <string_view>

#include "vector/data_chunk.hpp"

namespace scaup {

/// One file being written. Format may be called by several threads at once; Write and Finish by one at a
/// time. Destroyed before Finish, it removes the file, as what is in it is only a part.
class CopyWriter {
 public:
  virtual ~CopyWriter() = default;
  /// Appends the rows as text. The chunk's vectors may be of any kind (sequences are made flat).
  virtual void Format(DataChunk& chunk, std::string& buffer) const = 0;
  /// Appends formatted rows to the file.
  virtual void Write(std::string_view text) = 0;
  /// Writes what is still held; the file is complete then.
  virtual void Finish() = 0;
};

}  // namespace scaup
