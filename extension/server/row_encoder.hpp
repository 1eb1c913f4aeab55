// RowEncoder: rows of a result as DataRow messages, in text or binary.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scaup/result.hpp"

namespace scaup::server {

/// The formats of values in messages; the numbers are the protocol's.
enum class Format : int16_t { kText = 0, kBinary = 1 };

/// Encodes batches of one result. Used by one thread.
class RowEncoder {
 public:
  /// `formats` has a format for each column.
  RowEncoder(const std::vector<ResultColumn>& columns, std::span<const Format> formats);
  /// Prepares for the rows of a batch, which must outlive the calls of AppendRow.
  void Begin(const QueryResult& rows);
  /// Appends the row as a DataRow message.
  void AppendRow(size_t row, std::string& out) const;
  /// Appends one value alone. Returns false, and appends nothing, for NULL.
  bool AppendValue(size_t column, size_t row, std::string& out) const;
  /// Appends the number of columns, and each value behind its length: the form of DataRow and of binary COPY.
  void AppendFields(size_t row, std::string& out) const;

  struct Column;
  /// Appends one value that is not NULL.
  using Append = void (*)(const Column& column, size_t row, std::string& out);
  struct Column {
    Append append = nullptr;
    const QueryResult* rows = nullptr;
    size_t index = 0;
    const void* data = nullptr;
    const uint8_t* nulls = nullptr;
    size_t value_bytes = 0;
    uint32_t pad_length = 0;  ///< of CHAR(n)
    LogicalType type;
  };

 private:
  std::vector<Column> columns_;
};

/// Appends a RowDescription message.
void AppendRowDescription(const std::vector<ResultColumn>& columns, std::span<const Format> formats,
                          std::string& out);

}  // namespace scaup::server
