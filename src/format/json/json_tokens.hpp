// The tokens of a document, checked against the grammar.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "document/json/json_structure.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

/// A document as tokens, by which values are found without scanning the text again. Values are named by their
/// first token. Memory is reused from document to document. One thread at a time.
class JsonTokens {
 public:
  /// Returns whether the text is one JSON value in UTF-8, as IsJsonText does. The text is borrowed until the
  /// next call.
  bool Parse(std::string_view document);

  /// The value of the whole document.
  static constexpr size_t kRoot = 0;
  JsonKind kind(size_t value) const;
  /// Whether the text of a string of the document, with or without its quotes, has an escape. Few documents
  /// have any, so that most strings need not be searched.
  bool HasEscape(std::string_view string) const {
    return has_backslash_ && string.find('\\') != std::string_view::npos;
  }
  /// The text of a value, without white space around it; strings have their quotes.
  std::string_view text(size_t value) const;

  /// Calls visit(quoted name, value) for the members of an object, in the order of the text.
  template <typename Visit>
  void ForMembers(size_t object, Visit visit) const {
    for (size_t name = object + 1; first(name) != '}';) {
      const size_t value = name + 2;
      visit(text(name), value);
      name = next_[value];
      if (first(name) == ',') name++;
    }
  }
  /// Calls visit(value) for the elements of an array.
  template <typename Visit>
  void ForElements(size_t array, Visit visit) const {
    for (size_t value = array + 1; first(value) != ']';) {
      visit(value);
      value = next_[value];
      if (first(value) == ',') value++;
    }
  }

 private:
  char first(size_t token) const { return text_[begins_[token]]; }
  std::string_view Scalar(size_t token) const;
  bool IsString(std::string_view text) const;
  bool IsName(size_t token) const;
  bool IsScalar(size_t token) const;
  bool Close(size_t& token);

  JsonStructure structure_;
  std::string_view text_;
  bool has_backslash_ = false;
  const uint32_t* begins_ = nullptr;
  size_t size_ = 0;
  std::vector<uint32_t> next_;  ///< of values: the token behind
  std::vector<uint32_t> open_;  ///< scratch: arrays and objects around
};

}  // namespace scaup
