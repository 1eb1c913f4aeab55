// Reads Arrow arrays into vectors.
#include "format/arrow/arrow_reader.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "format/arrow/arrow_values.hpp"
#include "type/packed_value.hpp"
#include "type/text/utf8_text.hpp"
#include "type/value_check.hpp"

namespace scaup {

namespace {

/// Rows of an array in any order, such as the dictionary rows of the values. A negative row is NULL.
using Rows = std::span<const int64_t>;

int64_t BufferCount(ArrowKind kind) {
  switch (kind) {
    case ArrowKind::kNull:
    case ArrowKind::kRunEnds: return 0;
    case ArrowKind::kStruct:
    case ArrowKind::kSparseUnion:
    case ArrowKind::kFixedList: return 1;
    case ArrowKind::kString32:
    case ArrowKind::kString64:
    case ArrowKind::kStringView:
    case ArrowKind::kListView32:
    case ArrowKind::kListView64: return 3;
    default: return 2;
  }
}

bool IsTextType(const ArrowType& type) {
  return type.type.id() == TypeId::kVarchar || type.type.id() == TypeId::kJson;
}

bool IsBytes(const ArrowType& type) {
  switch (type.kind) {
    case ArrowKind::kString32:
    case ArrowKind::kString64:
    case ArrowKind::kStringView: return true;
    case ArrowKind::kFixedBytes: return type.type.id() == TypeId::kBlob;
    default: return false;
  }
}

bool IsList(ArrowKind kind) { return kind >= ArrowKind::kList32 && kind <= ArrowKind::kFixedList; }

/// Whether the values are packed: lists, structs and unions.
bool IsPacked(ArrowKind kind) { return kind >= ArrowKind::kList32 && kind <= ArrowKind::kDenseUnion; }

/// Validates a string or blob, because the input is not trusted.
void CheckBytes(const ArrowType& type, std::string_view bytes) {
  if (type.type.id() == TypeId::kJson) {
    CheckGivenValue(Value::FromBytes(TypeId::kJson, std::string(bytes)));
  } else if (IsTextType(type) && !IsText(bytes)) {
    CheckText(bytes, "a string of column \"" + type.name + "\"");
  }
}

// --- Packing of lists, structs and unions

void AppendSlot(const ArrowType& type, const ArrowArray& array, int64_t row, std::string& out);

void AppendPacked(const ArrowType& type, const ArrowArray& array, int64_t row, std::string& out) {
  if (type.kind == ArrowKind::kStruct) {
    for (size_t i = 0; i < type.children.size(); i++)
      AppendSlot(type.children[i], *array.children[i], array.offset + row, out);
    return;
  }
  if (IsArrowUnion(type)) {
    const auto [member, place] = ArrowMember(type, array, row);
    std::string slot;
    AppendSlot(type.children[member], *array.children[member], place, slot);
    return AppendUnion(type.type, member, slot, out);
  }
  const auto [begin, count] = ArrowElements(type, array, row);
  const size_t before = out.size();
  for (int64_t i = 0; i < count; i++) AppendSlot(type.children[0], *array.children[0], begin + i, out);
  if (IsMap(type.type)) CheckMapKeys(type.type, std::string_view(out).substr(before));
}

void AppendSlot(const ArrowType& type, const ArrowArray& array, int64_t row, std::string& out) {
  CheckStack();
  if (IsArrowNull(type, array, row)) return AppendNullSlot(type.type, out);
  if (type.kind == ArrowKind::kDictionary)
    return AppendSlot(type.children[0], *array.dictionary, ArrowTarget(type, array, row), out);
  if (type.kind == ArrowKind::kRunEnds)
    return AppendSlot(type.children[1], *array.children[1], ArrowTarget(type, array, row), out);
  if (IsPacked(type.kind)) {
    std::string packed;
    AppendPacked(type, array, row, packed);
    return AppendNestedSlot(type.type, packed, out);
  }
  if (IsBytes(type)) {
    const std::string_view bytes = ArrowString(type, array, row);
    CheckBytes(type, bytes);
    return AppendStringSlot(bytes, out);
  }
  WithArrowValues(type, array, [&](auto get) { AppendFixedSlot(get(row), out); });
}

// --- Vectors

void ReadRows(const ArrowType& type, const ArrowArray& array, Rows rows,
              const std::shared_ptr<const void>& owner, Vector& output);

/// Reads rows of a dictionary or run-end encoded array through the rows of its values.
void ReadTargets(const ArrowType& type, const ArrowArray& array, Rows rows,
                 const std::shared_ptr<const void>& owner, Vector& output) {
  std::array<int64_t, kVectorSize> targets;
  for (size_t i = 0; i < rows.size(); i++) {
    const bool is_null = rows[i] < 0 || IsArrowNull(type, array, rows[i]);
    targets[i] = is_null ? -1 : ArrowTarget(type, array, rows[i]);
  }
  const bool is_dictionary = type.kind == ArrowKind::kDictionary;
  const ArrowArray& values = is_dictionary ? *array.dictionary : *array.children[1];
  ReadRows(type.children[is_dictionary ? 0 : 1], values, Rows(targets).first(rows.size()), owner, output);
}

/// The fast path for strings with consecutive offsets: validates their bytes as a single text. Returns false
/// if anything is wrong; `output` is then unusable, and ReadStrings finds the error.
template <typename Offset>
bool TryReadTexts(const ArrowArray& array, Rows rows, Vector& output) {
  const auto* offsets =
      static_cast<const char*>(array.buffers[1]) + (array.offset + rows[0]) * sizeof(Offset);
  const auto offset_at = [&](size_t i) { return LoadArrowValue<Offset>(offsets, static_cast<int64_t>(i)); };
  const Offset first = offset_at(0), last = offset_at(rows.size());
  if (first < 0 || last < first || array.buffers[2] == nullptr) return false;
  const auto* bytes = static_cast<const char*>(array.buffers[2]);
  if (!IsText(std::string_view(bytes + first, static_cast<size_t>(last - first)))) return false;
  auto* strings = output.MutableData<StringRef>();
  Offset begin = first;
  for (size_t i = 0; i < rows.size(); i++) {
    const Offset end = offset_at(i + 1);
    if (end < begin || end > last || end - begin > Offset{INT32_MAX}) return false;
    const bool is_cut = begin != end && (bytes[begin] & 0xC0) == 0x80;  // the boundary is within a character
    if (is_cut) return false;
    strings[i] = StringRef(bytes + begin, static_cast<uint32_t>(end - begin));
    begin = end;
  }
  return true;
}

bool TryReadTexts(const ArrowType& type, const ArrowArray& array, Rows rows, Vector& output) {
  bool is_run = !rows.empty() && rows[0] >= 0;
  for (size_t i = 1; i < rows.size(); i++) is_run &= rows[i] == rows[i - 1] + 1;
  if (!is_run || type.type.id() != TypeId::kVarchar) return false;
  const bool is_read = type.kind == ArrowKind::kString32   ? TryReadTexts<int32_t>(array, rows, output)
                       : type.kind == ArrowKind::kString64 ? TryReadTexts<int64_t>(array, rows, output)
                                                           : false;
  if (!is_read) return false;
  if (array.buffers[0] == nullptr || array.null_count == 0) return true;
  for (size_t i = 0; i < rows.size(); i++) {
    if (!IsArrowNull(type, array, rows[i])) continue;
    output.MutableData<StringRef>()[i] = StringRef();
    output.SetNull(i);
  }
  return true;
}

void ReadStrings(const ArrowType& type, const ArrowArray& array, Rows rows,
                 const std::shared_ptr<const void>& owner, Vector& output) {
  if (TryReadTexts(type, array, rows, output)) return output.KeepAlive(owner);
  auto* strings = output.MutableData<StringRef>();
  for (size_t i = 0; i < rows.size(); i++) {
    if (rows[i] < 0 || IsArrowNull(type, array, rows[i])) {
      strings[i] = StringRef();
      output.SetNull(i);
      continue;
    }
    const std::string_view bytes = ArrowString(type, array, rows[i]);
    CheckBytes(type, bytes);
    strings[i] = StringRef(bytes);  // long strings stay in the Arrow buffer
  }
  output.KeepAlive(owner);
}

void ReadNested(const ArrowType& type, const ArrowArray& array, Rows rows, Vector& output) {
  auto* strings = output.MutableData<StringRef>();
  std::string packed;
  for (size_t i = 0; i < rows.size(); i++) {
    if (rows[i] < 0 || IsArrowNull(type, array, rows[i])) {
      strings[i] = StringRef();
      output.SetNull(i);
      continue;
    }
    packed.clear();
    AppendPacked(type, array, rows[i], packed);
    strings[i] = output.AddString(packed);
  }
}

void ReadRows(const ArrowType& type, const ArrowArray& array, Rows rows,
              const std::shared_ptr<const void>& owner, Vector& output) {
  CheckStack();
  if (type.kind == ArrowKind::kDictionary || type.kind == ArrowKind::kRunEnds)
    return ReadTargets(type, array, rows, owner, output);
  output.Reset();
  if (type.kind == ArrowKind::kNull) return output.SetConstantNull();
  if (IsPacked(type.kind)) return ReadNested(type, array, rows, output);
  if (IsBytes(type)) return ReadStrings(type, array, rows, owner, output);
  WithArrowValues(type, array, [&](auto get) {
    using T = decltype(get(0));
    T* values = output.MutableData<T>();
    for (size_t i = 0; i < rows.size(); i++) {
      const bool is_null = rows[i] < 0 || IsArrowNull(type, array, rows[i]);
      values[i] = is_null ? T() : get(rows[i]);
      if (is_null) output.SetNull(i);
    }
  });
}

/// Whether the values have the same layout in vectors.
bool IsSameLayout(const ArrowType& type) {
  switch (type.kind) {
    case ArrowKind::kInt8: return type.type.id() == TypeId::kTinyInt;
    case ArrowKind::kInt16:
    case ArrowKind::kInt32:
    case ArrowKind::kInt64:
    case ArrowKind::kUint8:
    case ArrowKind::kUint16:
    case ArrowKind::kUint32:
    case ArrowKind::kUint64:
    case ArrowKind::kFloat:
    case ArrowKind::kDouble:
    case ArrowKind::kDate32: return true;
    case ArrowKind::kDecimal128: return PhysicalTypeOf(type.type) == PhysicalType::kInt128;
    case ArrowKind::kTime64:
    case ArrowKind::kTimestamp: return type.unit == kMicrosPerSecond;
    default: return false;
  }
}

/// Checks times that vectors take as they are.
void CheckTimes(const ArrowType& type, const ArrowArray& array, int64_t first, size_t count) {
  const auto* times = ArrowBuffer<int64_t>(array, 1) + array.offset + first;
  for (size_t i = 0; i < count; i++) {
    const int64_t row = first + static_cast<int64_t>(i);
    // The place of a NULL may hold anything.
    if ((times[i] < 0 || times[i] > kMicrosPerDay) && !IsArrowNull(type, array, row))
      ArrowTime(times[i], type.unit, type);
  }
}

/// Copies bits from any position into words.
void CopyBits(const void* bits, int64_t begin, size_t count, ValidityWord* words) {
  std::fill_n(words, kValidityWords, ValidityWord{0});
  const auto* bytes = static_cast<const uint8_t*>(bits) + begin / 8;
  const int64_t shift = begin % 8;
  auto* target = reinterpret_cast<uint8_t*>(words);
  const size_t byte_count = (count + 7) / 8;
  // The byte after the last one with needed bits is not read, because it may be out of bounds.
  const size_t last = (static_cast<size_t>(shift) + count + 7) / 8;
  for (size_t i = 0; i < byte_count; i++) {
    const unsigned low = bytes[i], high = i + 1 < last ? bytes[i + 1] : 0;
    target[i] = static_cast<uint8_t>((low | high << 8) >> shift);
  }
}

}  // namespace

void CheckArrowArray(const ArrowType& type, const ArrowArray& array) {
  CheckStack();
  const auto require = [&](bool holds, std::string_view why) {
    if (!holds) ThrowMalformedArrow(type.name, why);
  };
  require(array.length >= 0 && array.offset >= 0, "its length or its offset is negative");
  require(array.n_buffers >= BufferCount(type.kind), "it has too few buffers");
  const bool is_dictionary = type.kind == ArrowKind::kDictionary;
  require(!is_dictionary || array.dictionary != nullptr, "its dictionary is missing");
  const size_t child_count = is_dictionary ? 0 : type.children.size();
  require(array.n_children == static_cast<int64_t>(child_count), "it has the wrong number of children");
  const bool has_values =
      BufferCount(type.kind) > 1 && !(type.kind == ArrowKind::kFixedBytes && type.width == 0);
  require(array.length == 0 || !has_values || array.buffers[1] != nullptr, "its values are missing");
  require(array.length == 0 || !IsArrowUnion(type) || array.buffers[0] != nullptr, "its numbers are missing");
  if (is_dictionary) CheckArrowArray(type.children[0], *array.dictionary);
  for (size_t i = 0; i < child_count; i++) {
    CheckArrowArray(type.children[i], *array.children[i]);
    const bool has_equal_lengths = type.kind == ArrowKind::kStruct || type.kind == ArrowKind::kSparseUnion;
    require(!has_equal_lengths || array.children[i]->length >= array.offset + array.length,
            "a field or member has fewer values than the struct or union");
  }
}

void ReadArrowColumn(const ArrowType& type, const ArrowArray& array, size_t begin, size_t count,
                     const std::shared_ptr<const void>& owner, Vector& output) {
  SCAUP_ASSERT(count <= kVectorSize && output.is_flat() &&
               output.physical_type() == PhysicalTypeOf(type.type));
  const auto first = static_cast<int64_t>(begin);
  if (IsSameLayout(type)) {
    const size_t width = PhysicalSize(type.type);
    const auto* data =
        ArrowBuffer<std::byte>(array, 1) + (array.offset + first) * static_cast<int64_t>(width);
    if (reinterpret_cast<uintptr_t>(data) % width == 0) {
      if (type.kind == ArrowKind::kTime64) CheckTimes(type, array, first, count);
      output.ReferenceFlat(data, nullptr, owner);
      if (array.buffers[0] == nullptr || array.null_count == 0) return;
      ValidityWord words[kValidityWords];
      CopyBits(array.buffers[0], array.offset + first, count, words);
      if (CountValid(words, count) != count) output.SetValidity(words);
      return;
    }
  }
  std::array<int64_t, kVectorSize> rows;
  for (size_t i = 0; i < count; i++) rows[i] = first + static_cast<int64_t>(i);
  ReadRows(type, array, Rows(rows).first(count), owner, output);
}

}  // namespace scaup
