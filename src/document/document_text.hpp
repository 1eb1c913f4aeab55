// Converts records to JSON text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Appends a record's document as JSON text without white space, with keys in their order and numbers as they
/// were written. Throws Error(kIo, XX001) for a damaged record.
void AppendDocumentText(const AttributeDictionary& dictionary, std::string_view record, std::string& out);
/// Appends the value at a path of the document, an object with all of its members. Returns false and appends
/// nothing if there is none.
bool AppendDocumentText(const AttributeDictionary& dictionary, std::string_view record, PathId path,
                        std::string& out);

/// Appends the JSON text of a value in record format. Throws Error(kIo, XX001) for malformed bytes.
void AppendValueText(AttributeType type, std::string_view value, std::string& out);

/// Writes an object from values in document order.
class ObjectTextWriter {
 public:
  /// Begins the object at path `base`, at the end of `out`.
  ObjectTextWriter(const AttributeDictionary& dictionary, PathId base, std::string& out);
  /// Adds a value. REQUIRES: `path` is below the base.
  void Add(PathId path, AttributeType type, std::string_view value);
  /// Closes all open objects. Nothing may be added afterwards.
  void Finish();

 private:
  void WriteKey(PathId path);

  const AttributeDictionary& dictionary_;
  const size_t base_depth_;
  std::string& out_;
  std::vector<PathId> open_;  // open objects, from the base on
  std::vector<PathId> way_;   // objects to open, the innermost first
};

}  // namespace scaup
