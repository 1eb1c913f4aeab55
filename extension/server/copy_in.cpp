// Gives the rows of a client to an INSERT, as a stream of Arrow arrays of texts.
#include "copy_in.hpp"

#include <cerrno>
#include <exception>
#include <limits>
#include <memory>

#include "copy_arrow_in.hpp"
#include "copy_data.hpp"
#include "copy_parser.hpp"
#include "copy_wire.hpp"
#include "scaup/arrow.h"
#include "types.hpp"

namespace scaup::server {

namespace {

/// The name of the client's rows within the INSERT; no table of a user is called so.
constexpr char kSourceName[] = "COPY FROM STDIN";

// --- Arrow arrays of texts

struct TextColumn {
  std::vector<int32_t> offsets{0};
  std::string bytes;
  std::vector<uint8_t> validity;  ///< a bit for each row
  int64_t null_count = 0;
};

/// A batch of rows. Owned by the array that it is exported as.
class TextBatch final : public FieldSink {
 public:
  explicit TextBatch(size_t column_count) : columns_(column_count) {}

  void AddField(std::optional<std::string_view> text) override {
    TextColumn& column = columns_[next_++];
    if (row_count_ % 8 == 0) column.validity.push_back(0);
    if (text) {
      if (text->size() > std::numeric_limits<int32_t>::max() - column.bytes.size())
        throw Error(ErrorKind::kIo, "54000", "a value of COPY is longer than 2 GiB");
      column.bytes.append(*text);
      column.validity.back() |= static_cast<uint8_t>(1U << (row_count_ % 8));
    } else {
      column.null_count++;
    }
    column.offsets.push_back(static_cast<int32_t>(column.bytes.size()));
    size_bytes_ += text ? text->size() : 0;
  }
  void EndRow() override {
    row_count_++;
    next_ = 0;
  }

  size_t row_count() const { return row_count_; }
  size_t size_bytes() const { return size_bytes_; }
  /// Moves the batch into `out`.
  static void Export(std::unique_ptr<TextBatch> batch, ArrowArray* out);

 private:
  std::vector<TextColumn> columns_;
  size_t row_count_ = 0, next_ = 0, size_bytes_ = 0;
  // Of the export; they live in the batch.
  std::vector<ArrowArray> arrays_;
  std::vector<ArrowArray*> children_;
  std::vector<const void*> buffers_;
  const void* no_validity_[1] = {nullptr};
};

void TextBatch::Export(std::unique_ptr<TextBatch> batch, ArrowArray* out) {
  constexpr size_t kBuffers = 3;
  const auto rows = static_cast<int64_t>(batch->row_count_);
  for (const TextColumn& column : batch->columns_) {
    batch->buffers_.push_back(column.validity.data());
    batch->buffers_.push_back(column.offsets.data());
    batch->buffers_.push_back(column.bytes.data());
  }
  batch->arrays_.resize(batch->columns_.size());
  for (size_t i = 0; i < batch->columns_.size(); i++) {
    ArrowArray& array = batch->arrays_[i];
    array = ArrowArray{};
    array.length = rows;
    array.null_count = batch->columns_[i].null_count;
    array.n_buffers = kBuffers;
    array.buffers = batch->buffers_.data() + kBuffers * i;
    // The parent owns all memory.
    array.release = [](ArrowArray* self) { self->release = nullptr; };
    batch->children_.push_back(&array);
  }
  *out = ArrowArray{};
  out->length = rows;
  out->n_buffers = 1;
  out->buffers = batch->no_validity_;
  out->n_children = static_cast<int64_t>(batch->children_.size());
  out->children = batch->children_.data();
  out->release = [](ArrowArray* self) {
    delete static_cast<TextBatch*>(self->private_data);
    self->release = nullptr;
  };
  out->private_data = batch.release();
}

/// The schema of `count` columns of texts, which are called c0, c1, ....
struct TextSchema {
  std::vector<std::string> names;
  std::vector<ArrowSchema> schemas;
  std::vector<ArrowSchema*> children;
};

void ExportSchema(size_t count, ArrowSchema* out) {
  auto schema = std::make_unique<TextSchema>();
  schema->schemas.resize(count);
  for (size_t i = 0; i < count; i++) schema->names.push_back("c" + std::to_string(i));
  for (size_t i = 0; i < count; i++) {
    ArrowSchema& child = schema->schemas[i];
    child = ArrowSchema{};
    child.format = "u";
    child.name = schema->names[i].c_str();
    child.flags = ARROW_FLAG_NULLABLE;
    child.release = [](ArrowSchema* self) { self->release = nullptr; };
    schema->children.push_back(&child);
  }
  *out = ArrowSchema{};
  out->format = "+s";
  out->name = "";
  out->n_children = static_cast<int64_t>(count);
  out->children = schema->children.data();
  out->release = [](ArrowSchema* self) {
    delete static_cast<TextSchema*>(self->private_data);
    self->release = nullptr;
  };
  out->private_data = schema.release();
}

// --- The client's rows

/// Reads CopyData messages while the INSERT asks for rows, one thread at a time. Outlives the INSERT.
class ClientRows {
 public:
  ClientRows(const CopyOptions& options, std::vector<std::string> names, std::vector<uint32_t> oids,
             ClientState& client)
      : column_count_(names.size()),
        parser_(options, std::move(names), std::move(oids), forward_),
        data_(client) {}

  void Export(ArrowArrayStream* out) {
    *out = ArrowArrayStream{};
    out->get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) {
      ExportSchema(Of(self).column_count_, schema);
      return 0;
    };
    out->get_next = [](ArrowArrayStream* self, ArrowArray* array) { return Of(self).Next(array); };
    out->get_last_error = [](ArrowArrayStream*) -> const char* { return "COPY FROM STDIN has failed"; };
    out->release = [](ArrowArrayStream* self) { self->release = nullptr; };
    out->private_data = this;
  }
  /// Throws what has ended the stream, which the INSERT only knows as a failure of its source.
  void Rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  void Drain() { data_.Drain(); }

 private:
  /// Hands fields to the batch that is being filled.
  class Forward final : public FieldSink {
   public:
    void AddField(std::optional<std::string_view> text) override { batch->AddField(text); }
    void EndRow() override { batch->EndRow(); }
    TextBatch* batch = nullptr;
  };

  static ClientRows& Of(ArrowArrayStream* self) { return *static_cast<ClientRows*>(self->private_data); }

  std::unique_ptr<TextBatch> Fill() {
    constexpr size_t kMostRows = 65536;
    constexpr size_t kMostBytes = 16 * 1024 * 1024;
    auto batch = std::make_unique<TextBatch>(column_count_);
    forward_.batch = batch.get();
    while (batch->row_count() < kMostRows && batch->size_bytes() < kMostBytes) {
      if (parser_.ParseRow(data_.is_done())) continue;
      if (data_.is_done()) {
        parser_.Finish();
        break;
      }
      parser_.Compact();
      if (const auto bytes = data_.Next()) parser_.Add(*bytes);
    }
    parser_.Compact();
    return batch;
  }

  int Next(ArrowArray* array) {
    *array = ArrowArray{};
    try {
      Rethrow();
      auto batch = Fill();
      if (batch->row_count() != 0) TextBatch::Export(std::move(batch), array);
      return 0;
    } catch (...) {
      failure_ = std::current_exception();
      return EIO;
    }
  }

  const size_t column_count_;
  Forward forward_;
  CopyParser parser_;
  CopyData data_;
  std::exception_ptr failure_;
};

/// A table of the connection under a name, for its lifetime.
class RegisteredSource {
 public:
  RegisteredSource(Connection& connection, ArrowArrayStream* stream) : connection_(connection) {
    connection.RegisterArrow(kSourceName, stream);
  }
  ~RegisteredSource() {
    try {
      connection_.Unregister(kSourceName);
    } catch (const Error&) {
      // The next COPY replaces it.
    }
  }
  RegisteredSource(const RegisteredSource&) = delete;
  RegisteredSource& operator=(const RegisteredSource&) = delete;

 private:
  Connection& connection_;
};

/// The columns that the client's rows have: those that are named, or all that are not generated.
std::vector<ResultColumn> TargetColumns(const CopyStream& copy, Connection& connection) {
  std::string names;
  for (const std::string& column : copy.columns) names += (names.empty() ? "" : ", ") + QuotedName(column);
  try {
    const std::string select = "SELECT " + (names.empty() ? "*" : names) + " FROM " + QuotedTable(copy);
    std::vector<ResultColumn> columns = connection.Prepare(select).columns();
    if (!copy.columns.empty()) return columns;
    const Value table[] = {Value::Varchar(copy.table), Value::Varchar(copy.schema)};
    const QueryResult generated = connection.Query(
        "SELECT column_name::text FROM information_schema.columns WHERE is_generated = 'ALWAYS' AND "
        "table_name = $1::text AND ($2::text = '' OR table_schema = $2::text)",
        table);
    for (size_t row = 0; row < generated.row_count(); row++) {
      std::erase_if(columns,
                    [&](const ResultColumn& column) { return column.name == generated.GetString(0, row); });
    }
    return columns;
  } catch (const Error& error) {
    // Positions would be those of a text that the client does not have.
    throw Error(error.kind(), error.sqlstate(), error.message());
  }
}

/// Returns the INSERT of the client's columns, which are called as in `sources`.
std::string InsertOf(const CopyStream& copy, const std::vector<ResultColumn>& columns,
                     const std::vector<std::string>& sources) {
  std::string names, values;
  for (size_t i = 0; i < columns.size(); i++) {
    if (i != 0) {
      names += ", ";
      values += ", ";
    }
    names += QuotedName(columns[i].name);
    values += "CAST(" + QuotedName(sources[i]) + " AS " + columns[i].type.ToString() + ")";
  }
  return "INSERT INTO " + QuotedTable(copy) + " (" + names + ") OVERRIDING SYSTEM VALUE SELECT " + values +
         " FROM " + QuotedName(kSourceName);
}

/// Inserts the rows of a stream. `rows` makes it.
template <typename Rows>
uint64_t InsertFrom(Rows& rows, const CopyStream& copy, const std::vector<ResultColumn>& columns,
                    ClientState& client) {
  ArrowArrayStream stream;
  rows.Export(&stream);
  try {
    const RegisteredSource source(client.connection, &stream);
    const auto given = client.connection.Prepare("SELECT * FROM " + QuotedName(kSourceName)).columns();
    std::vector<std::string> sources;
    for (const ResultColumn& column : given) sources.push_back(column.name);
    if (sources.size() != columns.size()) {
      throw Error(ErrorKind::kConversion, "22P04",
                  "the table has " + std::to_string(columns.size()) + " columns for COPY, but the data has " +
                      std::to_string(sources.size()));
    }
    const uint64_t count = client.connection.Query(InsertOf(copy, columns, sources)).rows_changed();
    rows.Drain();
    return count;
  } catch (const Error& error) {
    rows.Rethrow();
    throw Error(error.kind(), error.sqlstate(), error.message());
  }
}

}  // namespace

uint64_t CopyIn(const CopyStream& copy, const CopyOptions& options, ClientState& client) {
  const std::vector<ResultColumn> columns = TargetColumns(copy, client.connection);
  const bool is_text = options.form == CopyForm::kText || options.form == CopyForm::kCsv;
  AppendCopyResponse('G', is_text ? Format::kText : Format::kBinary, columns.size(), client.channel.out());
  client.channel.Flush();
  if (options.form == CopyForm::kArrow) {
    ClientBatches batches(client);
    return InsertFrom(batches, copy, columns, client);
  }
  std::vector<std::string> names;
  std::vector<uint32_t> oids;
  for (const ResultColumn& column : columns) {
    names.push_back(column.name);
    oids.push_back(TypeForClient(column.type).oid);
  }
  ClientRows rows(options, names, oids, client);
  return InsertFrom(rows, copy, columns, client);
}

}  // namespace scaup::server
