// The target of COMMENT ON.
#pragma once

#include <cstdint>
#include <string>

namespace scaup {

/// A schema, a relation or type in it, or a column, constraint or trigger of that. A value.
struct CommentTarget {
  /// The numbers are in files. kRelation: a table, view, index, sequence or type.
  enum class Kind : uint8_t {
    kSchema = 1,
    kRelation = 2,
    kColumn = 3,
    kConstraint = 4,
    kTrigger = 5
  } kind = Kind::kRelation;
  std::string schema;
  std::string relation;  ///< "" of kSchema
  std::string part;      ///< of kColumn, kConstraint and kTrigger
};

}  // namespace scaup
