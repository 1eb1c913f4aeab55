// The shapes of documents: the attributes that a document has, in order. Similar documents share one.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "common/check.hpp"
#include "document/document_record.hpp"

namespace scaup {

using ShapeId = uint32_t;

/// The attributes of a document in its order, each once. Documents whose equal keys make them more than their
/// attributes also have a text.
struct DocumentShape {
  std::span<const AttributeId> attributes;
  bool has_text = false;
  uint32_t document_count = 0;
};

/// The shapes of a set of documents, numbered from 0. One thread builds it; then any thread may read.
class DocumentShapes {
 public:
  size_t size() const { return begins_.size() - 1; }
  DocumentShape operator[](ShapeId shape) const {
    return {std::span(attributes_).subspan(begins_[shape], begins_[shape + 1] - begins_[shape]),
            has_text_[shape], document_counts_[shape]};
  }
  /// One above the largest attribute id.
  size_t attribute_end() const { return attribute_end_; }
  bool has_text() const { return any_text_; }
  size_t size_bytes() const;

  /// The shapes that have an attribute, ascending. REQUIRES: Finish.
  std::span<const ShapeId> With(AttributeId attribute) const {
    SCAUP_ASSERT(with_begins_.size() == attribute_end_ + 1);
    if (attribute >= attribute_end_) return {};
    return std::span(shapes_with_)
        .subspan(with_begins_[attribute], with_begins_[attribute + 1] - with_begins_[attribute]);
  }

  /// Appends an encoded shape. Throws Error(kIo, XX001) for malformed bytes.
  void Add(std::string_view encoded);
  /// Builds the index for With. Call it after the last Add.
  void Finish();

 private:
  std::vector<AttributeId> attributes_;
  std::vector<uint32_t> begins_{0};
  std::vector<bool> has_text_;
  std::vector<uint32_t> document_counts_;
  bool any_text_ = false;
  size_t attribute_end_ = 0;
  std::vector<ShapeId> shapes_with_;  // by attribute
  std::vector<uint32_t> with_begins_;
};

/// Assigns shape numbers to records. One thread at a time.
class ShapeFinder {
 public:
  /// The shape of the record; a new one gets the next number.
  ShapeId Find(const DocumentRecord& record);
  size_t size() const { return found_.size(); }
  /// Encodes a shape for DocumentShapes::Add: a byte (1: with text), the number of documents, then the
  /// attributes in document order, each as the zigzag difference to the previous one. All but the byte are
  /// varints.
  std::string Encode(ShapeId shape) const;

 private:
  struct Found {
    std::vector<AttributeId> attributes;
    bool has_text;
    uint32_t document_count;
  };
  std::unordered_map<std::string, ShapeId> known_;
  std::string key_;  // of the current record; a member so that its memory is reused
  std::vector<Found> found_;
};

}  // namespace scaup
