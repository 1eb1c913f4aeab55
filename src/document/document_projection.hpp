// Projection of documents: a path read as a column of one SQL type.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"
#include "scaup/type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A step into an array, or into an object within one: an element, counted from 0 (from -1 backwards), or a
/// member.
struct DocumentStep {
  std::string key = {};
  int64_t index = 0;
  bool is_element = false;
  friend bool operator==(const DocumentStep&, const DocumentStep&) = default;
};

/// The path and type of a column that is extracted from documents. The type is one of
/// - BOOLEAN, BIGINT, HUGEINT, VARCHAR: the values of that type (HUGEINT: also those of BIGINT);
/// - DOUBLE: all numbers;
/// - BOOLEAN[], BIGINT[], DOUBLE[], VARCHAR[]: arrays of that type (DOUBLE[]: also those of BIGINT[]) and
///   empty arrays; of mixed arrays, the elements of the list's type;
/// - JSON[]: all arrays, element by element;
/// - JSON: any value, including whole objects, as JSON text;
/// - BLOB: the record itself; for the root path only.
/// Absent values, nulls and values of other types are NULL.
struct DocumentProjection {
  PathId path = kRootPath;
  LogicalType type;
  /// The steps from the value at the path to the value to read.
  std::vector<DocumentStep> steps = {};
  friend bool operator==(const DocumentProjection&, const DocumentProjection&) = default;
};

/// Extracts projections from records. It sees the attributes that the dictionary had at construction. One
/// thread at a time.
class DocumentReader {
 public:
  DocumentReader(std::shared_ptr<const AttributeDictionary> dictionary,
                 std::vector<DocumentProjection> projections);
  ~DocumentReader();

  /// Stores projection i of each of `count` records in outputs[i], in one pass over each record. `records` is
  /// a vector of BLOBs of any form; a NULL record yields NULLs. String bytes are shared with `records` where
  /// possible. REQUIRES: outputs[i] is after Reset() and of the type of projection i.
  void Read(const Vector& records, size_t count, std::span<Vector* const> outputs);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace scaup
