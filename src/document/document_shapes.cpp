// Finds, encodes and decodes shapes.
#include "document/document_shapes.hpp"

#include <algorithm>

#include "common/byte_stream.hpp"

namespace scaup {

size_t DocumentShapes::size_bytes() const {
  return attributes_.capacity() * sizeof(AttributeId) +
         (begins_.capacity() + document_counts_.capacity()) * sizeof(uint32_t) + has_text_.capacity() / 8 +
         shapes_with_.capacity() * sizeof(ShapeId) + with_begins_.capacity() * sizeof(uint32_t);
}

void DocumentShapes::Add(std::string_view encoded) {
  ByteReader reader(std::as_bytes(std::span(encoded)), "a collection");
  const bool has_text = reader.ReadBool("shape of a document");
  const uint64_t document_count = reader.ReadVarint("documents of a shape");
  int64_t previous = -1;
  while (reader.remaining() != 0) {
    const int64_t id = previous + reader.ReadSignedVarint("attribute of a document");
    if (id < 0 || id >= UINT32_MAX) reader.Fail("attribute of a document", "it is out of range");
    attributes_.push_back(static_cast<AttributeId>(id));
    attribute_end_ = std::max(attribute_end_, static_cast<size_t>(id) + 1);
    previous = id;
  }
  begins_.push_back(static_cast<uint32_t>(attributes_.size()));
  has_text_.push_back(has_text);
  document_counts_.push_back(static_cast<uint32_t>(document_count));
  any_text_ |= has_text;
}

void DocumentShapes::Finish() {
  with_begins_.assign(attribute_end_ + 1, 0);
  for (const AttributeId id : attributes_) with_begins_[id + 1]++;
  for (size_t id = 0; id < attribute_end_; id++) with_begins_[id + 1] += with_begins_[id];
  shapes_with_.resize(attributes_.size());
  std::vector<uint32_t> next(with_begins_.begin(), with_begins_.end() - 1);
  for (ShapeId shape = 0; shape < size(); shape++) {
    for (const AttributeId id : (*this)[shape].attributes) shapes_with_[next[id]++] = shape;
  }
}

ShapeId ShapeFinder::Find(const DocumentRecord& record) {
  // The properties that the head does not contain. Widths may differ between similar records, which then have
  // several shapes.
  const uint32_t flags =
      (record.has_order() ? 1U : 0) | (record.has_text() ? 2U : 0) | record.id_width() << 2;
  key_.assign(1, static_cast<char>(flags)).append(record.head());
  const auto [known, is_new] = known_.try_emplace(key_, static_cast<ShapeId>(found_.size()));
  if (is_new) {
    Found& found = found_.emplace_back();
    found.has_text = record.has_text();
    for (size_t place = 0; place < record.size(); place++)
      found.attributes.push_back(record.id(record.InOrder(place)));
  }
  found_[known->second].document_count++;
  return known->second;
}

std::string ShapeFinder::Encode(ShapeId shape) const {
  const Found& found = found_[shape];
  ByteWriter writer;
  writer.WriteBool(found.has_text);
  writer.WriteVarint(found.document_count);
  int64_t previous = -1;
  for (const AttributeId id : found.attributes) {
    writer.WriteSignedVarint(int64_t{id} - previous);
    previous = id;
  }
  const auto bytes = writer.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace scaup
