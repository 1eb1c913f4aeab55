// Converts records to JSON text.
#include "document/document_text.hpp"

#include "common/throw.hpp"
#include "document/document_array.hpp"
#include "document/document_record.hpp"
#include "type/number/int128.hpp"
#include "type/number/number_text.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

void AppendElement(AttributeType type, std::string_view slot, std::string& out) {
  if (IsNullSlot(slot)) {
    out += "null";
    return;
  }
  char number[kFormatBufferBytes];
  switch (type) {
    case AttributeType::kBooleanArray: out += ReadFixedSlot<uint8_t>(slot) != 0 ? "true" : "false"; return;
    case AttributeType::kIntegerArray:
    case AttributeType::kLongIntegerArray:
      out.append(number, FormatInteger(ReadFixedSlot<int64_t>(slot), number));
      return;
    case AttributeType::kDoubleArray:
      out.append(number, FormatDouble(ReadFixedSlot<double>(slot), number));
      return;
    default: AppendJsonString(StringOfElement(slot), out);
  }
}

void AppendArray(AttributeType type, std::string_view slots, std::string& out) {
  CheckArray(type, slots);
  char before = '[';
  while (!slots.empty()) {
    out += before;
    AppendElement(type, TakeElement(type, slots), out);
    before = ',';
  }
  out += ']';
}

/// Finds the member at `path` in the text of a JSON value.
std::optional<std::string_view> FindInText(const AttributeDictionary& dictionary, std::string_view text,
                                           PathId path) {
  std::vector<PathId> way;
  for (; path != kRootPath; path = dictionary.ParentOf(path)) way.push_back(path);
  std::optional<std::string_view> value = text;
  for (; !way.empty() && value; way.pop_back()) value = JsonMember(*value, dictionary.KeyViewOf(way.back()));
  return value;
}

/// Whether `path` is `base` or below it.
bool IsWithin(const AttributeDictionary& dictionary, PathId path, PathId base, size_t base_depth) {
  for (size_t depth = dictionary.DepthOf(path); depth > base_depth; depth--) path = dictionary.ParentOf(path);
  return path == base;
}

/// The attribute with this id. Throws Error(kIo, XX001) if there is none.
Attribute KnownAttribute(const AttributeDictionary& dictionary, AttributeId id, size_t attribute_count) {
  if (id >= attribute_count) ThrowBadRecord("it has an attribute that nobody knows");
  return dictionary.attribute(id);
}

}  // namespace

void AppendValueText(AttributeType type, std::string_view value, std::string& out) {
  char number[kFormatBufferBytes];
  switch (type) {
    case AttributeType::kNull: out += "null"; return;
    case AttributeType::kBoolean: out += LoadFixed<uint8_t>(value) != 0 ? "true" : "false"; return;
    case AttributeType::kInteger:
    case AttributeType::kLongInteger: out.append(number, FormatInteger(LoadInteger(value), number)); return;
    case AttributeType::kHugeInteger:
      out.append(number, FormatInt128(LoadFixed<int128_t>(value), number));
      return;
    case AttributeType::kDouble: out.append(number, FormatDouble(LoadFixed<double>(value), number)); return;
    case AttributeType::kNumber:
    case AttributeType::kArray: out += value; return;
    case AttributeType::kString: AppendJsonString(value, out); return;
    case AttributeType::kEmptyObject: out += "{}"; return;
    case AttributeType::kEmptyArray: out += "[]"; return;
    case AttributeType::kBooleanArray:
    case AttributeType::kIntegerArray:
    case AttributeType::kLongIntegerArray:
    case AttributeType::kDoubleArray:
    case AttributeType::kStringArray: AppendArray(type, value, out); return;
  }
  ThrowBadRecord("it has a value of an unknown type");
}

ObjectTextWriter::ObjectTextWriter(const AttributeDictionary& dictionary, PathId base, std::string& out)
    : dictionary_(dictionary), base_depth_(dictionary.DepthOf(base)), out_(out), open_{base} {
  out_ += '{';
}

void ObjectTextWriter::WriteKey(PathId path) {
  if (out_.back() != '{') out_ += ',';
  AppendJsonString(dictionary_.KeyViewOf(path), out_);
  out_ += ':';
}

void ObjectTextWriter::Add(PathId path, AttributeType type, std::string_view value) {
  SCAUP_ASSERT(dictionary_.DepthOf(path) > base_depth_);
  PathId object = dictionary_.ParentOf(path);
  if (object != open_.back()) {
    size_t depth = dictionary_.DepthOf(object) - base_depth_;
    for (; depth >= open_.size() || open_[depth] != object; depth--) {
      way_.push_back(object);
      object = dictionary_.ParentOf(object);
    }
    out_.append(open_.size() - depth - 1, '}');
    open_.resize(depth + 1);
    for (; !way_.empty(); way_.pop_back()) {
      WriteKey(way_.back());
      out_ += '{';
      open_.push_back(way_.back());
    }
  }
  WriteKey(path);
  AppendValueText(type, value, out_);
}

void ObjectTextWriter::Finish() { out_.append(open_.size(), '}'); }

void AppendDocumentText(const AttributeDictionary& dictionary, std::string_view record, std::string& out) {
  const size_t attribute_count = dictionary.attribute_count();
  const DocumentRecord view(record, attribute_count);
  if (view.has_text()) {
    out += view.text();
    return;
  }
  ObjectTextWriter writer(dictionary, kRootPath, out);
  for (size_t place = 0; place < view.size(); place++) {
    const size_t i = view.InOrder(place);
    const Attribute attribute = KnownAttribute(dictionary, view.id(i), attribute_count);
    writer.Add(attribute.path, attribute.type, view.value(i));
  }
  writer.Finish();
}

bool AppendDocumentText(const AttributeDictionary& dictionary, std::string_view record, PathId path,
                        std::string& out) {
  if (path == kRootPath) {
    AppendDocumentText(dictionary, record, out);
    return true;
  }
  const size_t attribute_count = dictionary.attribute_count();
  const DocumentRecord view(record, attribute_count);
  if (view.has_text()) {
    if (!IsJsonText(view.text())) ThrowBadRecord("its text is no JSON");
    const auto value = FindInText(dictionary, view.text(), path);
    if (value) out += *value;
    return value.has_value();
  }
  const size_t depth = dictionary.DepthOf(path);
  std::optional<ObjectTextWriter> writer;
  for (size_t place = 0; place < view.size(); place++) {
    const size_t i = view.InOrder(place);
    const Attribute attribute = KnownAttribute(dictionary, view.id(i), attribute_count);
    if (attribute.path == path) {
      AppendValueText(attribute.type, view.value(i), out);
      return true;
    }
    if (!IsWithin(dictionary, attribute.path, path, depth)) continue;
    if (!writer) writer.emplace(dictionary, path, out);
    writer->Add(attribute.path, attribute.type, view.value(i));
  }
  if (writer) writer->Finish();
  return writer.has_value();
}

}  // namespace scaup
