// Shreds documents: splits them by attribute, so that they can be stored in columns.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"
#include "document/document_shapes.hpp"
#include "document/shredding_policy.hpp"
#include "type/text/string_ref.hpp"
#include "vector/selection_vector.hpp"
#include "vector/validity_mask.hpp"

namespace scaup {

/// A column of an attribute that most documents have, of type OwnTypeOf(type).
struct PhysicalAttribute {
  AttributeId id;
  AttributeType type;
  std::vector<std::byte> values;       ///< all rows, as in a flat vector; zeros where there is no value
  std::vector<ValidityWord> validity;  ///< kValidityWords per 1024 rows
};

/// The values of all other attributes in record format, ordered by block of 1024 documents, then by attribute
/// (texts of documents first), then by row.
struct Reservoir {
  std::vector<StringRef> values;
  /// Per block: the number of its first value, of its texts and of its attributes; then for each attribute,
  /// ascending, the difference to the previous id (the first: to -1) and its number of values. Varints.
  std::vector<std::string> directory;
};

/// Shreds the documents of one row group. Frequent attributes become physical columns, the rest goes to the
/// reservoir (Tahara, Diamond, Abadi: Sinew, SIGMOD 2014, sections 3.1.3 and 4.1, but attribute-wise within
/// blocks). Values refer to the bytes of records, which must outlive them. One thread at a time.
class DocumentShredder {
 public:
  DocumentShredder(const AttributeDictionary& dictionary, const ShreddingPolicy& policy);

  /// Adds the next block of `count` records: 1024 in all blocks but the last.
  void Add(const StringRef* records, size_t count);
  /// Decides which attributes are physical. Nothing can be added afterwards.
  void Analyze();

  size_t row_count() const { return shapes_of_rows_.size(); }
  const ShapeFinder& shapes() const { return finder_; }
  std::span<const int32_t> shapes_of_rows() const { return shapes_of_rows_; }
  const std::vector<AttributeId>& physical() const { return physical_; }
  /// The number of documents per attribute.
  std::span<const uint32_t> counts() const { return counts_; }
  Reservoir MakeReservoir() const;
  /// Makes the columns of the attributes physical()[begin .. end).
  std::vector<PhysicalAttribute> MakeColumns(size_t begin, size_t end) const;

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;
  static constexpr uint32_t kReservoir = UINT32_MAX - 1;
  /// Removes physical attributes with too few distinct values.
  void DropOfFewValues();
  struct Block {
    const StringRef* records;
    size_t count;
  };
  std::span<const uint32_t> PlacesOf(size_t row) const {
    const auto shape = static_cast<size_t>(shapes_of_rows_[row]);
    return std::span(places_).subspan(shape_begins_[shape], shape_begins_[shape + 1] - shape_begins_[shape]);
  }

  const AttributeDictionary& dictionary_;
  const size_t attribute_count_;
  ShreddingPolicy policy_;
  std::vector<Block> blocks_;
  ShapeFinder finder_;
  std::vector<int32_t> shapes_of_rows_;
  std::vector<AttributeId> shape_ids_;  // the attributes of each shape, ascending
  std::vector<size_t> shape_begins_{0};
  std::vector<uint32_t> places_;  // parallel to shape_ids_: the attribute's index in physical_, or kReservoir
  std::vector<AttributeId> physical_;
  std::vector<uint32_t> counts_;
};

}  // namespace scaup
