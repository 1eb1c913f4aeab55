// The attributes from which a projection is computed.
#pragma once

#include <vector>

#include "document/document_projection.hpp"
#include "document/value_conversion.hpp"

namespace scaup {

/// An attribute whose values become values of a projection.
struct AttributeUse {
  AttributeId id;
  AttributeType type;
  ValueConversion conversion;
};

/// The attributes of a document that a projection reads.
struct ProjectionAttributes {
  enum class Kind : uint8_t {
    kValues,  ///< converts values of `uses`; a document has at most one of them
    kObject,  ///< the same, or an object assembled from `members`
    kSteps,   ///< follows steps into an array of `members`
    kWhole,   ///< the record itself
  };
  Kind kind = Kind::kValues;
  std::vector<AttributeUse> uses;  ///< ids ascend
  std::vector<bool> members;       ///< by attribute; missing entries are false
};

/// The attributes of a projection, among those that the dictionary has now.
ProjectionAttributes AttributesOf(const AttributeDictionary& dictionary,
                                  const DocumentProjection& projection);

}  // namespace scaup
