// Documents for tests: parsed, read back, compacted.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"
#include "document/document_parser.hpp"
#include "document/document_projection.hpp"
#include "document/document_text.hpp"
#include "type/text/json_text.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A collection's dictionary with a parser for it.
struct DocumentFixture {
  std::shared_ptr<AttributeDictionary> dictionary = std::make_shared<AttributeDictionary>();
  DocumentParser parser{dictionary};

  /// The record, or "offset: reason".
  std::string Parse(std::string_view text) {
    std::string record;
    JsonFault fault;
    if (parser.Parse(text, record, fault)) return record;
    return std::to_string(fault.offset) + ": " + fault.reason;
  }
  std::string Text(std::string_view record) const {
    std::string text;
    AppendDocumentText(*dictionary, record, text);
    return text;
  }
  std::string RoundTrip(std::string_view text) { return Text(Parse(text)); }
  /// The value at a path, or "none".
  std::string TextAt(std::string_view record, std::string_view path) const {
    std::string text;
    const auto id = dictionary->FindPath(path);
    return id && AppendDocumentText(*dictionary, record, *id, text) ? text : "none";
  }
  std::string AttributesText() const {
    std::string names;
    for (AttributeId id = 0; id < dictionary->attribute_count(); id++) {
      if (id != 0) names += ' ';
      names += dictionary->NameOf(dictionary->attribute(id).path) + ':' +
               std::to_string(static_cast<int>(dictionary->attribute(id).type));
    }
    return names;
  }
};

}  // namespace scaup
