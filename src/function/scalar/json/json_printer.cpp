// Prints values of any type as JSON.
#include "function/scalar/json/json_printer.hpp"

#include "common/throw.hpp"
#include "function/cast_function.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

namespace {

/// Converts "2024-02-29 12:00:00+01" to ISO 8601: with T, and minutes in the offset.
std::string IsoTimestamp(std::string_view text) {
  std::string iso(text);
  const size_t space = iso.find(' ');
  if (space == std::string::npos) return iso;  // an infinity
  iso[space] = 'T';
  const size_t sign = iso.find_last_of("+-");
  const bool has_short_offset =
      sign != std::string::npos && sign > space && iso.find(':', sign) == std::string::npos;
  if (has_short_offset) iso.insert(sign + 3, ":00");
  return iso;
}

}  // namespace

/// The elements of lists, or the values of a field, as JSON; printed 1024 at a time.
class JsonPrinter::Parts {
 public:
  Parts(const FunctionContext& context, const LogicalType& type)
      : context_(&context), type_(type), load_(FindSlotLoader(type)), values_(type) {
    values_.Reset();
  }
  void Add(std::string_view slot) {
    load_(type_, slot, values_, pending_);
    if (++pending_ == kVectorSize) Flush();
  }
  /// Adds a NULL.
  void AddNothing() {
    std::string slot;
    AppendNullSlot(type_, slot);
    Add(slot);
  }
  /// Prints what is pending. Call it before reading texts.
  void Flush() {
    if (pending_ == 0) return;
    const JsonPrinter printer(*context_, values_, pending_);
    for (size_t i = 0; i < pending_; i++) {
      printer.Append(i, texts_);
      ends_.push_back(texts_.size());
    }
    pending_ = 0;
    values_.Reset();
  }
  size_t size() const { return ends_.size() + pending_; }
  std::string_view Text(size_t index) const {
    const size_t begin = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(texts_).substr(begin, ends_[index] - begin);
  }

 private:
  const FunctionContext* context_;
  LogicalType type_;
  SlotLoader load_;
  Vector values_;
  size_t pending_ = 0;
  std::string texts_;
  std::vector<size_t> ends_;
};

JsonPrinter::JsonPrinter(JsonPrinter&&) noexcept = default;
JsonPrinter::~JsonPrinter() = default;

void JsonPrinter::PrintParts(const FunctionContext& context, Vector& values, size_t count) {
  texts_ = values.ViewAs<StringRef>(count);
  if (form_ == Form::kList) {
    parts_.emplace_back(context, type_.element());
  } else if (form_ == Form::kMap) {
    parts_.emplace_back(context, MapKeyType(type_));
    parts_.emplace_back(context, MapValueType(type_));
  } else {
    for (const StructField& field : type_.fields()) parts_.emplace_back(context, field.type);
  }
  for (size_t row = 0; row < count; row++) {
    std::string_view slots = texts_.IsValid(row) ? texts_[row].view() : std::string_view();
    if (form_ == Form::kList) {
      while (!slots.empty()) parts_[0].Add(TakeSlot(type_.element(), slots));
      ends_.push_back(parts_[0].size());
      continue;
    }
    if (form_ == Form::kMap) {
      while (!slots.empty()) {
        const MapEntry entry = TakeMapEntry(type_, slots);
        parts_[0].Add(entry.key);
        parts_[1].Add(entry.value);
      }
      ends_.push_back(parts_[0].size());
      continue;
    }
    for (size_t i = 0; i < parts_.size(); i++) {
      if (texts_.IsValid(row)) {
        parts_[i].Add(TakeSlot(type_.fields()[i].type, slots));
      } else {
        parts_[i].AddNothing();
      }
    }
  }
  for (Parts& parts : parts_) parts.Flush();
}

JsonPrinter::JsonPrinter(const FunctionContext& context, Vector& values, size_t count)
    : type_(values.type()), text_(TypeId::kVarchar), texts_() {
  const LogicalType& type = type_;
  const auto cast = FindCast(type, TypeId::kVarchar);
  if (!cast) ThrowInternal("no cast from " + type.ToString() + " to VARCHAR");
  form_ = IsJson(type)                                                           ? Form::kAsIs
          : IsMap(type)                                                          ? Form::kMap
          : IsUnion(type)                                                        ? Form::kUnion
          : type.id() == TypeId::kList                                           ? Form::kList
          : type.id() == TypeId::kStruct                                         ? Form::kStruct
          : type.id() == TypeId::kBoolean                                        ? Form::kBoolean
          : type.IsNumeric()                                                     ? Form::kNumber
          : type.id() == TypeId::kTimestamp || type.id() == TypeId::kTimestampTz ? Form::kTimestamp
                                                                                 : Form::kString;
  if (type.IsNested()) {
    PrintParts(context, values, count);
    return;
  }
  text_.Reset();
  const LogicalType text_type = TypeId::kVarchar;
  cast->kernel({context, type, text_type, false}, values, count, text_);
  texts_ = text_.ViewAs<StringRef>(count);
}

void JsonPrinter::Append(size_t row, std::string& out) const {
  if (IsNull(row)) {
    out += "null";
    return;
  }
  const std::string_view text = texts_[row].view();
  switch (form_) {
    case Form::kAsIs: out += text; return;
    case Form::kBoolean: out += text == "true" || text == "t" ? "true" : "false"; return;
    case Form::kNumber:
      // JSON has no infinities and no NaN.
      if (text.find_first_of("nN") == std::string_view::npos) {
        out += text;
      } else {
        AppendJsonString(text, out);
      }
      return;
    case Form::kTimestamp: AppendJsonString(IsoTimestamp(text), out); return;
    case Form::kString: AppendJsonString(text, out); return;
    case Form::kList: AppendList(row, ",", out); return;
    case Form::kMap: AppendMap(row, out); return;
    case Form::kUnion: {
      const size_t member = ReadUnion(type_, text).member;
      out += '{';
      AppendJsonString(UnionMembers(type_)[member].name, out);
      out += ':';
      out += parts_[member + 1].Text(row);
      out += '}';
      return;
    }
    case Form::kStruct:
      for (size_t i = 0; i < parts_.size(); i++) {
        out += i == 0 ? '{' : ',';
        AppendJsonString(type_.fields()[i].name, out);
        out += ':';
        out += parts_[i].Text(row);
      }
      out += '}';
      return;
  }
}

void JsonPrinter::AppendList(size_t row, std::string_view separator, std::string& out) const {
  const size_t begin = row == 0 ? 0 : ends_[row - 1];
  out += '[';
  for (size_t i = begin; i < ends_[row]; i++) {
    if (i != begin) out += separator;
    out += parts_[0].Text(i);
  }
  out += ']';
}

void JsonPrinter::AppendMap(size_t row, std::string& out) const {
  const size_t begin = row == 0 ? 0 : ends_[row - 1];
  out += '{';
  for (size_t i = begin; i < ends_[row]; i++) {
    if (i != begin) out += ',';
    // The name of a member is a string, also that of a number or list.
    const std::string_view key = parts_[0].Text(i);
    if (key.starts_with('"')) {
      out += key;
    } else {
      AppendJsonString(key, out);
    }
    out += ':';
    out += parts_[1].Text(i);
  }
  out += '}';
}

void JsonPrinter::AppendLines(size_t row, std::string& out) const {
  SCAUP_ASSERT(form_ == Form::kList && !IsNull(row));
  AppendList(row, ",\n ", out);
}

void JsonPrinter::AppendName(size_t row, std::string& out) const {
  SCAUP_ASSERT(texts_.IsValid(row));
  const std::string_view text = texts_[row].view();
  form_ == Form::kTimestamp ? AppendJsonString(IsoTimestamp(text), out) : AppendJsonString(text, out);
}

}  // namespace scaup
