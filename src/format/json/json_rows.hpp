// Converts the documents of a file to rows: their texts, records of a collection, or rows of a table.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"
#include "format/files/file_relation.hpp"
#include "format/json/json_source.hpp"
#include "function/table_function.hpp"

namespace scaup {

enum class JsonOutput : uint8_t {
  kText,     ///< one JSON column: each value's text
  kRecords,  ///< one BLOB column: the records of a collection
  kColumns,  ///< a column per member, by name
  kValues,   ///< one column of any type: each value
};

/// JSON files bound for a scan, with layouts and output.
struct BoundJson : BoundFiles {
  std::vector<JsonFile> files;
  JsonOutput output = JsonOutput::kText;
  std::shared_ptr<AttributeDictionary> dictionary;  ///< for kRecords
  /// For kColumns: the names of members, to which sources refer; empty if they are those of the columns.
  std::vector<std::string> keys;
  bool ignore_errors = false;
  bool ignore_unknown_keys = false;  ///< for kColumns
  size_t chunk_bytes = 0;            ///< 0: chosen by size and threads
};

/// The reason why a document yields no row.
struct JsonRowFault {
  size_t row = 0;     ///< set by Finish
  size_t offset = 0;  ///< in the document's text
  const char* sqlstate = "";
  std::string message;
};

/// Stores documents as rows of vectors. One thread at a time.
class JsonRows {
 public:
  virtual ~JsonRows() = default;
  /// Begins up to kVectorSize rows of `output`. Their strings may point into the documents' text, which
  /// `owner` keeps alive.
  virtual void Begin(DataChunk& output, std::shared_ptr<const void> owner) = 0;
  /// Adds a document as row `row`. Returns false and sets `fault` if it is invalid; `row` is then reused for
  /// the next one.
  virtual bool Add(std::string_view document, size_t row, JsonRowFault& fault) = 0;
  /// Completes the values of `count` rows. Returns the first fault; with `bad_rows`, marks all rows with
  /// faults instead.
  virtual std::optional<JsonRowFault> Finish(size_t count, std::vector<bool>* bad_rows) = 0;
};

/// Returns where a column's values are: in documents, or in the file's name. Without sources, which COPY has,
/// all are in documents, in their order.
FileColumn JsonSourceOf(const BoundJson& bound, size_t file, size_t column);

/// A column of the output that is made of documents.
struct WantedJsonColumn {
  size_t output = 0;  ///< its index in the output
  size_t column = 0;  ///< in the relation
  size_t key = 0;     ///< of the member
};
std::vector<WantedJsonColumn> FindWantedColumns(const TableFunctionCall& call);

/// Whether the text is valid JSON; sets `fault` if not.
bool IsJsonDocument(std::string_view document, JsonRowFault& fault);

std::unique_ptr<JsonRows> MakeJsonRows(const TableFunctionCall& call);

}  // namespace scaup
