// Builds ArrowSchema trees.
#include "format/arrow/arrow_schema.hpp"

#include <cstring>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "type/range_value.hpp"

namespace scaup {

namespace {

/// The memory to which an exported schema points.
struct SchemaHolder {
  ~SchemaHolder() {
    // A child that a consumer has moved away is already released.
    for (const auto& child : children) {
      if (child->release != nullptr) child->release(child.get());
    }
    if (dictionary && dictionary->release != nullptr) dictionary->release(dictionary.get());
  }
  std::string format, name, metadata;
  std::vector<std::unique_ptr<ArrowSchema>> children;
  std::vector<ArrowSchema*> child_pointers;
  std::unique_ptr<ArrowSchema> dictionary;
};

void ReleaseSchema(ArrowSchema* schema) {
  delete static_cast<SchemaHolder*>(schema->private_data);
  schema->release = nullptr;
}

/// Transfers `holder` to `out`.
void Publish(std::unique_ptr<SchemaHolder> holder, int64_t flags, ArrowSchema* out) {
  for (const auto& child : holder->children) holder->child_pointers.push_back(child.get());
  *out = {};
  out->format = holder->format.c_str();
  out->name = holder->name.c_str();
  out->metadata = holder->metadata.empty() ? nullptr : holder->metadata.data();
  out->flags = flags;
  out->n_children = static_cast<int64_t>(holder->children.size());
  out->children = holder->child_pointers.data();
  out->dictionary = holder->dictionary.get();
  out->release = &ReleaseSchema;
  out->private_data = holder.release();
}

void AppendCounted(std::string_view text, std::string& out) {
  const auto size = static_cast<int32_t>(text.size());
  char bytes[sizeof(size)];
  std::memcpy(bytes, &size, sizeof(size));
  out.append(bytes, sizeof(size)).append(text);
}

/// Metadata in Arrow's encoding: a count, then keys and values, each preceded by its length.
std::string ExtensionMetadata(std::string_view name) {
  std::string metadata;
  const int32_t count = 2;
  metadata.append(reinterpret_cast<const char*>(&count), sizeof(count));
  AppendCounted("ARROW:extension:name", metadata);
  AppendCounted(name, metadata);
  AppendCounted("ARROW:extension:metadata", metadata);
  AppendCounted("", metadata);
  return metadata;
}

/// A union whose members have arrays of equal lengths, numbered by their positions.
std::string UnionFormat(const LogicalType& type) {
  std::string format = "+us:";
  for (size_t i = 0; i < UnionMembers(type).size(); i++) format += fmt::format("{}{}", i == 0 ? "" : ",", i);
  return format;
}

std::string FormatOf(const LogicalType& type, const ArrowLayout& layout, bool is_within) {
  const bool is_view = layout.string_views && !is_within;
  switch (type.id()) {
    case TypeId::kNull: return "n";
    case TypeId::kBoolean: return "b";
    case TypeId::kTinyInt: return "c";
    case TypeId::kSmallInt: return "s";
    case TypeId::kInteger: return "i";
    case TypeId::kBigInt: return "l";
    case TypeId::kHugeInt: return "d:38,0";
    case TypeId::kUTinyInt: return "C";
    case TypeId::kUSmallInt: return "S";
    case TypeId::kUInteger: return "I";
    case TypeId::kUBigInt: return "L";
    case TypeId::kReal: return "f";
    case TypeId::kDouble: return "g";
    case TypeId::kDecimal: return fmt::format("d:{},{}", type.width(), type.scale());
    case TypeId::kVarchar:
    case TypeId::kNumeric:  // as text: Arrow's decimals have a fixed number of digits
    case TypeId::kBit:      // as text: Arrow has no strings of bits
    case TypeId::kJson:
    case TypeId::kJsonb: return is_view ? "vu" : "u";
    case TypeId::kBlob: return is_view ? "vz" : "z";
    case TypeId::kDate: return "tdD";
    case TypeId::kTime:
    case TypeId::kTimeTz: return "ttu";  // without the zone, which Arrow lacks
    case TypeId::kTimestamp: return "tsu:";
    case TypeId::kTimestampTz: return "tsu:" + layout.time_zone;
    case TypeId::kInterval: return "tin";
    case TypeId::kUuid: return "w:16";
    case TypeId::kEnum: return layout.dictionaries ? "s" : "u";
    case TypeId::kList: return IsMap(type) ? "+m" : "+l";
    case TypeId::kStruct: return IsUnion(type) ? UnionFormat(type) : "+s";
    case TypeId::kRange:
    case TypeId::kMultirange: break;
  }
  ThrowInternal("unknown type");
}

void ExportType(const std::string& name, const LogicalType& type, const ArrowLayout& layout, bool is_within,
                ArrowSchema* out) {
  if (IsRangeOrMultirange(type.id())) return ExportType(name, WithoutRange(type), layout, is_within, out);
  auto holder = std::make_unique<SchemaHolder>();
  holder->name = name;
  holder->format = FormatOf(type, layout, is_within);
  const bool is_json = type.id() == TypeId::kJson || type.id() == TypeId::kJsonb;
  if (layout.extensions && (is_json || type.id() == TypeId::kUuid))
    holder->metadata = ExtensionMetadata(is_json ? "arrow.json" : "arrow.uuid");
  const auto add_child = [&](const std::string& child_name, const LogicalType& child) {
    holder->children.push_back(std::make_unique<ArrowSchema>());
    ExportType(child_name, child, layout, true, holder->children.back().get());
  };
  if (IsMap(type)) {
    add_child("entries", type.element());
    // Arrow wants entries and keys that are never NULL, as they are.
    holder->children[0]->flags = 0;
    holder->children[0]->children[0]->flags = 0;
  } else if (type.id() == TypeId::kList) {
    add_child("item", type.element());
  }
  if (type.id() == TypeId::kStruct) {
    for (const StructField& field : IsUnion(type) ? UnionMembers(type) : std::span(type.fields()))
      add_child(field.name, field.type);
  }
  if (type.id() == TypeId::kEnum && layout.dictionaries) {
    holder->dictionary = std::make_unique<ArrowSchema>();
    ExportType("", TypeId::kVarchar, layout, true, holder->dictionary.get());
  }
  Publish(std::move(holder), ARROW_FLAG_NULLABLE, out);
}

}  // namespace

void ExportSchema(std::span<const std::string> names, std::span<const LogicalType> types,
                  const ArrowLayout& layout, ArrowSchema* out) {
  auto holder = std::make_unique<SchemaHolder>();
  holder->format = "+s";
  for (size_t i = 0; i < types.size(); i++) {
    holder->children.push_back(std::make_unique<ArrowSchema>());
    ExportType(names[i], types[i], layout, false, holder->children.back().get());
  }
  Publish(std::move(holder), 0, out);
}

}  // namespace scaup
