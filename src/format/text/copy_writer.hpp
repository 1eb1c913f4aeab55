// What COPY TO writes with.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "function/function_context.hpp"
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

enum class CopyFormat : uint8_t { kCsv, kJson };

/// What COPY TO is told.
struct CopyTarget {
  std::string path;
  CopyFormat format = CopyFormat::kCsv;
  /// Checked by ParseCsvOptions or ParseJsonOptions; "true" where no value is given.
  std::vector<std::pair<std::string, std::string>> options;
  bool is_documents = false;  ///< of a collection: one column of JSON, which a JSON file gets as it is
};

/// Creates the file. Throws what CsvWriter and JsonWriter throw.
std::unique_ptr<CopyWriter> MakeCopyWriter(const FunctionContext& context, const CopyTarget& target,
                                           const std::vector<std::string>& names,
                                           const std::vector<LogicalType>& types);

}  // namespace scaup
