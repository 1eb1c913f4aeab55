// Extracts projections from records.
#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "document/document_projection.hpp"
#include "document/document_record.hpp"
#include "document/document_steps.hpp"
#include "document/document_text.hpp"
#include "document/projection_attributes.hpp"
#include "document/value_conversion.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

constexpr uint32_t kNotWanted = UINT32_MAX;

/// An output that receives a value of an attribute.
struct Target {
  uint32_t output;
  ValueConversion conversion;
};

/// An attribute to read, and its targets.
struct Wanted {
  AttributeId id;
  AttributeType type;
  uint32_t first_target, last_target;  // range in Plan::targets; the end is exclusive
  size_t hint = 0;                     // its index in the last record that had it
};

/// An object that is assembled from the attributes below its path.
struct WantedObject {
  uint32_t output;
  PathId path;
  std::vector<bool> is_member;  // by attribute
};

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
  std::vector<Wanted> wanted;  // ids ascend
  std::vector<Target> targets;
  std::vector<WantedObject> objects;
  std::vector<uint32_t> stepped;         // outputs within arrays
  std::vector<uint32_t> whole;           // outputs that are whole records
  std::vector<uint32_t> wanted_by_id;    // by attribute: the index in `wanted`, or kNotWanted
  std::vector<ConvertedValues> outputs;  // of the current Read, one per projection
  size_t attribute_count = 0;            // of the dictionary at the current Read
  std::string scratch;
  std::string step_text;
  AttributeConverter converter;

  void Make();
  void Read(const UnifiedView& records, size_t count, std::span<Vector* const> vectors,
            const std::shared_ptr<const void>& memory);
  void ReadRecord(std::string_view bytes, size_t row);
  void ReadWanted(const DocumentRecord& record, const Wanted& item, size_t i, size_t row);
  void ReadObject(const DocumentRecord& record, std::string_view bytes, const WantedObject& object,
                  size_t row);
  void ReadSteps(std::string_view bytes, uint32_t output, size_t row);
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
    ProjectionAttributes attributes = AttributesOf(*dictionary, projections[output]);
    for (const AttributeUse& use : attributes.uses) uses.push_back({use.id, {output, use.conversion}});
    switch (attributes.kind) {
      case ProjectionAttributes::Kind::kValues: break;
      case ProjectionAttributes::Kind::kObject:
        objects.push_back({output, projections[output].path, std::move(attributes.members)});
        break;
      case ProjectionAttributes::Kind::kSteps: stepped.push_back(output); break;
      case ProjectionAttributes::Kind::kWhole: whole.push_back(output); break;
    }
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
  // For few attributes, a search per attribute is faster than a table of all.
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
    // Each dictionary entry is read only once, however many rows refer to it.
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
  for (Vector* const vector : vectors) outputs.emplace_back(*vector, count);
  const auto typed = records.As<StringRef>();
  if (!wanted.empty() || !objects.empty() || !stepped.empty()) {
    for (size_t row = 0; row < count; row++) {
      if (typed.IsValid(row)) ReadRecord(typed[row].view(), row);
    }
  }
  for (ConvertedValues& output : outputs) output.Finish(memory);
}

void DocumentReader::Plan::ReadRecord(std::string_view bytes, size_t row) {
  const DocumentRecord record(bytes, attribute_count);
  // Few attributes are searched one by one; for many, one pass over the record is faster.
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
      if (id >= wanted_by_id.size()) break;  // ids ascend
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
  converter.ConvertJson(*found, row, outputs[output]);
}

void DocumentReader::Plan::ReadWanted(const DocumentRecord& record, const Wanted& item, size_t i,
                                      size_t row) {
  const std::string_view value = record.value(i);
  for (uint32_t target = item.first_target; target < item.last_target; target++)
    converter.Convert(targets[target].conversion, item.type, value, row, outputs[targets[target].output]);
}

void DocumentReader::Plan::ReadObject(const DocumentRecord& record, std::string_view bytes,
                                      const WantedObject& object, size_t row) {
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
      // The text has the order of the members, and all of several equal keys.
      scratch.clear();
      if (!AppendDocumentText(*dictionary, bytes, object.path, scratch)) return;
    }
  }
  outputs[object.output].PutCopy(row, scratch);
}

}  // namespace scaup
