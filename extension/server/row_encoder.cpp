// Encodes result columns for the protocol.
#include "row_encoder.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

#include "binary_value.hpp"
#include "types.hpp"
#include "wire.hpp"

namespace scaup::server {

namespace {

using Column = RowEncoder::Column;

template <typename T>
T Stored(const Column& column, size_t row) {
  return static_cast<const T*>(column.data)[row];
}

// --- Text

void BooleanText(const Column& column, size_t row, std::string& out) {
  out.push_back(Stored<uint8_t>(column, row) != 0 ? 't' : 'f');
}

template <typename T>
void IntegerText(const Column& column, size_t row, std::string& out) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), int64_t{Stored<T>(column, row)});
  out.append(digits, end.ptr);
}

void StringBytes(const Column& column, size_t row, std::string& out) {
  out.append(column.rows->GetString(column.index, row));
}

/// CHAR(n) is stored without the spaces that fill it up. Its length counts characters, not bytes.
void PaddedText(const Column& column, size_t row, std::string& out) {
  const std::string_view text = column.rows->GetString(column.index, row);
  size_t characters = 0;
  for (const char byte : text) characters += (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
  out.append(text);
  if (characters < column.pad_length) out.append(column.pad_length - characters, ' ');
}

void BlobText(const Column& column, size_t row, std::string& out) {
  constexpr char kDigits[] = "0123456789abcdef";
  const std::string_view bytes = column.rows->GetString(column.index, row);
  const size_t begin = out.size();
  out.resize(begin + 2 + 2 * bytes.size());
  char* to = out.data() + begin;
  *to++ = '\\';
  *to++ = 'x';
  for (const char byte : bytes) {
    *to++ = kDigits[static_cast<unsigned char>(byte) >> 4];
    *to++ = kDigits[byte & 15];
  }
}

void EnumText(const Column& column, size_t row, std::string& out) {
  out.append(column.type.label(static_cast<size_t>(Stored<int16_t>(column, row))));
}

void OtherText(const Column& column, size_t row, std::string& out) {
  column.rows->AppendText(column.index, row, out);
}

/// An int2vector: "1 2".
void VectorText(const Column& column, size_t row, std::string& out) {
  const size_t begin = out.size();
  column.rows->AppendText(column.index, row, out);
  std::replace(out.begin() + static_cast<ptrdiff_t>(begin), out.end(), ',', ' ');
  out.erase(begin, 1);
  out.pop_back();
}

RowEncoder::Append TextAppender(const LogicalType& type, uint32_t pad_length) {
  switch (type.id()) {
    case TypeId::kBoolean: return BooleanText;
    case TypeId::kTinyInt: return IntegerText<int8_t>;
    case TypeId::kSmallInt: return IntegerText<int16_t>;
    case TypeId::kInteger: return IntegerText<int32_t>;
    case TypeId::kBigInt: return IntegerText<int64_t>;
    case TypeId::kUTinyInt: return IntegerText<uint8_t>;
    case TypeId::kUSmallInt: return IntegerText<uint16_t>;
    case TypeId::kUInteger: return IntegerText<uint32_t>;
    case TypeId::kVarchar: return pad_length != 0 ? PaddedText : StringBytes;
    case TypeId::kJson:
    case TypeId::kJsonb: return StringBytes;
    case TypeId::kBlob: return BlobText;
    case TypeId::kEnum: return EnumText;
    case TypeId::kNull:
    case TypeId::kHugeInt:
    case TypeId::kUBigInt:
    case TypeId::kReal:
    case TypeId::kDouble:
    case TypeId::kDecimal:
    case TypeId::kNumeric:
    case TypeId::kBit:
    case TypeId::kTimeTz:
    case TypeId::kDate:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kInterval:
    case TypeId::kUuid:
    case TypeId::kTimestampTz:
    case TypeId::kStruct:
    case TypeId::kRange:
    case TypeId::kMultirange: return OtherText;
    case TypeId::kList: return ModifierBits(type) == 0 ? OtherText : VectorText;
  }
  return OtherText;
}

// --- Binary

template <typename From, typename To>
void IntegerBinary(const Column& column, size_t row, std::string& out) {
  PutBig(static_cast<To>(Stored<From>(column, row)), out);
}

void BooleanBinary(const Column& column, size_t row, std::string& out) {
  out.push_back(static_cast<char>(Stored<uint8_t>(column, row) != 0));
}

void RealBinary(const Column& column, size_t row, std::string& out) {
  PutBig(std::bit_cast<uint32_t>(Stored<float>(column, row)), out);
}

void DoubleBinary(const Column& column, size_t row, std::string& out) {
  PutBig(std::bit_cast<uint64_t>(Stored<double>(column, row)), out);
}

void DecimalBinary(const Column& column, size_t row, std::string& out) {
  int128_t unscaled = 0;
  switch (column.value_bytes) {
    case sizeof(int16_t): unscaled = Stored<int16_t>(column, row); break;
    case sizeof(int32_t): unscaled = Stored<int32_t>(column, row); break;
    case sizeof(int64_t): unscaled = Stored<int64_t>(column, row); break;
    default: unscaled = Stored<int128_t>(column, row);
  }
  AppendBinaryNumeric(unscaled, column.type.scale(), out);
}

void DateBinary(const Column& column, size_t row, std::string& out) {
  PutBig(ToPostgresDate(Stored<int32_t>(column, row)), out);
}

void TimestampBinary(const Column& column, size_t row, std::string& out) {
  PutBig(ToPostgresTimestamp(Stored<int64_t>(column, row)), out);
}

void IntervalBinary(const Column& column, size_t row, std::string& out) {
  AppendBinaryInterval(Stored<Interval>(column, row), out);
}

void JsonbBinary(const Column& column, size_t row, std::string& out) {
  out.push_back(kJsonbVersion);
  StringBytes(column, row, out);
}

void OtherBinary(const Column& column, size_t row, std::string& out) {
  AppendBinaryValue(column.rows->GetValue(column.index, row), out);
}

RowEncoder::Append BinaryAppender(const LogicalType& type, uint32_t pad_length) {
  switch (type.id()) {
    case TypeId::kBoolean: return BooleanBinary;
    case TypeId::kTinyInt: return IntegerBinary<int8_t, int16_t>;
    case TypeId::kSmallInt: return IntegerBinary<int16_t, int16_t>;
    case TypeId::kInteger: return IntegerBinary<int32_t, int32_t>;
    case TypeId::kUTinyInt: return IntegerBinary<uint8_t, int16_t>;
    case TypeId::kUSmallInt: return IntegerBinary<uint16_t, int32_t>;
    case TypeId::kUInteger: return IntegerBinary<uint32_t, int64_t>;
    case TypeId::kBigInt:
    case TypeId::kTime: return IntegerBinary<int64_t, int64_t>;
    case TypeId::kReal: return RealBinary;
    case TypeId::kDouble: return DoubleBinary;
    case TypeId::kHugeInt:
    case TypeId::kDecimal: return DecimalBinary;
    case TypeId::kDate: return DateBinary;
    case TypeId::kTimestamp:
    case TypeId::kTimestampTz: return TimestampBinary;
    case TypeId::kInterval: return IntervalBinary;
    case TypeId::kVarchar: return pad_length != 0 ? PaddedText : StringBytes;
    case TypeId::kJson:
    case TypeId::kBlob: return StringBytes;
    case TypeId::kJsonb: return JsonbBinary;
    case TypeId::kEnum: return EnumText;
    case TypeId::kNull:
    case TypeId::kUBigInt:
    case TypeId::kUuid:
    case TypeId::kNumeric:
    case TypeId::kBit:
    case TypeId::kTimeTz:
    case TypeId::kRange:
    case TypeId::kMultirange: return OtherBinary;
    case TypeId::kStruct: return IsUnion(type) ? OtherText : OtherBinary;
    case TypeId::kList: return IsMap(type) ? OtherText : OtherBinary;
  }
  return OtherBinary;
}

}  // namespace

RowEncoder::RowEncoder(const std::vector<ResultColumn>& columns, std::span<const Format> formats) {
  columns_.resize(columns.size());
  for (size_t i = 0; i < columns.size(); i++) {
    Column& column = columns_[i];
    column.index = i;
    column.type = columns[i].type;
    const PostgresType type = TypeForClient(column.type);
    // The modifier of CHAR(n) counts the bytes of a length word, too.
    constexpr int32_t kLengthWord = 4;
    if (type.oid == kBpcharOid && type.modifier > kLengthWord)
      column.pad_length = static_cast<uint32_t>(type.modifier - kLengthWord);
    column.append = formats[i] == Format::kText ? TextAppender(column.type, column.pad_length)
                                                : BinaryAppender(column.type, column.pad_length);
  }
}

void RowEncoder::Begin(const QueryResult& rows) {
  for (Column& column : columns_) {
    const ColumnView view = rows.Column(column.index);
    column.rows = &rows;
    column.data = view.data;
    column.nulls = view.nulls;
    column.value_bytes = view.value_bytes;
  }
}

bool RowEncoder::AppendValue(size_t column, size_t row, std::string& out) const {
  const Column& source = columns_[column];
  if (source.nulls != nullptr && source.nulls[row] != 0) return false;
  source.append(source, row, out);
  return true;
}

void RowEncoder::AppendFields(size_t row, std::string& out) const {
  PutBig(static_cast<uint16_t>(columns_.size()), out);
  for (const Column& column : columns_) {
    if (column.nulls != nullptr && column.nulls[row] != 0) {
      PutBig(int32_t{-1}, out);
      continue;
    }
    const size_t begin = out.size();
    out.append(sizeof(int32_t), '\0');
    column.append(column, row, out);
    StoreBig(static_cast<uint32_t>(out.size() - begin - sizeof(int32_t)), out.data() + begin);
  }
}

void RowEncoder::AppendRow(size_t row, std::string& out) const {
  const MessageScope message('D', out);
  AppendFields(row, out);
}

void AppendRowDescription(const std::vector<ResultColumn>& columns, std::span<const Format> formats,
                          std::string& out) {
  const MessageScope message('T', out);
  PutBig(static_cast<uint16_t>(columns.size()), out);
  for (size_t i = 0; i < columns.size(); i++) {
    const PostgresType type = TypeForClient(columns[i].type);
    PutCString(columns[i].name, out);
    PutBig(uint32_t{0}, out);  // no table's column
    PutBig(uint16_t{0}, out);
    PutBig(type.oid, out);
    PutBig(type.length, out);
    PutBig(type.modifier, out);
    PutBig(static_cast<int16_t>(formats[i]), out);
  }
}

}  // namespace scaup::server
