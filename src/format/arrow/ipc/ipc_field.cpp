// Translates types of Arrow's IPC format to format strings of the C data interface.
#include "format/arrow/ipc/ipc_field.hpp"

#include <fmt/format.h>

#include <iterator>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "format/arrow/ipc/ipc_messages.hpp"

namespace scaup {

namespace {

/// The letters of units: seconds, milliseconds, microseconds, nanoseconds.
constexpr char kUnits[] = {'s', 'm', 'u', 'n'};
constexpr int16_t kMilliseconds = 1;

char UnitAt(const FlatTable& type, FlatTable::Slot slot) {
  const auto unit = type.Field<int16_t>(slot, kMilliseconds);
  if (unit < 0 || static_cast<size_t>(unit) >= std::size(kUnits))
    ThrowMalformedIpc("a time has an unknown unit");
  return kUnits[unit];
}

std::string IntegerFormat(const FlatTable& type) {
  const bool is_signed = type.Flag(1);
  switch (type.Field<int32_t>(0, 0)) {
    case 8: return is_signed ? "c" : "C";
    case 16: return is_signed ? "s" : "S";
    case 32: return is_signed ? "i" : "I";
    case 64: return is_signed ? "l" : "L";
    default: ThrowMalformedIpc("an integer has an unknown width");
  }
}

std::string FormatOf(ipc::Type kind, const FlatTable& type) {
  switch (kind) {
    case ipc::Type::kNull: return "n";
    case ipc::Type::kInt: return IntegerFormat(type);
    case ipc::Type::kFloatingPoint: {
      const auto precision = type.Field<int16_t>(0, 0);
      if (precision < 0 || precision > 2) ThrowMalformedIpc("a number has an unknown precision");
      return std::string(1, "efg"[precision]);
    }
    case ipc::Type::kBinary: return "z";
    case ipc::Type::kUtf8: return "u";
    case ipc::Type::kBool: return "b";
    case ipc::Type::kDecimal: {
      const auto bits = type.Field<int32_t>(2, 128);
      const std::string digits = fmt::format("d:{},{}", type.Field<int32_t>(0, 0), type.Field<int32_t>(1, 0));
      return bits == 128 ? digits : fmt::format("{},{}", digits, bits);
    }
    case ipc::Type::kDate: return type.Field<int16_t>(0, 1) == 0 ? "tdD" : "tdm";
    case ipc::Type::kTime: return std::string("tt") + UnitAt(type, 0);
    case ipc::Type::kTimestamp: return fmt::format("ts{}:{}", UnitAt(type, 0), type.Text(1));
    case ipc::Type::kInterval: {
      const auto unit = type.Field<int16_t>(0, 0);
      if (unit < 0 || unit > 2) ThrowMalformedIpc("an interval has an unknown unit");
      return std::string("ti") + "MDn"[unit];
    }
    case ipc::Type::kList: return "+l";
    case ipc::Type::kStruct: return "+s";
    case ipc::Type::kUnion: return type.Field<int16_t>(0, 0) == 0 ? "+us:" : "+ud:";
    case ipc::Type::kFixedSizeBinary:
    case ipc::Type::kFixedSizeList: {
      const auto width = type.Field<int32_t>(0, 0);
      if (width < 0) ThrowMalformedIpc("a value has a negative size");
      return fmt::format("{}:{}", kind == ipc::Type::kFixedSizeBinary ? "w" : "+w", width);
    }
    case ipc::Type::kMap: return "+m";
    case ipc::Type::kDuration: return std::string("tD") + UnitAt(type, 0);
    case ipc::Type::kLargeBinary: return "Z";
    case ipc::Type::kLargeUtf8: return "U";
    case ipc::Type::kLargeList: return "+L";
    case ipc::Type::kBinaryView: return "vz";
    case ipc::Type::kUtf8View: return "vu";
  }
  ThrowNotSupported("Arrow data with run-end encoded values or list views cannot be read");
}

/// Returns the numbers of a union's members, which are their positions unless others are given.
std::string MemberNumbers(const FlatTable& type, size_t count) {
  const FlatTable::Vector given = type.Items(1, sizeof(int32_t));
  if (given.count != 0 && given.count != count) ThrowMalformedIpc("a union has the wrong number of members");
  std::string numbers;
  for (size_t i = 0; i < count; i++) {
    const int32_t number = given.count == 0 ? static_cast<int32_t>(i) : type.Item<int32_t>(given, i);
    numbers += fmt::format("{}{}", i == 0 ? "" : ",", number);
  }
  return numbers;
}

void AppendCounted(std::string_view text, std::string& out) {
  const auto size = static_cast<int32_t>(text.size());
  out.append(reinterpret_cast<const char*>(&size), sizeof(size)).append(text);
}

/// Returns metadata in the encoding of the C data interface: a count, then keys and values with their sizes.
std::string MetadataOf(const FlatTable& field) {
  const FlatTable::Vector pairs = field.Items(ipc::field::kMetadata, sizeof(uint32_t));
  if (pairs.count == 0) return {};
  std::string metadata;
  const auto count = static_cast<int32_t>(pairs.count);
  metadata.append(reinterpret_cast<const char*>(&count), sizeof(count));
  for (size_t i = 0; i < pairs.count; i++) {
    const FlatTable pair = field.TableAt(pairs, i);
    AppendCounted(pair.Text(ipc::key_value::kKey), metadata);
    AppendCounted(pair.Text(ipc::key_value::kValue), metadata);
  }
  return metadata;
}

/// Reads a field. `most_fields` is how many a message can have: references of a damaged one may make it seem
/// to have many more.
std::unique_ptr<IpcField> ReadField(const FlatTable& table, size_t& most_fields) {
  CheckStack();
  if (most_fields-- == 0) ThrowMalformedIpc("its columns repeat each other");
  auto field = std::make_unique<IpcField>();
  field->name = table.Text(ipc::field::kName);
  field->flags = table.Flag(ipc::field::kNullable) ? ARROW_FLAG_NULLABLE : 0;
  field->metadata = MetadataOf(table);
  const std::optional<FlatTable> type = table.Table(ipc::field::kType);
  if (!type) ThrowMalformedIpc("a column has no type");
  IpcField* values = field.get();
  if (const auto encoding = table.Table(ipc::field::kDictionary)) {
    const auto index = encoding->Table(ipc::dictionary_encoding::kIndexType);
    field->format = index ? IntegerFormat(*index) : "i";
    field->dictionary_id = encoding->Field<int64_t>(ipc::dictionary_encoding::kId, 0);
    if (encoding->Flag(ipc::dictionary_encoding::kIsOrdered)) field->flags |= ARROW_FLAG_DICTIONARY_ORDERED;
    field->dictionary = std::make_unique<IpcField>();
    values = field->dictionary.get();
  }
  const auto kind = table.Field<ipc::Type>(ipc::field::kTypeType, ipc::Type{});
  values->format = FormatOf(kind, *type);
  const FlatTable::Vector children = table.Items(ipc::field::kChildren, sizeof(uint32_t));
  for (size_t i = 0; i < children.count; i++)
    values->children.push_back(ReadField(table.TableAt(children, i), most_fields));
  const bool is_list = kind == ipc::Type::kList || kind == ipc::Type::kLargeList ||
                       kind == ipc::Type::kFixedSizeList || kind == ipc::Type::kMap;
  const bool has_fields = kind == ipc::Type::kStruct || kind == ipc::Type::kUnion;
  if (is_list ? children.count != 1 : !has_fields && children.count != 0)
    ThrowMalformedIpc("a column has the wrong number of children");
  if (kind == ipc::Type::kUnion) values->format += MemberNumbers(*type, children.count);
  return field;
}

/// The memory to which an exported schema points.
struct ExportedField {
  ~ExportedField() {
    for (ArrowSchema& child : schemas) {
      if (child.release != nullptr) child.release(&child);
    }
    if (dictionary.release != nullptr) dictionary.release(&dictionary);
  }
  std::shared_ptr<const IpcField> root;
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowSchema*> children;
  ArrowSchema dictionary = {};
};

void ReleaseField(ArrowSchema* schema) {
  delete static_cast<ExportedField*>(schema->private_data);
  schema->release = nullptr;
}

void ExportField(const IpcField& field, const std::shared_ptr<const IpcField>& root, ArrowSchema* out) {
  auto exported = std::make_unique<ExportedField>();
  exported->root = root;
  exported->schemas.resize(field.children.size());
  for (size_t i = 0; i < field.children.size(); i++) {
    ExportField(*field.children[i], root, &exported->schemas[i]);
    exported->children.push_back(&exported->schemas[i]);
  }
  if (field.dictionary) ExportField(*field.dictionary, root, &exported->dictionary);
  *out = {};
  out->format = field.format.c_str();
  out->name = field.name.c_str();
  out->metadata = field.metadata.empty() ? nullptr : field.metadata.data();
  out->flags = field.flags;
  out->n_children = static_cast<int64_t>(field.children.size());
  out->children = exported->children.data();
  out->dictionary = field.dictionary ? &exported->dictionary : nullptr;
  out->release = &ReleaseField;
  out->private_data = exported.release();
}

}  // namespace

std::unique_ptr<IpcField> ReadIpcSchema(const FlatTable& schema) {
  if (schema.Field<int16_t>(ipc::schema::kEndianness, ipc::schema::kLittle) != ipc::schema::kLittle)
    ThrowNotSupported("big-endian Arrow data cannot be read");
  auto root = std::make_unique<IpcField>();
  root->format = "+s";
  const FlatTable::Vector fields = schema.Items(ipc::schema::kFields, sizeof(uint32_t));
  size_t most_fields = schema.buffer_bytes() / sizeof(uint64_t);
  for (size_t i = 0; i < fields.count; i++)
    root->children.push_back(ReadField(schema.TableAt(fields, i), most_fields));
  return root;
}

void ExportIpcSchema(std::shared_ptr<const IpcField> field, ArrowSchema* out) {
  const IpcField& root = *field;
  ExportField(root, field, out);
}

}  // namespace scaup
