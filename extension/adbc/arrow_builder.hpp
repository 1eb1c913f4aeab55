// Arrow builder: makes the arrays of the metadata functions, whose types the specification fixes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "owned.hpp"

namespace scaup::adbc {

/// The name and type of a field. A value type.
struct Field {
  std::string name;
  std::string format;  ///< as in Arrow's C interface: "u", "i", "+l", "+s", ...
  bool is_nullable = true;
  std::vector<Field> children;
};

/// Returns the schema of a table with these columns.
OwnedSchema MakeSchema(const std::vector<Field>& columns);

/// Collects the values of a field: texts ("u"), bytes ("z"), booleans ("b"), integers ("s", "i", "l", "I",
/// "L"), doubles ("g"), lists ("+l"), maps ("+m"), structs ("+s") and dense unions ("+ud:..."), nested at
/// will. Used by one thread.
class ArrayBuilder {
 public:
  /// REQUIRES: a format of those above.
  explicit ArrayBuilder(const Field& field);

  void AppendNull();
  void AppendInteger(int64_t value);
  void AppendDouble(double value);
  void AppendBytes(std::string_view bytes);
  ArrayBuilder& child(size_t index) { return children_[index]; }
  /// Ends a list or map: it has the values that its child was given since the last one ended.
  void EndList();
  /// Ends a struct: each child was given one value.
  void EndStruct() {
    length_++;
    is_valid_.push_back(true);
  }
  /// Ends a value of a union: the child, whose number is its type code, was given the value.
  void EndUnion(int8_t code);

  /// Makes the array of the values so far, which the builder no longer has.
  OwnedArray Finish();

 private:
  void AppendFixed(const void* value, size_t size);

  std::string format_;
  int64_t length_ = 0;
  std::vector<bool> is_valid_;
  std::vector<uint8_t> values_;   // fixed-width values, bytes of texts, type codes
  std::vector<int32_t> offsets_;  // of texts and lists; of a union's values in its children
  std::vector<ArrayBuilder> children_;
};

/// Makes a stream of one array of a table with these columns. REQUIRES: `table` was made for them.
OwnedStream MakeTable(const std::vector<Field>& columns, ArrayBuilder& table);

/// Returns the field of a table, for ArrayBuilder.
Field TableField(const std::vector<Field>& columns);

}  // namespace scaup::adbc
