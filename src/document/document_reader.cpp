// Reads projections out of records.
#include <algorithm>
#include <cstring>

#include <fast_float/fast_float.h>

#include "common/throw.hpp"
#include "document/document_array.hpp"
#include "document/document_projection.hpp"
#include "document/document_record.hpp"
#include "document/document_steps.hpp"
#include "document/document_text.hpp"
#include "type/int128.hpp"
#include "type/json_text.hpp"
#include "type/packed_value.hpp"

namespace scaup {

namespace {

constexpr uint32_t kNotWanted = UINT32_MAX;

/// How a value of an attribute becomes one of a projection.
enum class Conversion : uint8_t {
  kNone,  ///< Not at all: NULL.
  kBoolean,
  kBigInt,
  kHugeInt,
  kDouble,
  kBytes,        ///< As they are: strings, numbers as text.
  kArray,        ///< Slots as they are.
  kDoubleArray,  ///< From those of integers.
  kElements,     ///< Of an array of several types, those of the list's.
  kJsonArray,
  kJson,
};

Conversion ConversionToList(TypeId element, AttributeType from) {
  using enum AttributeType;
  if (from == kEmptyArray) return Conversion::kBytes;
  if (from == kArray && element != TypeId::kJson) return Conversion::kElements;
  switch (element) {
    case TypeId::kBoolean: return from == kBooleanArray ? Conversion::kArray : Conversion::kNone;
    case TypeId::kBigInt: return from == kIntegerArray ? Conversion::kArray : Conversion::kNone;
    case TypeId::kVarchar: return from == kStringArray ? Conversion::kArray : Conversion::kNone;
    case TypeId::kDouble:
      return from == kDoubleArray    ? Conversion::kArray
             : from == kIntegerArray ? Conversion::kDoubleArray
                                     : Conversion::kNone;
    case TypeId::kJson:
      return from >= kBooleanArray && from <= kArray ? Conversion::kJsonArray : Conversion::kNone;
    default: ThrowInternal("a path of a document is read as a list of an unknown type");
  }
}

Conversion ConversionTo(const LogicalType& type, AttributeType from) {
  using enum AttributeType;
  const bool is_integer = from == kInteger || from == kHugeInteger;
  switch (type.id()) {
    case TypeId::kBoolean: return from == AttributeType::kBoolean ? Conversion::kBoolean : Conversion::kNone;
    case TypeId::kBigInt: return from == kInteger ? Conversion::kBigInt : Conversion::kNone;
    case TypeId::kHugeInt: return is_integer ? Conversion::kHugeInt : Conversion::kNone;
    case TypeId::kDouble:
      return is_integer || from == AttributeType::kDouble || from == kNumber ? Conversion::kDouble
                                                                             : Conversion::kNone;
    case TypeId::kVarchar: return from == kString ? Conversion::kBytes : Conversion::kNone;
    case TypeId::kJson:
      if (from == kNull) return Conversion::kNone;
      return from == AttributeType::kArray || from == kNumber ? Conversion::kBytes : Conversion::kJson;
    case TypeId::kList: return ConversionToList(type.element().id(), from);
    default: ThrowInternal("a path of a document is read as an unknown type");
  }
}

/// A value of an attribute for one of the outputs.
struct Target {
  uint32_t output;
  Conversion conversion;
};

/// An attribute that is read, and what for.
struct Wanted {
  AttributeId id;
  AttributeType type;
  uint32_t first_target, last_target;  // Of Plan::targets, the last excluded.
  size_t hint = 0;                     // Where it was in the last record that had it.
};

/// An object that is put together from the attributes below it.
struct WantedObject {
  uint32_t output;
  PathId path;
  std::vector<bool> is_member;  // By attribute.
};

/// A vector that is being filled.
struct Output {
  Vector* vector;
  std::byte* data;
  ValidityWord* validity;
  bool is_shared = false;  // Has strings that lie in the records.
};

template <typename T>
void Put(const Output& output, size_t row, const T& value) {
  std::memcpy(output.data + row * sizeof(T), &value, sizeof(T));
  SetValid(output.validity, row);
}

double LoadDouble(AttributeType type, std::string_view value) {
  switch (type) {
    case AttributeType::kInteger: return static_cast<double>(LoadInteger(value));
    case AttributeType::kHugeInteger: return Int128ToDouble(LoadFixed<int128_t>(value));
    case AttributeType::kDouble: return LoadFixed<double>(value);
    default: {
      // Numbers that no double can hold are infinite or zero, so that they compare with others as they
      // should.
      double number = 0;
      fast_float::from_chars(value.data(), value.data() + value.size(), number);
      return number;
    }
  }
}

UnifiedView ViewOf(const Vector& records) {
  switch (records.kind()) {
    case VectorKind::kFlat: return {records.Data<std::byte>(), IdentitySelection(), records.Validity()};
    case VectorKind::kConstant: return {records.Data<std::byte>(), ZeroSelection(), records.Validity()};
    case VectorKind::kDictionary:
      return {records.dictionary().data, records.selection()->rows, records.dictionary().validity};
    case VectorKind::kSequence: break;
  }
  ThrowInternal("records are no sequence of numbers");
}

}  // namespace

struct DocumentReader::Plan {
  std::shared_ptr<const AttributeDictionary> dictionary;
  std::vector<DocumentProjection> projections;
  std::vector<Wanted> wanted;  // Ids ascend.
  std::vector<Target> targets;
  std::vector<WantedObject> objects;
  std::vector<uint32_t> stepped;       // Outputs that lie within arrays.
  std::vector<uint32_t> whole;         // Outputs that are the records themselves.
  std::vector<uint32_t> wanted_by_id;  // Of each attribute: its place in `wanted`, or kNotWanted.
  std::vector<Output> outputs;         // Of this Read, one for each projection.
  size_t attribute_count = 0;          // That the dictionary has at this Read.
  std::string scratch;
  std::string step_text;
  JsonValueReader json_values;

  void Make();
  void Read(const UnifiedView& records, size_t count, std::span<Vector* const> vectors,
            const std::shared_ptr<const void>& memory);
  void ReadRecord(std::string_view bytes, size_t row);
  void ReadWanted(const DocumentRecord& record, const Wanted& item, size_t i, size_t row);
  void ReadObject(const DocumentRecord& record, std::string_view bytes, const WantedObject& object,
                  size_t row);
  void ReadSteps(std::string_view bytes, uint32_t output, size_t row);
  void Convert(Output& output, size_t row, Conversion conversion, AttributeType type, std::string_view value);
  void AppendJsonSlots(AttributeType type, std::string_view value);
  void AppendElements(const LogicalType& element, std::string_view array);
};

DocumentReader::DocumentReader(std::shared_ptr<const AttributeDictionary> dictionary,
                               std::vector<DocumentProjection> projections)
    : plan_(std::make_unique<Plan>()) {
  plan_->dictionary = std::move(dictionary);
  plan_->projections = std::move(projections);
  plan_->Make();
}
DocumentReader::~DocumentReader() = default;

void DocumentReader::Plan::Make() {
  struct Use {
    AttributeId id;
    Target target;
  };
  std::vector<Use> uses;
  for (uint32_t output = 0; output < projections.size(); output++) {
    const auto& [path, type, steps] = projections[output];
    if (type.id() == TypeId::kBlob) {
      whole.push_back(output);
      continue;
    }
    if (!steps.empty()) {
      stepped.push_back(output);
      continue;
    }
    for (const AttributeId id : dictionary->AttributesOf(path)) {
      const Conversion conversion = ConversionTo(type, dictionary->attribute(id).type);
      if (conversion != Conversion::kNone) uses.push_back({id, {output, conversion}});
    }
    if (type.id() != TypeId::kJson) continue;
    WantedObject object{output, path, {}};
    for (const AttributeId id : dictionary->AttributesBelow(path)) {
      if (dictionary->attribute(id).path == path) continue;
      if (id >= object.is_member.size()) object.is_member.resize(id + 1);
      object.is_member[id] = true;
    }
    if (path == kRootPath || !object.is_member.empty()) objects.push_back(std::move(object));
  }
  std::stable_sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) { return a.id < b.id; });
  for (const Use& use : uses) {
    const auto target = static_cast<uint32_t>(targets.size());
    if (wanted.empty() || wanted.back().id != use.id)
      wanted.push_back({use.id, dictionary->attribute(use.id).type, target, target});
    wanted.back().last_target = target + 1;
    targets.push_back(use.target);
  }
  constexpr size_t kFew = 4;
  if (wanted.size() <= kFew) return;
  wanted_by_id.assign(wanted.back().id + 1, kNotWanted);
  for (uint32_t i = 0; i < wanted.size(); i++) wanted_by_id[wanted[i].id] = i;
}

void DocumentReader::Read(const Vector& records, size_t count, std::span<Vector* const> outputs) {
  Plan& plan = *plan_;
  SCAUP_ASSERT(outputs.size() == plan.projections.size());
  if (records.is_constant() && count != 0) {
    plan.Read(ViewOf(records), 1, outputs, records.SharedMemory());
    for (size_t i = 0; i < outputs.size(); i++) outputs[i]->SetConstant();
  } else if (records.kind() == VectorKind::kDictionary && records.dictionary().is_distinct &&
             records.dictionary().size <= std::min(count, kVectorSize)) {
    const Dictionary& dictionary = records.dictionary();
    std::vector<Vector> entries;
    std::vector<Vector*> entry_outputs;
    entries.reserve(outputs.size());
    for (Vector* const output : outputs) {
      entry_outputs.push_back(&entries.emplace_back(output->type()));
      entries.back().AccountStrings(output->string_memory());
      entries.back().Reset();
    }
    plan.Read({dictionary.data, IdentitySelection(), dictionary.validity}, dictionary.size, entry_outputs,
              dictionary.owner);
    for (size_t i = 0; i < outputs.size(); i++)
      outputs[i]->ReferenceDictionary({entries[i].Data<std::byte>(), entries[i].Validity(), dictionary.size,
                                       entries[i].SharedMemory(), false},
                                      records.selection());
  } else {
    plan.Read(
        ViewOf(records), count, outputs,
        records.kind() == VectorKind::kDictionary ? records.dictionary().owner : records.SharedMemory());
  }
  for (const uint32_t output : plan.whole) outputs[output]->Reference(records);
}

void DocumentReader::Plan::Read(const UnifiedView& records, size_t count, std::span<Vector* const> vectors,
                                const std::shared_ptr<const void>& memory) {
  attribute_count = dictionary->attribute_count();
  outputs.clear();
  for (Vector* const vector : vectors) {
    Output output{vector, vector->MutableData<std::byte>(), vector->MutableValidity()};
    std::memset(output.data, 0, count * PhysicalSize(vector->physical_type()));
    std::memset(output.validity, 0, (count + 63) / 64 * sizeof(ValidityWord));
    outputs.push_back(output);
  }
  const auto typed = records.As<StringRef>();
  if (!wanted.empty() || !objects.empty() || !stepped.empty()) {
    for (size_t row = 0; row < count; row++) {
      if (typed.IsValid(row)) ReadRecord(typed[row].view(), row);
    }
  }
  for (Output& output : outputs) {
    if (CountValid(output.validity, count) == count) output.vector->SetAllValid();
    if (output.is_shared && memory != nullptr) output.vector->KeepAlive(memory);
  }
}

void DocumentReader::Plan::ReadRecord(std::string_view bytes, size_t row) {
  const DocumentRecord record(bytes, attribute_count);
  if (wanted_by_id.empty() || 2 * wanted.size() < record.size()) {
    for (Wanted& item : wanted) {
      const size_t i = record.Find(item.id, item.hint);
      if (i == DocumentRecord::kNotFound) continue;
      item.hint = i;
      ReadWanted(record, item, i, row);
    }
  } else {
    for (size_t i = 0; i < record.size(); i++) {
      const AttributeId id = record.id(i);
      if (id >= wanted_by_id.size()) break;  // Ids ascend.
      if (wanted_by_id[id] != kNotWanted) ReadWanted(record, wanted[wanted_by_id[id]], i, row);
    }
  }
  for (const WantedObject& object : objects) ReadObject(record, bytes, object, row);
  for (const uint32_t output : stepped) ReadSteps(bytes, output, row);
}

void DocumentReader::Plan::ReadSteps(std::string_view bytes, uint32_t output, size_t row) {
  const DocumentProjection& projection = projections[output];
  step_text.clear();
  if (!AppendDocumentText(*dictionary, bytes, projection.path, step_text)) return;
  if (!IsJsonText(step_text)) ThrowBadRecord("an array is no JSON");
  const auto found = FollowSteps(step_text, projection.steps);
  if (!found || *found == "null") return;
  if (projection.type.id() == TypeId::kJson)
    return Put(outputs[output], row, outputs[output].vector->AddString(*found));
  const auto value = json_values.Read(*found);
  if (!value) return;
  const Conversion conversion = ConversionTo(projection.type, value->type);
  if (conversion == Conversion::kBytes || conversion == Conversion::kArray) {
    // They lie in what is reused for the next row.
    return Put(outputs[output], row, outputs[output].vector->AddString(value->bytes));
  }
  Convert(outputs[output], row, conversion, value->type, value->bytes);
}

void DocumentReader::Plan::ReadWanted(const DocumentRecord& record, const Wanted& item, size_t i,
                                      size_t row) {
  const std::string_view value = record.value(i);
  for (uint32_t target = item.first_target; target < item.last_target; target++)
    Convert(outputs[targets[target].output], row, targets[target].conversion, item.type, value);
}

void DocumentReader::Plan::ReadObject(const DocumentRecord& record, std::string_view bytes,
                                      const WantedObject& object, size_t row) {
  Output& output = outputs[object.output];
  scratch.clear();
  if (object.path == kRootPath) {
    AppendDocumentText(*dictionary, bytes, scratch);
  } else {
    std::optional<ObjectTextWriter> writer;
    for (size_t place = 0; place < record.size(); place++) {
      const size_t i = record.InOrder(place);
      const AttributeId id = record.id(i);
      if (id >= object.is_member.size() || !object.is_member[id]) continue;
      if (!writer) writer.emplace(*dictionary, object.path, scratch);
      const Attribute attribute = dictionary->attribute(id);
      writer->Add(attribute.path, attribute.type, record.value(i));
    }
    if (!writer) return;
    writer->Finish();
    if (record.has_text()) {
      // The order of its members is that of the text, and equal ones are all there.
      scratch.clear();
      if (!AppendDocumentText(*dictionary, bytes, object.path, scratch)) return;
    }
  }
  Put(output, row, output.vector->AddString(scratch));
}

void DocumentReader::Plan::Convert(Output& output, size_t row, Conversion conversion, AttributeType type,
                                   std::string_view value) {
  const auto put_shared = [&](std::string_view bytes) {
    // Short strings, and with them all that lies in a short record, are copied into the StringRef.
    const StringRef string(bytes);
    output.is_shared |= !string.is_inline();
    Put(output, row, string);
  };
  switch (conversion) {
    case Conversion::kNone: return;
    case Conversion::kBoolean: {
      const auto boolean = LoadFixed<uint8_t>(value);
      if (boolean > 1) ThrowBadRecord("a boolean is neither true nor false");
      return Put(output, row, boolean);
    }
    case Conversion::kBigInt: return Put(output, row, LoadInteger(value));
    case Conversion::kHugeInt:
      return Put(output, row,
                 type == AttributeType::kInteger ? int128_t{LoadInteger(value)} : LoadFixed<int128_t>(value));
    case Conversion::kDouble: return Put(output, row, LoadDouble(type, value));
    case Conversion::kBytes: return put_shared(value);
    case Conversion::kArray: CheckArray(type, value); return put_shared(value);
    case Conversion::kDoubleArray:
      CheckArray(type, value);
      scratch.clear();
      while (!value.empty()) {
        const std::string_view slot = TakeElement(type, value);
        if (IsNullSlot(slot)) {
          AppendNullSlot(TypeId::kDouble, scratch);
        } else {
          AppendFixedSlot(static_cast<double>(ReadFixedSlot<int64_t>(slot)), scratch);
        }
      }
      break;
    case Conversion::kElements:
      scratch.clear();
      AppendElements(output.vector->type().element(), value);
      break;
    case Conversion::kJsonArray:
      scratch.clear();
      AppendJsonSlots(type, value);
      break;
    case Conversion::kJson:
      scratch.clear();
      AppendValueText(type, value, scratch);
      break;
  }
  Put(output, row, output.vector->AddString(scratch));
}

void DocumentReader::Plan::AppendElements(const LogicalType& element, std::string_view array) {
  if (!IsJsonText(array) || JsonKindOf(array) != JsonKind::kArray) ThrowBadRecord("an array is no JSON");
  for (JsonIterator each(array); each.Next();) {
    const auto value = json_values.Read(each.value());
    if (!value) continue;
    switch (ConversionTo(element, value->type)) {
      case Conversion::kBoolean: AppendFixedSlot(LoadFixed<uint8_t>(value->bytes), scratch); break;
      case Conversion::kBigInt: AppendFixedSlot(LoadInteger(value->bytes), scratch); break;
      case Conversion::kDouble: AppendFixedSlot(LoadDouble(value->type, value->bytes), scratch); break;
      case Conversion::kBytes: AppendStringSlot(value->bytes, scratch); break;
      default: break;
    }
  }
}

void DocumentReader::Plan::AppendJsonSlots(AttributeType type, std::string_view value) {
  std::string text;
  if (type != AttributeType::kArray) {
    AppendValueText(type, value, text);
    value = text;
  } else if (!IsJsonText(value) || JsonKindOf(value) != JsonKind::kArray) {
    ThrowBadRecord("an array is no JSON");
  }
  for (JsonIterator element(value); element.Next();) {
    if (element.value() == "null") {
      AppendNullSlot(TypeId::kJson, scratch);
    } else {
      AppendStringSlot(element.value(), scratch);
    }
  }
}

}  // namespace scaup
