// Which attributes documents have, and in which order: kept once for all documents that are alike.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/document_record.hpp"

namespace scaup {

using ShapeId = uint32_t;

/// Attributes in the order of a document, each once. Where equal keys make it more than its attributes, its
/// text is kept.
struct DocumentShape {
  std::span<const AttributeId> attributes;
  bool has_text = false;
  uint32_t document_count = 0;
};

/// The shapes of some documents, numbered from 0 on. Building: one thread; reading: any.
class DocumentShapes {
 public:
  size_t size() const { return begins_.size() - 1; }
  DocumentShape operator[](ShapeId shape) const {
    return {std::span(attributes_).subspan(begins_[shape], begins_[shape + 1] - begins_[shape]),
            has_text_[shape], document_counts_[shape]};
  }
  /// One above the largest of all ids.
  size_t attribute_end() const { return attribute_end_; }
  bool has_text() const { return any_text_; }
  size_t size_bytes() const;

  /// The shapes that have an attribute, ascending. REQUIRES: Finish.
  std::span<const ShapeId> With(AttributeId attribute) const {
    if (attribute >= attribute_end_) return {};
    return std::span(shapes_with_)
        .subspan(with_begins_[attribute], with_begins_[attribute + 1] - with_begins_[attribute]);
  }

  /// Appends a shape. Throws Error(kIo, XX001) where the bytes are none.
  void Add(std::string_view encoded);
  /// After the last one.
  void Finish();

 private:
  std::vector<AttributeId> attributes_;
  std::vector<uint32_t> begins_{0};
  std::vector<bool> has_text_;
  std::vector<uint32_t> document_counts_;
  bool any_text_ = false;
  size_t attribute_end_ = 0;
  std::vector<ShapeId> shapes_with_;  // By attribute.
  std::vector<uint32_t> with_begins_;
};

/// Finds the shapes of records. One thread.
class ShapeFinder {
 public:
  /// New ones get the next number.
  ShapeId Find(const DocumentRecord& record);
  size_t size() const { return found_.size(); }
  /// As DocumentShapes::Add takes it: a byte (1: there is a text), how many documents have it, then the
  /// attributes in the order of the document, each as the difference to the one before, zigzag. Varints.
  std::string Encode(ShapeId shape) const;

 private:
  struct Found {
    std::vector<AttributeId> attributes;
    bool has_text;
    uint32_t document_count;
  };
  std::unordered_map<std::string, ShapeId> known_;
  std::string key_;  // Of this record; keeps its memory.
  std::vector<Found> found_;
};

}  // namespace scaup
