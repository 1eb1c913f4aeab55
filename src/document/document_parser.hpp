// JSON text to records of a collection.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "document/attribute/attribute_dictionary.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

/// How deep objects and arrays of a document may be nested: that of JSON values.
inline constexpr size_t kMaxDocumentDepth = kMaxJsonDepth;

/// The longest text of a document.
inline constexpr size_t kMaxDocumentBytes = size_t{64} << 20;

/// Parses documents with simdjson. One thread; keeps what it knows of the dictionary, so that documents like
/// those before take no locks.
class DocumentParser {
 public:
  explicit DocumentParser(std::shared_ptr<AttributeDictionary> dictionary);
  ~DocumentParser();

  /// Appends the record of a document, a JSON object, to `record`. False where `text` is none: `fault` says
  /// where and why; nothing is appended then.
  bool Parse(std::string_view text, std::string& record, JsonFault& fault);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace scaup
