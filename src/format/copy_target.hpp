// What COPY TO writes, and the writer for it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "format/text/copy_writer.hpp"
#include "function/function_context.hpp"

namespace scaup {

enum class CopyFormat : uint8_t { kCsv, kJson };

/// The arguments of COPY TO.
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
