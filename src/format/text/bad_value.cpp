// Wording of errors for values that do not fit.
#include "format/text/bad_value.hpp"

#include "common/sqlstate.hpp"
#include "common/throw.hpp"

namespace scaup {

std::string ShortenedText(std::string_view text) {
  constexpr size_t kMostBytes = 80;
  if (text.size() <= kMostBytes) return std::string(text);
  size_t length = kMostBytes;
  while (length > 0 && (text[length] & 0xC0) == 0x80) length--;
  return std::string(text.substr(0, length)) + "...";
}

const char* BadValueState(const LogicalType& type) {
  switch (type.id()) {
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimeTz:
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz:
    case TypeId::kInterval: return sqlstate::kInvalidDatetimeFormat;
    default: return sqlstate::kInvalidTextRepresentation;
  }
}

}  // namespace scaup
