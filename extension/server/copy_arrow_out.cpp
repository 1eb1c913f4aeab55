// Sends columns: each chunk of rows is exported as Arrow arrays, and written as a message of Arrow's IPC
// format.
#include "copy_arrow_out.hpp"

#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

#include "copy_wire.hpp"
#include "scaup/arrow.h"
#include "scaup/arrow_ipc.hpp"

namespace scaup::server {

namespace {

using Compression = ArrowIpcWriter::Compression;

constexpr size_t kLeastRows = 1024, kMostRows = size_t{1} << 20;

/// Returns whether the client is on this machine.
bool IsOnSameHost(int descriptor) {
  sockaddr_storage peer = {};
  socklen_t size = sizeof(peer);
  if (getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0) return false;
  if (peer.ss_family == AF_UNIX) return true;
  if (peer.ss_family == AF_INET6) {
    sockaddr_in6 address;
    std::memcpy(&address, &peer, sizeof(address));
    return IN6_IS_ADDR_LOOPBACK(&address.sin6_addr) != 0;
  }
  if (peer.ss_family != AF_INET) return false;
  sockaddr_in address;
  std::memcpy(&address, &peer, sizeof(address));
  return ntohl(address.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

/// On one machine, compressing takes longer than copying; over a network, LZ4 takes less time than it saves.
Compression CompressionFor(const CopyOptions& options, int descriptor) {
  switch (options.compression) {
    case CopyCompression::kNone: return Compression::kNone;
    case CopyCompression::kLz4: return Compression::kLz4;
    case CopyCompression::kZstd: return Compression::kZstd;
    case CopyCompression::kAutomatic: break;
  }
  return IsOnSameHost(descriptor) ? Compression::kNone : Compression::kLz4;
}

/// Returns about how many bytes the values of a row take in Arrow's layout.
size_t RowBytes(const std::vector<ResultColumn>& columns) {
  constexpr size_t kVariableBytes = 24;
  size_t size_bytes = 0;
  for (const ResultColumn& column : columns) {
    switch (column.type.id()) {
      case TypeId::kNull: break;
      case TypeId::kBoolean:
      case TypeId::kTinyInt:
      case TypeId::kUTinyInt: size_bytes += 1; break;
      case TypeId::kSmallInt:
      case TypeId::kUSmallInt:
      case TypeId::kEnum: size_bytes += 2; break;
      case TypeId::kInteger:
      case TypeId::kUInteger:
      case TypeId::kReal:
      case TypeId::kDate: size_bytes += 4; break;
      case TypeId::kBigInt:
      case TypeId::kUBigInt:
      case TypeId::kDouble:
      case TypeId::kTime:
      case TypeId::kTimeTz:
      case TypeId::kTimestamp:
      case TypeId::kTimestampTz: size_bytes += 8; break;
      case TypeId::kHugeInt:
      case TypeId::kDecimal:
      case TypeId::kInterval:
      case TypeId::kUuid: size_bytes += 16; break;
      default: size_bytes += kVariableBytes; break;
    }
  }
  return std::max<size_t>(size_bytes, 1);
}

/// Owns a structure of the Arrow C interfaces.
template <typename T>
class Owned {
 public:
  Owned() = default;
  ~Owned() {
    if (value_.release != nullptr) value_.release(&value_);
  }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  T* operator->() { return &value_; }
  T* get() { return &value_; }
  const T& operator*() const { return value_; }

 private:
  T value_ = {};
};

[[noreturn]] void ThrowStreamError(ArrowArrayStream& stream) {
  const char* const message = stream.get_last_error(&stream);
  throw Error(ErrorKind::kIo, "XX000", message == nullptr ? "the rows could not be exported" : message);
}

/// Writes the rows of one result after the other.
class ChunkWriter {
 public:
  ChunkWriter(Compression compression, size_t chunk_rows, std::string& out)
      : compression_(compression), out_(out) {
    options_.batch_rows = chunk_rows;
  }

  /// Writes the schema of `rows`, if it is the first result, and its rows.
  void Append(const QueryResult& rows, Channel& channel) {
    Owned<ArrowArrayStream> stream;
    rows.ExportArrow(stream.get(), options_);
    if (!writer_) Begin(*stream.get());
    while (true) {
      Owned<ArrowArray> batch;
      if (stream->get_next(stream.get(), batch.get()) != 0) ThrowStreamError(*stream.get());
      if (batch->release == nullptr) return;
      {
        const MessageScope message('d', out_);
        writer_->AppendBatch(*batch, out_);
      }
      channel.FlushIfLarge();
    }
  }

  /// Writes the end. `rest` has no rows left, and tells the schema if no result has.
  void End(StreamingResult rest) {
    if (!writer_) {
      Owned<ArrowArrayStream> stream;
      std::move(rest).ExportArrow(stream.get(), options_);
      Begin(*stream.get());
    }
    const MessageScope message('d', out_);
    writer_->AppendEnd(out_);
  }

 private:
  void Begin(ArrowArrayStream& stream) {
    Owned<ArrowSchema> schema;
    if (stream.get_schema(&stream, schema.get()) != 0) ThrowStreamError(stream);
    writer_.emplace(*schema, compression_);
    const MessageScope message('d', out_);
    writer_->AppendSchema(out_);
  }

  const Compression compression_;
  std::string& out_;
  ArrowOptions options_;
  std::optional<ArrowIpcWriter> writer_;
};

}  // namespace

uint64_t SendArrow(StreamingResult stream, const CopyOptions& options, ClientState& client) {
  const std::vector<ResultColumn> columns = stream.columns();
  std::string& out = client.channel.out();
  AppendCopyResponse('H', Format::kBinary, columns.size(), out);
  const size_t chunk_rows = std::clamp(options.chunk_bytes / RowBytes(columns), kLeastRows, kMostRows);
  ChunkWriter writer(CompressionFor(options, client.channel.descriptor()), chunk_rows, out);
  uint64_t count = 0;
  QueryResult rows;
  while (stream.Fetch(rows, chunk_rows)) {
    writer.Append(rows, client.channel);
    count += rows.row_count();
  }
  writer.End(std::move(stream));
  const MessageScope done('c', out);
  return count;
}

}  // namespace scaup::server
