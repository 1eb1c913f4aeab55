// Translates the format strings of the C data interface to the types of Arrow's IPC format.
#include "format/arrow/ipc/ipc_schema.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "format/arrow/ipc/flat_buffer.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"

namespace scaup {

namespace {

using Place = FlatBufferBuilder::Place;

[[noreturn]] void ThrowNoType(const ArrowSchema& schema) {
  ThrowError(ErrorKind::kNotSupported, sqlstate::kFeatureNotSupported,
             fmt::format("column \"{}\" of Arrow's format \"{}\" cannot be written",
                         schema.name == nullptr ? "" : schema.name, schema.format));
}

int64_t NumberIn(std::string_view text, const ArrowSchema& schema) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) ThrowNoType(schema);
  return number;
}

/// An integer type by its letter.
struct IntegerType {
  char letter;
  int32_t bits;
  bool is_signed;
};
constexpr IntegerType kIntegers[] = {{'c', 8, true},  {'C', 8, false},  {'s', 16, true}, {'S', 16, false},
                                     {'i', 32, true}, {'I', 32, false}, {'l', 64, true}, {'L', 64, false}};

const IntegerType* IntegerOf(std::string_view format) {
  for (const IntegerType& type : kIntegers) {
    if (format.size() == 1 && format[0] == type.letter) return &type;
  }
  return nullptr;
}

/// The parts of "d:precision,scale[,bits]".
struct DecimalFormat {
  int32_t precision, scale, bits;
};
DecimalFormat DecimalIn(const ArrowSchema& schema) {
  std::vector<int32_t> parts;
  std::string_view rest = std::string_view(schema.format).substr(2);
  while (true) {
    const size_t comma = std::min(rest.find(','), rest.size());
    parts.push_back(static_cast<int32_t>(NumberIn(rest.substr(0, comma), schema)));
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  if (parts.size() != 2 && parts.size() != 3) ThrowNoType(schema);
  return {parts[0], parts[1], parts.size() == 3 ? parts[2] : 128};
}

/// The unit of times by its letter: s, m, u, n.
int16_t UnitOf(char letter, const ArrowSchema& schema) {
  const size_t unit = std::string_view("smun").find(letter);
  if (unit == std::string_view::npos) ThrowNoType(schema);
  return static_cast<int16_t>(unit);
}

/// Writes the table of a type. Returns its kind and place.
class TypeWriter {
 public:
  TypeWriter(FlatBufferBuilder& builder, const ArrowSchema& schema)
      : builder_(builder), schema_(schema), format_(schema.format) {}

  std::pair<ipc::Type, Place> Write() {
    constexpr std::pair<std::string_view, ipc::Type> kPlain[] = {
        {"n", ipc::Type::kNull},        {"b", ipc::Type::kBool},        {"z", ipc::Type::kBinary},
        {"u", ipc::Type::kUtf8},        {"Z", ipc::Type::kLargeBinary}, {"U", ipc::Type::kLargeUtf8},
        {"vz", ipc::Type::kBinaryView}, {"vu", ipc::Type::kUtf8View},   {"+l", ipc::Type::kList},
        {"+L", ipc::Type::kLargeList},  {"+s", ipc::Type::kStruct}};
    for (const auto& [format, type] : kPlain) {
      if (format_ == format) return Table(type);
    }
    if (const IntegerType* integer = IntegerOf(format_))
      return Table(ipc::Type::kInt, integer->bits, integer->is_signed);
    constexpr std::string_view kFloats = "efg";
    if (format_.size() == 1 && kFloats.find(format_[0]) != std::string_view::npos)
      return Table(ipc::Type::kFloatingPoint, static_cast<int16_t>(kFloats.find(format_[0])));
    if (format_.starts_with("d:")) {
      const DecimalFormat decimal = DecimalIn(schema_);
      return Table(ipc::Type::kDecimal, decimal.precision, decimal.scale, decimal.bits);
    }
    if (format_.starts_with("w:"))
      return Table(ipc::Type::kFixedSizeBinary, static_cast<int32_t>(NumberIn(format_.substr(2), schema_)));
    if (format_.starts_with("+w:"))
      return Table(ipc::Type::kFixedSizeList, static_cast<int32_t>(NumberIn(format_.substr(3), schema_)));
    if (format_.starts_with("+us:") || format_.starts_with("+ud:")) {
      // Without numbers, those of the members are their positions.
      for (int64_t i = 0; i < schema_.n_children; i++) numbers_ += fmt::format("{}{}", i == 0 ? "" : ",", i);
      if (format_.substr(4) != numbers_) ThrowNoType(schema_);
      return Table(ipc::Type::kUnion, static_cast<int16_t>(format_[2] == 's' ? 0 : 1));
    }
    if (format_ == "+m") {
      const bool is_sorted = (schema_.flags & ARROW_FLAG_MAP_KEYS_SORTED) != 0;
      return Table(ipc::Type::kMap, is_sorted);
    }
    return WriteTime();
  }

  /// Writes the type of integers with that many bytes, as which indexes of dictionaries are declared.
  Place WriteInteger() {
    const IntegerType* integer = IntegerOf(format_);
    if (integer == nullptr) ThrowNoType(schema_);
    return Table(ipc::Type::kInt, integer->bits, integer->is_signed).second;
  }

 private:
  std::pair<ipc::Type, Place> WriteTime() {
    if (format_.size() < 3 || format_[0] != 't') ThrowNoType(schema_);
    const char unit = format_[2];
    switch (format_[1]) {
      case 'd': return Table(ipc::Type::kDate, static_cast<int16_t>(unit == 'D' ? 0 : 1));
      case 't': {
        const int16_t number = UnitOf(unit, schema_);
        return Table(ipc::Type::kTime, number, int32_t{number <= 1 ? 32 : 64});
      }
      case 'D': return Table(ipc::Type::kDuration, UnitOf(unit, schema_));
      case 'i': {
        const size_t kind = std::string_view("MDn").find(unit);
        if (kind == std::string_view::npos) ThrowNoType(schema_);
        return Table(ipc::Type::kInterval, static_cast<int16_t>(kind));
      }
      case 's': {
        const std::string_view zone = format_.size() > 4 ? format_.substr(4) : std::string_view();
        const std::optional<Place> name =
            zone.empty() ? std::nullopt : std::optional(builder_.AddString(zone));
        builder_.BeginTable();
        builder_.AddField(0, UnitOf(unit, schema_));
        if (name) builder_.AddReference(1, *name);
        return {ipc::Type::kTimestamp, builder_.EndTable()};
      }
      default: ThrowNoType(schema_);
    }
  }

  /// Writes a table whose fields are these, in the order of their slots.
  template <typename... Fields>
  std::pair<ipc::Type, Place> Table(ipc::Type type, Fields... fields) {
    builder_.BeginTable();
    FlatBufferBuilder::Slot slot = 0;
    (builder_.AddField(slot++, fields), ...);
    return {type, builder_.EndTable()};
  }

  FlatBufferBuilder& builder_;
  const ArrowSchema& schema_;
  const std::string_view format_;
  std::string numbers_;
};

/// Writes the keys and values of a schema's metadata. Returns nothing if there are none.
std::optional<Place> WriteMetadata(FlatBufferBuilder& builder, const char* metadata) {
  if (metadata == nullptr) return std::nullopt;
  const auto read_number = [&] {
    int32_t number;
    std::memcpy(&number, metadata, sizeof(number));
    metadata += sizeof(number);
    return number;
  };
  const auto read_text = [&] {
    const auto size = static_cast<size_t>(read_number());
    const std::string_view text(metadata, size);
    metadata += size;
    return text;
  };
  const int32_t count = read_number();
  std::vector<Place> pairs;
  for (int32_t i = 0; i < count; i++) {
    const Place key = builder.AddString(read_text());
    const Place value = builder.AddString(read_text());
    builder.BeginTable();
    builder.AddReference(ipc::key_value::kKey, key);
    builder.AddReference(ipc::key_value::kValue, value);
    pairs.push_back(builder.EndTable());
  }
  return pairs.empty() ? std::nullopt : std::optional(builder.AddReferences(pairs));
}

Place WriteField(FlatBufferBuilder& builder, const ArrowSchema& schema, int64_t& dictionaries) {
  CheckStack();
  // The values of a dictionary have the type of the field; its indexes are told beside.
  const ArrowSchema& values = schema.dictionary != nullptr ? *schema.dictionary : schema;
  std::optional<Place> encoding;
  if (schema.dictionary != nullptr) {
    const Place index = TypeWriter(builder, schema).WriteInteger();
    builder.BeginTable();
    builder.AddField(ipc::dictionary_encoding::kId, dictionaries++);
    builder.AddReference(ipc::dictionary_encoding::kIndexType, index);
    builder.AddField(ipc::dictionary_encoding::kIsOrdered,
                     (schema.flags & ARROW_FLAG_DICTIONARY_ORDERED) != 0);
    encoding = builder.EndTable();
  }
  std::vector<Place> children;
  for (int64_t i = 0; i < values.n_children; i++)
    children.push_back(WriteField(builder, *values.children[i], dictionaries));
  const Place child_list = builder.AddReferences(children);
  const std::optional<Place> metadata = WriteMetadata(builder, schema.metadata);
  const Place name = builder.AddString(schema.name == nullptr ? "" : schema.name);
  const auto [kind, type] = TypeWriter(builder, values).Write();
  builder.BeginTable();
  builder.AddReference(ipc::field::kName, name);
  builder.AddField(ipc::field::kNullable, (schema.flags & ARROW_FLAG_NULLABLE) != 0);
  builder.AddField(ipc::field::kTypeType, kind);
  builder.AddReference(ipc::field::kType, type);
  if (encoding) builder.AddReference(ipc::field::kDictionary, *encoding);
  builder.AddReference(ipc::field::kChildren, child_list);
  if (metadata) builder.AddReference(ipc::field::kMetadata, *metadata);
  return builder.EndTable();
}

/// The layouts of the types that have buffers of one width.
std::optional<int64_t> FixedWidth(const ArrowSchema& schema) {
  const std::string_view format = schema.format;
  if (const IntegerType* integer = IntegerOf(format)) return integer->bits / 8;
  if (format == "e") return 2;
  if (format == "f") return 4;
  if (format == "g") return 8;
  if (format.starts_with("d:")) return DecimalIn(schema).bits / 8;
  if (format.starts_with("w:")) return NumberIn(format.substr(2), schema);
  if (format == "tdD" || format == "tts" || format == "ttm" || format == "tiM") return 4;
  if (format == "tin") return 16;
  if (format.size() >= 3 && format[0] == 't') return 8;
  return std::nullopt;
}

}  // namespace

IpcColumn ReadIpcLayout(const ArrowSchema& schema, int64_t& dictionaries) {
  CheckStack();
  constexpr std::pair<std::string_view, IpcLayout> kLayouts[] = {
      {"n", IpcLayout::kNull},       {"b", IpcLayout::kBits},       {"u", IpcLayout::kVariable32},
      {"z", IpcLayout::kVariable32}, {"U", IpcLayout::kVariable64}, {"Z", IpcLayout::kVariable64},
      {"vu", IpcLayout::kViews},     {"vz", IpcLayout::kViews},     {"+l", IpcLayout::kList32},
      {"+m", IpcLayout::kList32},    {"+L", IpcLayout::kList64},    {"+s", IpcLayout::kStruct}};
  IpcColumn column;
  const std::string_view format = schema.format;
  if (schema.dictionary != nullptr) {
    column.layout = IpcLayout::kDictionary;
    column.width = FixedWidth(schema).value_or(0);
    column.dictionary = dictionaries++;
    column.children.push_back(ReadIpcLayout(*schema.dictionary, dictionaries));
    return column;
  }
  const std::optional<int64_t> width = FixedWidth(schema);
  bool is_known = width.has_value();
  if (width) {
    column.layout = IpcLayout::kFixed;
    column.width = *width;
  } else if (format.starts_with("+w:")) {
    column.layout = IpcLayout::kFixedList;
    column.width = NumberIn(format.substr(3), schema);
    is_known = true;
  }
  if (format.starts_with("+us:") || format.starts_with("+ud:")) {
    column.layout = format[2] == 's' ? IpcLayout::kSparseUnion : IpcLayout::kDenseUnion;
    is_known = true;
  }
  for (const auto& [name, layout] : kLayouts) {
    if (format != name) continue;
    column.layout = layout;
    is_known = true;
  }
  if (!is_known) ThrowNoType(schema);
  for (int64_t i = 0; i < schema.n_children; i++)
    column.children.push_back(ReadIpcLayout(*schema.children[i], dictionaries));
  return column;
}

FlatBufferBuilder::Place AddIpcSchema(const ArrowSchema& schema, FlatBufferBuilder& builder) {
  int64_t dictionaries = 0;
  std::vector<Place> fields;
  for (int64_t i = 0; i < schema.n_children; i++)
    fields.push_back(WriteField(builder, *schema.children[i], dictionaries));
  const Place field_list = builder.AddReferences(fields);
  const std::optional<Place> metadata = WriteMetadata(builder, schema.metadata);
  builder.BeginTable();
  builder.AddField(ipc::schema::kEndianness, ipc::schema::kLittle);
  builder.AddReference(ipc::schema::kFields, field_list);
  if (metadata) builder.AddReference(ipc::schema::kMetadata, *metadata);
  return builder.EndTable();
}

std::string IpcSchemaMessage(const ArrowSchema& schema) {
  FlatBufferBuilder builder;
  const Place root = AddIpcSchema(schema, builder);
  builder.BeginTable();
  builder.AddField(ipc::message::kVersion, ipc::kVersion5);
  builder.AddField(ipc::message::kHeaderType, ipc::Header::kSchema);
  builder.AddReference(ipc::message::kHeader, root);
  builder.AddField(ipc::message::kBodyLength, int64_t{0});
  const std::span<const std::byte> bytes = builder.Finish(builder.EndTable());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace scaup
