// The body of a message with values: the buffers of its columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "format/arrow/ipc/ipc_messages.hpp"
#include "format/arrow/ipc/ipc_schema.hpp"
#include "scaup/arrow_ipc.hpp"

namespace scaup {

/// Collects the buffers of columns. Those that lie as they are to be written are borrowed from the arrays,
/// which must live as long; others, such as offsets that do not begin with 0, are copied. Used by one thread.
class IpcBody {
 public:
  explicit IpcBody(ArrowIpcWriter::Compression compression) : compression_(compression) {}

  /// Adds rows of a column: `count` from `first` on, besides the array's own offset.
  void Add(const IpcColumn& column, const ArrowArray& array, int64_t first, int64_t count);
  /// Compresses what has been added, if it is to be compressed.
  void Finish();

  const std::vector<ipc::Node>& nodes() const { return nodes_; }
  /// How many buffers each column of views has besides those that all have.
  const std::vector<int64_t>& variadic_counts() const { return variadic_counts_; }
  /// Returns the places of the buffers in the body.
  std::vector<ipc::Buffer> Places() const;
  /// Returns the size of the body, with padding.
  int64_t size_bytes() const;
  void AppendTo(std::string& out) const;

 private:
  using Bytes = std::span<const char>;

  void AddBuffer(const void* data, int64_t size_bytes);
  std::string& AddCopy();
  void AddBits(const void* bits, int64_t first, int64_t count);
  void AddValidity(const ArrowArray& array, int64_t first, int64_t count);
  template <typename Offset>
  std::pair<int64_t, int64_t> AddOffsets(const void* offsets, int64_t first, int64_t count);

  const ArrowIpcWriter::Compression compression_;
  std::vector<ipc::Node> nodes_;
  std::vector<Bytes> buffers_;
  std::vector<int64_t> variadic_counts_;
  std::deque<std::string> copies_;  // which do not move
};

}  // namespace scaup
