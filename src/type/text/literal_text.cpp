// Formats values as SQL literals.
#include "type/text/literal_text.hpp"

#include "type/text/quoted_text.hpp"

namespace scaup {

std::string LiteralText(const Value& value) {
  if (value.is_null()) return "NULL";
  switch (value.type().id()) {
    case TypeId::kVarchar:
    case TypeId::kBlob:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kInterval:
    case TypeId::kUuid:
    case TypeId::kTimestampTz:
    case TypeId::kJson:
    case TypeId::kJsonb:
    case TypeId::kBit:
    case TypeId::kTimeTz:
    case TypeId::kEnum:
    case TypeId::kList:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: return QuotedText(value.ToString());
    default: return value.ToString();
  }
}

}  // namespace scaup
