// Results as streams of Arrow arrays.
#include <cerrno>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "common/at_edge.hpp"
#include "common/throw.hpp"
#include "format/arrow/arrow_writer.hpp"
#include "main/statement/result_data.hpp"
#include "scaup/arrow_schema.hpp"
#include "scaup/result.hpp"

namespace scaup {

namespace {

ArrowLayout LayoutOf(const ArrowOptions& options, const std::string& time_zone) {
  ArrowLayout layout;
  layout.string_views = options.string_views;
  layout.dictionaries = options.dictionaries;
  layout.extensions = options.extensions;
  layout.time_zone = time_zone;
  return layout;
}

/// Returns the names of the columns, with _1, _2, ... appended to repeated ones. Data frames take each name
/// only once.
std::vector<std::string> UniqueNames(std::span<const ResultColumn> columns) {
  std::set<std::string> used;
  std::vector<std::string> names;
  for (const ResultColumn& column : columns) {
    std::string name = column.name;
    for (size_t suffix = 1; !used.insert(name).second; suffix++)
      name = column.name + "_" + std::to_string(suffix);
    names.push_back(std::move(name));
  }
  return names;
}

/// The state behind an exported stream. Owned by the stream and deleted by its release function. Used by one
/// thread at a time, as the Arrow C interface demands of consumers. Shares ownership of the rows, so it may
/// outlive the result and the connection.
class ArrowResultStream {
 public:
  ArrowResultStream(QueryResult rows, const ArrowOptions& options)
      : columns_(rows.columns()), options_(options), time_zone_(rows.time_zone()) {
    CheckOptions();
    Take(std::move(rows));
  }
  ArrowResultStream(StreamingResult stream, const ArrowOptions& options)
      : columns_(stream.columns()), options_(options), stream_(std::move(stream)) {
    CheckOptions();
    time_zone_ = stream_->time_zone();
  }

  static void Publish(std::unique_ptr<ArrowResultStream> stream, ArrowArrayStream* out) {
    *out = {};
    out->get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) {
      return Of(self).Answer([&] { Of(self).Schema(schema); });
    };
    out->get_next = [](ArrowArrayStream* self, ArrowArray* array) {
      return Of(self).Answer([&] { Of(self).Next(array); });
    };
    out->get_last_error = [](ArrowArrayStream* self) -> const char* {
      const std::string& error = Of(self).error_;
      return error.empty() ? nullptr : error.c_str();
    };
    out->release = [](ArrowArrayStream* self) {
      delete &Of(self);
      self->release = nullptr;
    };
    out->private_data = stream.release();
  }

 private:
  static ArrowResultStream& Of(ArrowArrayStream* self) {
    return *static_cast<ArrowResultStream*>(self->private_data);
  }

  void CheckOptions() const {
    if (options_.batch_rows == 0) {
      ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
                 "an array of a stream must have room for one row: set batch_rows to 1 or more");
    }
    if (columns_.empty()) {
      ThrowError(ErrorKind::kUsage, sqlstate::kInvalidParameterValue,
                 "the statement has no rows that could be given as Arrow arrays");
    }
  }

  /// Calls `answer` and returns an errno value, as exceptions must not leave a C function. The text of the
  /// error is available from get_last_error.
  template <typename F>
  int Answer(F&& answer) noexcept {
    try {
      error_.clear();
      answer();
      return 0;
    } catch (const Error& error) {
      Keep(error.message());
      if (error.kind() == ErrorKind::kOutOfMemory) return ENOMEM;
      return error.kind() == ErrorKind::kInterrupted ? ECANCELED : EINVAL;
    } catch (const std::exception& error) {
      Keep(error.what());
      return ENOMEM;
    }
  }

  void Keep(const char* text) noexcept {
    try {
      error_ = text;
    } catch (const std::bad_alloc&) {
      error_.clear();
    }
  }
  void Keep(const std::string& text) noexcept { Keep(text.c_str()); }

  void Schema(ArrowSchema* out) const { ExportArrowSchema(columns_, time_zone_, out, options_); }

  void Next(ArrowArray* out) {
    *out = {};
    while (row_ == row_count_) {
      if (!stream_) return;  // An array without release ends the stream.
      QueryResult rows;
      if (!stream_->Fetch(rows, options_.batch_rows)) return stream_.reset();
      Take(std::move(rows));
    }
    const size_t wanted = std::min(options_.batch_rows, row_count_ - row_);
    // String offsets of Arrow have 31 bits, so an array of long texts has fewer rows.
    const size_t count = writer_->RowsOfArray(row_, wanted);
    writer_->Export(row_, count, out);
    row_ += count;
  }

  /// Makes `rows` the source of the next arrays.
  void Take(QueryResult rows) {
    const std::shared_ptr<const ResultData> data = ResultAccess::DataOf(rows);
    std::vector<ArrowSource> sources;
    for (const MaterializedColumn& column : data->rows.columns) {
      sources.push_back({column.type, column.values.data(),
                         column.has_nulls ? reinterpret_cast<const uint8_t*>(column.nulls.data()) : nullptr});
    }
    row_ = 0;
    row_count_ = data->rows.row_count;
    // Arrays refer to the values without a copy. So they share ownership of the result data, through the
    // writer.
    writer_.emplace(std::move(sources), LayoutOf(options_, time_zone_), *data->memory, data);
  }

  const std::vector<ResultColumn> columns_;
  const ArrowOptions options_;
  std::string time_zone_;
  std::optional<StreamingResult> stream_;
  std::optional<ArrowWriter> writer_;
  size_t row_ = 0;
  size_t row_count_ = 0;
  std::string error_;
};

}  // namespace

void ExportArrowSchema(std::span<const ResultColumn> columns, const std::string& time_zone, ArrowSchema* out,
                       const ArrowOptions& options) {
  AtEdge([&] {
    std::vector<LogicalType> types;
    for (const ResultColumn& column : columns) types.push_back(column.type);
    ExportSchema(UniqueNames(columns), types, LayoutOf(options, time_zone), out);
  });
}

void QueryResult::ExportArrow(ArrowArrayStream* out, const ArrowOptions& options) const {
  data();
  ArrowResultStream::Publish(std::make_unique<ArrowResultStream>(*this, options), out);
}

void StreamingResult::ExportArrow(ArrowArrayStream* out, const ArrowOptions& options) && {
  execution();
  ArrowResultStream::Publish(std::make_unique<ArrowResultStream>(std::move(*this), options), out);
}

}  // namespace scaup
