// Of which attributes a projection is made.
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
    kValues,  ///< converts values of `uses`: a document has one of these at most
    kObject,  ///< the same, or an object that is put together from `members`
    kSteps,   ///< goes into an array: `members`
    kWhole,   ///< the record itself
  };
  Kind kind = Kind::kValues;
  std::vector<AttributeUse> uses;  ///< ids ascend
  std::vector<bool> members;       ///< by attribute; shorter where the others are none
};

/// The attributes of a projection, out of those that the dictionary has now.
ProjectionAttributes AttributesOf(const AttributeDictionary& dictionary,
                                  const DocumentProjection& projection);

}  // namespace scaup
