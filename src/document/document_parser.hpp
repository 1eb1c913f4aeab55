// Parses JSON text into records of a collection.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "document/attribute/attribute_dictionary.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

/// The maximum nesting depth of objects and arrays, the same as for JSON values.
inline constexpr size_t kMaxDocumentDepth = kMaxJsonDepth;

/// The maximum size of a document's text.
inline constexpr size_t kMaxDocumentBytes = size_t{64} << 20;

/// Parses documents with simdjson. It caches dictionary entries, so that similar documents take no locks. One
/// thread at a time.
class DocumentParser {
 public:
  explicit DocumentParser(std::shared_ptr<AttributeDictionary> dictionary);
  ~DocumentParser();

  /// Appends the record of a document, which is a JSON object, to `record`. If `text` is not one, returns
  /// false, sets `fault` to the place and reason, and appends nothing.
  bool Parse(std::string_view text, std::string& record, JsonFault& fault);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace scaup
