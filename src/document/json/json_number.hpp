// Parses JSON numbers and chooses the type that reproduces their text.
#pragma once

#include "document/attribute/attribute_dictionary.hpp"
#include "scaup/type.hpp"

namespace scaup {

struct JsonNumber {
  AttributeType type = AttributeType::kNumber;  ///< kInteger, kLongInteger, kHugeInteger, kDouble or kNumber
  int128_t integer = 0;                         ///< for the first three types
  double number = 0;                            ///< for kDouble
  const char* end = nullptr;                    ///< the end of its text
};

/// Parses the number that begins at `begin`. Returns false if there is none, or if anything but white space
/// or one of , : ] } follows it before `end`.
bool ReadJsonNumber(const char* begin, const char* end, JsonNumber& number);
/// The type of an integer, by whether it fits a double exactly, 64 bits or 128 bits.
AttributeType TypeOfInteger(int128_t integer);
/// Whether the integer's text is also the shortest text of a double.
bool IsWrittenAsDouble(int128_t integer);

}  // namespace scaup
