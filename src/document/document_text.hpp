// Records to JSON text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Appends the document of a record as JSON text without white space: keys in their order, numbers as they
/// were written. Throws Error(kIo, XX001) where the record is damaged.
void AppendDocumentText(const AttributeDictionary& dictionary, std::string_view record, std::string& out);
/// The value at a path of it, objects with all that is in them. False, with nothing appended, where there is
/// none.
bool AppendDocumentText(const AttributeDictionary& dictionary, std::string_view record, PathId path,
                        std::string& out);

/// Appends the JSON text of a value whose bytes are as records have them. Throws Error(kIo, XX001) where they
/// cannot be.
void AppendValueText(AttributeType type, std::string_view value, std::string& out);

/// Writes an object from values that come in the order of a document.
class ObjectTextWriter {
 public:
  /// Writes the object at `base`. Begins at the end of `out`.
  ObjectTextWriter(const AttributeDictionary& dictionary, PathId base, std::string& out);
  /// REQUIRES: `path` is below the base.
  void Add(PathId path, AttributeType type, std::string_view value);
  /// Closes all that is open. Nothing may come after.
  void Finish();

 private:
  void WriteKey(PathId path);

  const AttributeDictionary& dictionary_;
  const size_t base_depth_;
  std::string& out_;
  std::vector<PathId> open_;  // Objects, from the base on.
  std::vector<PathId> way_;   // Objects to be opened, the innermost first.
};

}  // namespace scaup
