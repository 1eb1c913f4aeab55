// element = ANY (list), list @> [element]: a test of scans.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "type/scan_filter.hpp"
#include "vector/string_search.hpp"

namespace scaup {

/// Whether a list has an element. Immutable; thread-safe.
class ElementTest final : public ScanTest {
 public:
  /// `element`: of the lists' element type, not NULL.
  explicit ElementTest(const Value& element);
  void Evaluate(const std::byte* values, size_t count, uint8_t* mask) const override;
  /// Evaluates packed lists that stand one behind the other in `text`, with these lengths.
  void EvaluateJoined(std::string_view text, std::span<const uint32_t> lengths, uint8_t* mask) const;
  std::string Describe(const std::string& column) const override;

  const Value& element() const { return element_; }
  /// The test of a filter, if it is one of these; otherwise null.
  static const ElementTest* Of(const ScanFilter& filter) {
    return dynamic_cast<const ElementTest*>(filter.test.get());
  }

 private:
  Value element_;
  Value list_;           // Of the element alone.
  StringSearch search_;  // For the bytes that the element has in a list.
};

}  // namespace scaup
