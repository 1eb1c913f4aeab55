// Streams of Arrow arrays as tables.
#include "format/arrow/arrow_table.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "common/throw.hpp"
#include "format/arrow/arrow_reader.hpp"

namespace scaup {

// --- OwnedArrowStream

OwnedArrowStream::OwnedArrowStream(ArrowArrayStream* taken) : stream_(*taken) { taken->release = nullptr; }

OwnedArrowStream::OwnedArrowStream(OwnedArrowStream&& other) noexcept : OwnedArrowStream(&other.stream_) {}

OwnedArrowStream& OwnedArrowStream::operator=(OwnedArrowStream&& other) noexcept {
  std::swap(stream_, other.stream_);
  return *this;
}

OwnedArrowStream::~OwnedArrowStream() {
  if (is_open()) stream_.release(&stream_);
}

void OwnedArrowStream::ThrowFailure(int code) {
  const char* text = stream_.get_last_error(&stream_);
  const ErrorKind kind = code == ENOMEM ? ErrorKind::kOutOfMemory : ErrorKind::kIo;
  ThrowError(
      kind, code == ENOMEM ? sqlstate::kOutOfMemory : sqlstate::kIoError,
      fmt::format("a stream of Arrow arrays failed: {}", text != nullptr ? text : std::strerror(code)));
}

ArrowType OwnedArrowStream::ReadType() {
  ArrowSchema schema = {};
  if (const int code = stream_.get_schema(&stream_, &schema); code != 0) ThrowFailure(code);
  const std::unique_ptr<ArrowSchema, void (*)(ArrowSchema*)> owned(&schema, [](ArrowSchema* each) {
    if (each->release != nullptr) each->release(each);
  });
  return ReadArrowSchema(schema);
}

std::shared_ptr<const ArrowArray> OwnedArrowStream::Next() {
  const auto array = std::shared_ptr<ArrowArray>(new ArrowArray(), [](ArrowArray* each) {
    if (each->release != nullptr) each->release(each);
    delete each;
  });
  if (const int code = stream_.get_next(&stream_, array.get()); code != 0) ThrowFailure(code);
  return array->release == nullptr ? nullptr : array;
}

// --- ArrowTable

std::span<const ArrowType> ArrowColumns(const ArrowType& type) {
  if (type.kind == ArrowKind::kStruct) return type.children;
  return std::span(&type, 1);
}

ArrowTable::ArrowTable(ArrowArrayStream* stream) : stream_(stream) {
  type_ = stream_.ReadType();
  NoteColumns();
}

ArrowTable::ArrowTable(ArrowFactory factory) : factory_(std::move(factory)) {
  factory_({}, stream_.slot());
  type_ = stream_.ReadType();
  NoteColumns();
}

void ArrowTable::NoteColumns() {
  std::set<std::string> used;
  for (const ArrowType& column : ArrowColumns(type_)) {
    const std::string base = column.name.empty() ? fmt::format("column{}", names_.size()) : column.name;
    std::string name = base;
    for (size_t suffix = 1; !used.insert(name).second; suffix++) name = fmt::format("{}_{}", base, suffix);
    names_.push_back(std::move(name));
    types_.push_back(column.type);
  }
}

std::unique_ptr<ArrowScan> ArrowTable::Open(std::span<const size_t> columns) {
  const std::lock_guard lock(mutex_);
  OwnedArrowStream stream;
  if (factory_) {
    std::vector<std::string> names;
    for (const size_t column : columns) names.push_back(ArrowColumns(type_)[column].name);
    stream_ = OwnedArrowStream();  // The first was for the type alone.
    factory_(names, stream.slot());
  } else if (!stream_.is_open()) {
    ThrowError(
        ErrorKind::kUsage, sqlstate::kObjectNotInPrerequisiteState,
        "the stream of Arrow arrays was read already: it can be read once; make a table of it, or offer "
        "an object that can be read again");
  } else {
    stream = std::move(stream_);
  }
  return std::make_unique<ArrowScan>(std::move(stream), type_, columns);
}

// --- ArrowScan

ArrowScan::ArrowScan(OwnedArrowStream stream, const ArrowType& table, std::span<const size_t> columns)
    : type_(stream.ReadType()), stream_(std::move(stream)) {
  const std::span<const ArrowType> wanted = ArrowColumns(table), given = ArrowColumns(type_);
  for (const size_t column : columns) {
    // Where the stream has all columns, they are where they were: names may occur twice.
    size_t source = column;
    if (given.size() != wanted.size() || given[column].name != wanted[column].name) {
      const auto found = std::find_if(given.begin(), given.end(), [&](const ArrowType& each) {
        return each.name == wanted[column].name;
      });
      source = static_cast<size_t>(found - given.begin());
    }
    if (source >= given.size() || given[source].type != wanted[column].type) {
      ThrowError(ErrorKind::kConversion, sqlstate::kDatatypeMismatch,
                 fmt::format("column \"{}\" is not there any more, or has another type, since the statement "
                             "was prepared",
                             wanted[column].name));
    }
    sources_.push_back(source);
  }
}

ArrowScan::Rows ArrowScan::TakeRows() {
  const std::lock_guard lock(mutex_);
  while (array_ == nullptr || row_ == static_cast<size_t>(array_->length)) {
    if (!stream_.is_open()) return {};
    array_ = stream_.Next();
    row_ = 0;
    if (array_ == nullptr) {
      stream_ = OwnedArrowStream();
      return {};
    }
    CheckArrowArray(type_, *array_);
  }
  const size_t begin = row_;
  const size_t count = std::min(kVectorSize, static_cast<size_t>(array_->length) - begin);
  row_ += count;
  return {array_, begin, count, next_number_++};
}

void ArrowScan::Next(DataChunk& output) {
  const Rows rows = TakeRows();
  if (rows.count == 0) return;
  const bool is_table = type_.kind == ArrowKind::kStruct;
  for (size_t i = 0; i < sources_.size(); i++) {
    const ArrowType& type = is_table ? type_.children[sources_[i]] : type_;
    const ArrowArray& array = is_table ? *rows.array->children[sources_[i]] : *rows.array;
    // A struct's rows begin at its offset among its fields' values.
    const size_t begin = rows.begin + (is_table ? static_cast<size_t>(rows.array->offset) : 0);
    ReadArrowColumn(type, array, begin, rows.count, rows.array, output.column(i));
  }
  output.SetSize(rows.count);
  output.batch_index = rows.number;
}

}  // namespace scaup
