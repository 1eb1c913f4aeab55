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

namespace {

/// About the rows of a row group: a thread that stores the rows of a turn thus makes a whole one.
constexpr size_t kMostTurnRows = 128 * kVectorSize;

/// Moves the array out of `taken`.
std::shared_ptr<const ArrowArray> OwnArray(ArrowArray* taken) {
  const auto owned = std::shared_ptr<ArrowArray>(new ArrowArray(*taken), [](ArrowArray* each) {
    if (each->release != nullptr) each->release(each);
    delete each;
  });
  taken->release = nullptr;
  return owned;
}

std::optional<ArrowFilter::Test> TestOf(ScanFilter::Op op) {
  switch (op) {
    case ScanFilter::Op::kEqual: return ArrowFilter::Test::kEqual;
    case ScanFilter::Op::kNotEqual: return ArrowFilter::Test::kNotEqual;
    case ScanFilter::Op::kLess: return ArrowFilter::Test::kLess;
    case ScanFilter::Op::kLessEqual: return ArrowFilter::Test::kLessEqual;
    case ScanFilter::Op::kGreater: return ArrowFilter::Test::kGreater;
    case ScanFilter::Op::kGreaterEqual: return ArrowFilter::Test::kGreaterEqual;
    case ScanFilter::Op::kIsNull: return ArrowFilter::Test::kIsNull;
    case ScanFilter::Op::kIsNotNull: return ArrowFilter::Test::kIsNotNull;
    case ScanFilter::Op::kTest: break;
  }
  return std::nullopt;
}

struct SchemaRelease {
  void operator()(ArrowSchema* schema) const {
    if (schema->release != nullptr) schema->release(schema);
  }
};
using OwnedSchema = std::unique_ptr<ArrowSchema, SchemaRelease>;

}  // namespace

// --- OwnedArrowStream

OwnedArrowStream::OwnedArrowStream(ArrowArrayStream* taken) : stream_(*taken) { taken->release = nullptr; }

OwnedArrowStream::OwnedArrowStream(ArrowSchema* schema, ArrowArray* array) : array_(OwnArray(array)) {
  const OwnedSchema owned(schema);
  array_type_ = ReadArrowSchema(*schema);
}

OwnedArrowStream::OwnedArrowStream(OwnedArrowStream&& other) noexcept { *this = std::move(other); }

OwnedArrowStream& OwnedArrowStream::operator=(OwnedArrowStream&& other) noexcept {
  std::swap(stream_, other.stream_);
  array_type_.swap(other.array_type_);
  array_.swap(other.array_);
  return *this;
}

OwnedArrowStream::~OwnedArrowStream() {
  if (stream_.release != nullptr) stream_.release(&stream_);
}

void OwnedArrowStream::ThrowFailure(int code) {
  const char* text = stream_.get_last_error(&stream_);
  const ErrorKind kind = code == ENOMEM ? ErrorKind::kOutOfMemory : ErrorKind::kIo;
  ThrowError(
      kind, code == ENOMEM ? sqlstate::kOutOfMemory : sqlstate::kIoError,
      fmt::format("a stream of Arrow arrays failed: {}", text != nullptr ? text : std::strerror(code)));
}

ArrowType OwnedArrowStream::ReadType() {
  if (array_type_) return *array_type_;
  ArrowSchema schema = {};
  if (const int code = stream_.get_schema(&stream_, &schema); code != 0) ThrowFailure(code);
  const OwnedSchema owned(&schema);
  return ReadArrowSchema(schema);
}

std::shared_ptr<const ArrowArray> OwnedArrowStream::Next() {
  if (array_type_) return std::exchange(array_, nullptr);
  ArrowArray array = {};
  if (const int code = stream_.get_next(&stream_, &array); code != 0) ThrowFailure(code);
  return array.release == nullptr ? nullptr : OwnArray(&array);
}

// --- ArrowTable

std::span<const ArrowType> ArrowColumns(const ArrowType& type) {
  if (type.kind == ArrowKind::kStruct) return type.children;
  return std::span(&type, 1);
}

ArrowTable::ArrowTable(OwnedArrowStream stream) : stream_(std::move(stream)) {
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

std::unique_ptr<ArrowScan> ArrowTable::Open(std::span<const size_t> columns,
                                            std::span<const ScanFilter> filters) {
  const MutexLock lock(mutex_);
  OwnedArrowStream stream;
  if (factory_) {
    ArrowRequest request;
    const std::span<const ArrowType> known = ArrowColumns(type_);
    for (const size_t column : columns) request.columns.push_back(known[column].name);
    for (const ScanFilter& filter : filters) {
      const std::string& name = known[filter.column].name;
      // The filter is passed by name, which must be unambiguous.
      const auto has_name = [&](const ArrowType& column) { return column.name == name; };
      if (std::count_if(known.begin(), known.end(), has_name) != 1) continue;
      if (const auto test = TestOf(filter.op)) request.filters.push_back({name, *test, filter.constant});
    }
    stream_ = OwnedArrowStream();  // the first one was opened only for its type
    factory_(request, stream.slot());
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
    : type_(stream.ReadType()), stream_(std::move(stream)), turn_rows_(kVectorSize) {
  const std::span<const ArrowType> wanted = ArrowColumns(table), given = ArrowColumns(type_);
  for (const size_t column : columns) {
    // If the stream has all columns, their positions are unchanged; names may be ambiguous.
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

void ArrowScan::Take(Turn& turn) {
  const MutexLock lock(mutex_);
  turn.number_ = next_number_;
  for (size_t taken = 0; taken < turn_rows_;) {
    if (array_ == nullptr || row_ == static_cast<size_t>(array_->length)) {
      row_ = 0;
      array_ = stream_.is_open() ? stream_.Next() : nullptr;
      if (array_ == nullptr) {
        stream_ = OwnedArrowStream();
        break;
      }
      CheckArrowArray(type_, *array_);
    }
    const size_t count = std::min(turn_rows_ - taken, static_cast<size_t>(array_->length) - row_);
    if (count == 0) continue;
    turn.rows_.push_back({array_, row_, count});
    row_ += count;
    taken += count;
    next_number_ += (count + kVectorSize - 1) / kVectorSize;
  }
  std::reverse(turn.rows_.begin(), turn.rows_.end());
  turn_rows_ = std::min(2 * turn_rows_, kMostTurnRows);
}

void ArrowScan::Next(Turn& turn, DataChunk& output) {
  SCAUP_ASSERT(output.size() == 0);
  if (turn.rows_.empty()) Take(turn);
  if (turn.rows_.empty()) return;
  Rows& piece = turn.rows_.back();
  const Rows rows{piece.array, piece.begin, std::min(kVectorSize, piece.count)};
  piece.begin += rows.count;
  piece.count -= rows.count;
  if (piece.count == 0) turn.rows_.pop_back();
  const bool is_table = type_.kind == ArrowKind::kStruct;
  for (size_t i = 0; i < sources_.size(); i++) {
    const ArrowType& type = is_table ? type_.children[sources_[i]] : type_;
    const ArrowArray& array = is_table ? *rows.array->children[sources_[i]] : *rows.array;
    // A struct's rows begin at its offset within its fields' values.
    const size_t begin = rows.begin + (is_table ? static_cast<size_t>(rows.array->offset) : 0);
    ReadArrowColumn(type, array, begin, rows.count, rows.array, output.column(i));
  }
  output.SetSize(rows.count);
  output.batch_index = turn.number_++;
}

}  // namespace scaup
