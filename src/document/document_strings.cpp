// Collects the strings of documents, for full-text search.
#include "document/document_strings.hpp"

#include <algorithm>

#include "document/document_array.hpp"
#include "document/document_record.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

DocumentStrings::DocumentStrings(std::shared_ptr<const AttributeDictionary> dictionary,
                                 std::vector<PathId> paths)
    : dictionary_(std::move(dictionary)), paths_(std::move(paths)) {}

void DocumentStrings::AddPath(PathId path) {
  paths_.push_back(path);
  kinds_.clear();
}

void DocumentStrings::LearnAttributes(size_t count) {
  const auto is_wanted = [&](PathId path) {
    while (std::find(paths_.begin(), paths_.end(), path) == paths_.end()) {
      if (path == kRootPath) return false;
      path = dictionary_->ParentOf(path);
    }
    return true;
  };
  for (size_t id = kinds_.size(); id < count; id++) {
    const Attribute attribute = dictionary_->attribute(static_cast<AttributeId>(id));
    Kind kind = Kind::kNothing;
    switch (attribute.type) {
      case AttributeType::kString: kind = Kind::kString; break;
      case AttributeType::kStringArray: kind = Kind::kStringArray; break;
      case AttributeType::kArray: kind = Kind::kArray; break;
      default: break;
    }
    kinds_.push_back(kind == Kind::kNothing || is_wanted(attribute.path) ? kind : Kind::kNothing);
  }
}

void DocumentStrings::Collect(std::string_view record, std::vector<std::string_view>& strings) {
  strings.clear();
  unescaped_count_ = 0;
  const size_t known = dictionary_->attribute_count();
  if (known > kinds_.size()) LearnAttributes(known);
  const DocumentRecord document(record, kinds_.size());
  for (size_t i = 0; i < document.size(); i++) {
    const AttributeId id = document.id(i);
    if (id >= kinds_.size()) ThrowBadRecord("it has an attribute that nobody knows");
    switch (kinds_[id]) {
      case Kind::kNothing: break;
      case Kind::kString: strings.push_back(document.value(i)); break;
      case Kind::kStringArray: CollectFromArray(document.value(i), strings); break;
      case Kind::kArray: CollectFromJson(document.value(i), strings); break;
    }
  }
}

void DocumentStrings::CollectFromArray(std::string_view slots, std::vector<std::string_view>& strings) const {
  CheckArray(AttributeType::kStringArray, slots);
  while (!slots.empty()) {
    const std::string_view slot = TakeElement(AttributeType::kStringArray, slots);
    if (!IsNullSlot(slot)) strings.push_back(StringOfElement(slot));
  }
}

/// Searches for quotes instead of recursing, because arrays may be nested deeply.
void DocumentStrings::CollectFromJson(std::string_view json, std::vector<std::string_view>& strings) {
  if (!IsJsonText(json)) ThrowBadRecord("an array is no JSON");
  for (size_t at = json.find('"'); at != std::string_view::npos; at = json.find('"', at)) {
    size_t end = at + 1;
    bool has_escapes = false;
    for (; json[end] != '"'; end++) {
      if (json[end] != '\\') continue;
      has_escapes = true;
      end++;
    }
    const std::string_view quoted = json.substr(at, end + 1 - at);
    at = end + 1;
    // A string before a colon is a key. Records have no white space.
    if (at < json.size() && json[at] == ':') continue;
    if (!has_escapes) {
      strings.push_back(quoted.substr(1, quoted.size() - 2));
      continue;
    }
    if (unescaped_count_ == unescaped_.size()) unescaped_.emplace_back();
    std::string& text = unescaped_[unescaped_count_++];
    text.clear();
    AppendJsonUnescaped(quoted, text);
    strings.push_back(text);
  }
}

}  // namespace scaup
