// The memory of the metadata's arrays.
#include "arrow_builder.hpp"

#include <cstring>
#include <limits>

#include "edge.hpp"

namespace scaup::adbc {

namespace {

/// The schema of a field on the stack, from which CopyOf makes one that owns its memory.
struct FieldSchema {
  explicit FieldSchema(const Field& field) {
    children.reserve(field.children.size());
    for (const Field& child : field.children) children.emplace_back(child);
    for (FieldSchema& child : children) pointers.push_back(&child.schema);
    schema.format = field.format.c_str();
    schema.name = field.name.c_str();
    schema.flags = field.is_nullable ? ARROW_FLAG_NULLABLE : 0;
    schema.n_children = static_cast<int64_t>(children.size());
    schema.children = pointers.data();
  }
  std::vector<FieldSchema> children;
  std::vector<ArrowSchema*> pointers;
  ArrowSchema schema{};
};

/// The memory of a finished array. Owned by its release function.
struct FinishedArray {
  std::vector<uint8_t> validity;
  std::vector<uint8_t> values;
  std::vector<int32_t> offsets;
  std::vector<const void*> buffers;
  std::vector<OwnedArray> children;
  std::vector<ArrowArray*> pointers;
};

bool HasTexts(const std::string& format) { return format == "u" || format == "z"; }
bool IsList(const std::string& format) { return format == "+l" || format == "+m"; }
bool IsUnion(const std::string& format) { return format.starts_with("+ud:"); }

size_t WidthOf(const std::string& format) {
  switch (format[0]) {
    case 's': return sizeof(int16_t);
    case 'i':
    case 'I': return sizeof(int32_t);
    default: return sizeof(int64_t);
  }
}

std::vector<uint8_t> PackBits(const std::vector<bool>& bits) {
  std::vector<uint8_t> packed((bits.size() + 7) / 8);
  for (size_t i = 0; i < bits.size(); i++) packed[i / 8] |= static_cast<uint8_t>(bits[i] << (i % 8));
  return packed;
}

/// Returns a size as an offset, which has 31 bits.
int32_t OffsetOf(size_t size) {
  if (size > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    throw Error(ErrorKind::kOutOfRange, "54000",
                "the description of the database has more than 2 GiB: use filters");
  return static_cast<int32_t>(size);
}

}  // namespace

Field TableField(const std::vector<Field>& columns) { return {"", "+s", false, columns}; }

OwnedSchema MakeSchema(const std::vector<Field>& columns) {
  const Field table = TableField(columns);
  return CopyOf(FieldSchema(table).schema);
}

ArrayBuilder::ArrayBuilder(const Field& field) : format_(field.format) {
  for (const Field& child : field.children) children_.emplace_back(child);
  if (HasTexts(format_) || IsList(format_)) offsets_.push_back(0);
}

void ArrayBuilder::AppendNull() {
  if (IsUnion(format_)) {  // A union has no NULLs of its own.
    children_[0].AppendNull();
    return EndUnion(0);
  }
  length_++;
  is_valid_.push_back(false);
  if (!offsets_.empty()) {
    offsets_.push_back(offsets_.back());
  } else if (format_ == "+s") {
    for (ArrayBuilder& child : children_) child.AppendNull();
  } else {
    values_.resize(values_.size() + (format_ == "b" ? 1 : WidthOf(format_)));
  }
}

void ArrayBuilder::AppendFixed(const void* value, size_t size) {
  const auto* bytes = static_cast<const uint8_t*>(value);
  values_.insert(values_.end(), bytes, bytes + size);
  length_++;
  is_valid_.push_back(true);
}

// The lowest bytes of an integer come first.
void ArrayBuilder::AppendInteger(int64_t value) {
  AppendFixed(&value, format_ == "b" ? 1 : WidthOf(format_));
}
void ArrayBuilder::AppendDouble(double value) { AppendFixed(&value, sizeof(value)); }

void ArrayBuilder::AppendBytes(std::string_view bytes) {
  AppendFixed(bytes.data(), bytes.size());
  offsets_.push_back(OffsetOf(values_.size()));
}

void ArrayBuilder::EndList() {
  length_++;
  is_valid_.push_back(true);
  offsets_.push_back(OffsetOf(static_cast<size_t>(children_[0].length_)));
}

void ArrayBuilder::EndUnion(int8_t code) {
  length_++;
  values_.push_back(static_cast<uint8_t>(code));
  offsets_.push_back(OffsetOf(static_cast<size_t>(children_[static_cast<size_t>(code)].length_ - 1)));
}

OwnedArray ArrayBuilder::Finish() {
  auto finished = std::make_unique<FinishedArray>();
  OwnedArray array;
  array->length = length_;
  for (const bool is_valid : is_valid_) array->null_count += is_valid ? 0 : 1;
  for (ArrayBuilder& child : children_) finished->children.push_back(child.Finish());
  for (OwnedArray& child : finished->children) finished->pointers.push_back(child.get());
  finished->validity = PackBits(is_valid_);
  finished->offsets = std::move(offsets_);
  finished->values = std::move(values_);
  if (format_ == "b") finished->values = PackBits({finished->values.begin(), finished->values.end()});
  // Readers want pointers also where there is nothing to read.
  finished->values.reserve(1);
  if (IsUnion(format_)) {
    finished->buffers = {finished->values.data(), finished->offsets.data()};
  } else {
    finished->buffers = {array->null_count == 0 ? nullptr : finished->validity.data()};
    if (HasTexts(format_) || IsList(format_)) finished->buffers.push_back(finished->offsets.data());
    if (format_[0] != '+') finished->buffers.push_back(finished->values.data());
  }
  array->n_buffers = static_cast<int64_t>(finished->buffers.size());
  array->buffers = finished->buffers.data();
  array->n_children = static_cast<int64_t>(finished->pointers.size());
  array->children = finished->pointers.data();
  array->release = [](ArrowArray* self) {
    delete static_cast<FinishedArray*>(self->private_data);
    self->release = nullptr;
  };
  array->private_data = finished.release();
  return array;
}

OwnedStream MakeTable(const std::vector<Field>& columns, ArrayBuilder& table) {
  return MakeStream(MakeSchema(columns), table.Finish());
}

}  // namespace scaup::adbc
