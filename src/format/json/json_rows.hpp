// What becomes of the documents of a file: their texts, records of a collection, or rows of a table.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"
#include "format/json/json_source.hpp"
#include "function/table_function.hpp"

namespace scaup {

enum class JsonOutput : uint8_t {
  kText,     ///< one column, JSON: each value's text
  kRecords,  ///< one column, BLOB: the records of a collection
  kColumns,  ///< members of objects by their names
};

/// JSON files with everything known about them.
struct BoundJson : BoundTableFunction {
  std::vector<JsonFile> files;
  JsonOutput output = JsonOutput::kText;
  std::shared_ptr<AttributeDictionary> dictionary;  ///< of kRecords
  bool ignore_errors = false;
  bool ignore_unknown_keys = false;  ///< of kColumns
  size_t chunk_bytes = 0;            ///< 0: chosen by size and threads
};

/// Why a document makes no row.
struct JsonRowFault {
  size_t row = 0;     ///< of Finish
  size_t offset = 0;  ///< in the document's text
  const char* sqlstate = "";
  std::string message;
};

/// Puts documents into vectors, a row each. One thread.
class JsonRows {
 public:
  virtual ~JsonRows() = default;
  /// For up to kVectorSize rows of `output`, whose strings may point into `text`, which `owner` keeps alive.
  virtual void Begin(DataChunk& output, std::shared_ptr<const void> owner) = 0;
  /// False, with the fault, where the document makes none; then `row` is used for the next one.
  virtual bool Add(std::string_view document, size_t row, JsonRowFault& fault) = 0;
  /// The values of `count` rows. The first fault of one; with `bad_rows` all rows with faults are marked
  /// instead.
  virtual std::optional<JsonRowFault> Finish(size_t count, std::vector<bool>* bad_rows) = 0;
};

std::unique_ptr<JsonRows> MakeJsonRows(const TableFunctionCall& call);

}  // namespace scaup
