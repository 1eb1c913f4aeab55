// The interface of file writers for COPY TO.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "vector/data_chunk.hpp"

namespace scaup {

/// A file being written, by one thread at a time. If destroyed before Finish, it removes the incomplete file.
class CopyWriter {
 public:
  virtual ~CopyWriter() = default;
  /// Appends the rows. The chunk's vectors may be of any form; sequences are flattened.
  virtual void Append(DataChunk& chunk) = 0;
  /// Writes what is buffered; the file is then complete.
  virtual void Finish() = 0;
  /// Memory in which rows wait until they are enough for the format.
  virtual size_t buffered_bytes() const { return 0; }
  /// Writes those rows although more would be better.
  virtual void Flush() {}
  /// The length of the file as far as it is written.
  virtual uint64_t size_bytes() const = 0;
};

/// Rows that become text.
class TextCopyWriter : public CopyWriter {
 public:
  void Append(DataChunk& chunk) final {
    text_.clear();
    Format(chunk, text_);
    Write(text_);
  }
  /// Appends the rows as text to `buffer`.
  virtual void Format(DataChunk& chunk, std::string& buffer) const = 0;
  /// Appends formatted rows to the file.
  virtual void Write(std::string_view text) = 0;

 private:
  std::string text_;
};

}  // namespace scaup
