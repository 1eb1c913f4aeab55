// Numbers of JSON: the type that gives their text back.
#pragma once

#include "document/attribute/attribute_dictionary.hpp"
#include "scaup/type.hpp"

namespace scaup {

struct JsonNumber {
  AttributeType type = AttributeType::kNumber;  ///< kInteger, kLongInteger, kHugeInteger, kDouble or kNumber
  int128_t integer = 0;                         ///< of the first three
  double number = 0;                            ///< of kDouble
  const char* end = nullptr;                    ///< behind its text
};

/// Reads the number that begins at `begin`. False where none does, or where something else than white space
/// or one of , : ] } follows it before `end`.
bool ReadJsonNumber(const char* begin, const char* end, JsonNumber& number);
/// The type of an integer: by whether a double holds it, or 64 bits.
AttributeType TypeOfInteger(int128_t integer);
/// Whether the integer's text is that of a double, too.
bool IsWrittenAsDouble(int128_t integer);

}  // namespace scaup
