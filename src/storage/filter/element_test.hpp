// Element test: the scan filter for `element = ANY (list)` and `list @> [element]`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "type/scan_filter.hpp"
#include "vector/string_search.hpp"

namespace scaup {

/// Tests whether a list contains an element. Immutable; thread-safe.
class ElementTest final : public ScanTest {
 public:
  /// REQUIRES: `element` has the lists' element type, and is not NULL.
  explicit ElementTest(const Value& element);
  // The search borrows the text of the list.
  ElementTest(const ElementTest&) = delete;
  ElementTest& operator=(const ElementTest&) = delete;
  void Evaluate(const std::byte* values, size_t count, uint8_t* mask) const override;
  /// Evaluates packed lists that are concatenated in `text`, with these lengths in bytes.
  void EvaluateJoined(std::string_view text, std::span<const uint32_t> lengths, uint8_t* mask) const;
  std::string Describe(const std::string& column) const override;

  const Value& element() const { return element_; }
  /// Returns the filter's test if it is an ElementTest, otherwise null.
  static const ElementTest* Of(const ScanFilter& filter) {
    return dynamic_cast<const ElementTest*>(filter.test.get());
  }

 private:
  Value element_;
  Value list_;           // a list with the element alone
  StringSearch search_;  // finds the bytes that encode the element in a list
};

}  // namespace scaup
