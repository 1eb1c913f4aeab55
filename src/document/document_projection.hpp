// A path of documents read as a column of one SQL type.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"
#include "scaup/type.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// A step within an array, or within an object in one: an element, counted from 0 (from -1 at the end), or a
/// member.
struct DocumentStep {
  std::string key = {};
  int64_t index = 0;
  bool is_element = false;
  friend bool operator==(const DocumentStep&, const DocumentStep&) = default;
};

/// The values that a column of a collection reads. The type is one of
/// - BOOLEAN, BIGINT, HUGEINT, VARCHAR: the values of that type (HUGEINT: those of BIGINT, too);
/// - DOUBLE: all numbers;
/// - BOOLEAN[], BIGINT[], DOUBLE[], VARCHAR[]: arrays of these (DOUBLE[]: those of BIGINT[], too), empty ones
///   among them, and of arrays of several types the elements that are of the list's;
/// - JSON[]: all arrays, element by element;
/// - JSON: whatever is there, as JSON text: whole objects, too;
/// - BLOB: the record itself; of the root path only.
/// Absent values, nulls and values of other types are NULL.
struct DocumentProjection {
  PathId path = kRootPath;
  LogicalType type;
  /// From the value at the path to the one that is read.
  std::vector<DocumentStep> steps = {};
  friend bool operator==(const DocumentProjection&, const DocumentProjection&) = default;
};

/// Reads projections out of records. One thread; sees the attributes that the dictionary had when it was
/// made.
class DocumentReader {
 public:
  DocumentReader(std::shared_ptr<const AttributeDictionary> dictionary,
                 std::vector<DocumentProjection> projections);
  ~DocumentReader();

  /// outputs[i], which is after Reset() and of the type of projection i, receives it for each of `count`
  /// records: a vector of BLOBs of any form. All are taken in one pass over each record. A NULL record gives
  /// NULLs. Bytes of strings are shared with `records` where they can be.
  void Read(const Vector& records, size_t count, std::span<Vector* const> outputs);

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

}  // namespace scaup
