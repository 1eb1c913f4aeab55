// NestedArray: converts lists, structs and unions from packed bytes (type/packed_value.hpp) to Arrow arrays.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "common/memory/memory_tracker.hpp"
#include "format/arrow/arrow_schema.hpp"

namespace scaup {

/// An array to which values are appended one by one. One thread at a time.
class NestedArray {
 public:
  NestedArray(const LogicalType& type, const ArrowLayout& layout);
  void AppendNull();
  /// Appends a list or struct in the form of a column value.
  void AppendPacked(std::string_view bytes);
  /// Appends a slot of another list or struct.
  void AppendSlot(std::string_view slot);
  /// Moves all values to `out`.
  void Finish(MemoryTracker& memory, const std::shared_ptr<const void>& owner, ArrowArray* out);

 private:
  void AppendValid(bool is_valid);
  void AppendText(std::string_view text);
  template <typename T>
  void AppendFixed(const T& value) {
    values_.append(reinterpret_cast<const char*>(&value), sizeof(value));
  }
  void AppendFixedSlotValue(std::string_view slot);
  void AppendZero();

  LogicalType type_;
  const ArrowLayout& layout_;
  size_t length_ = 0;
  size_t null_count_ = 0;
  std::string validity_;          // bits
  std::string values_;            // values of fixed width, the bytes of strings, or the members of unions
  std::vector<int32_t> offsets_;  // of strings and lists; begins with 0
  std::vector<NestedArray> children_;
  std::string scratch_;
};

/// Exports the labels of an enum as the dictionary of an array.
void ExportLabels(const LogicalType& type, MemoryTracker& memory, const std::shared_ptr<const void>& owner,
                  ArrowArray* out);

}  // namespace scaup
