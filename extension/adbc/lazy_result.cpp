// Reading, materializing and cancelling results.
#include "lazy_result.hpp"

#include <cerrno>
#include <utility>

#include "scaup/arrow_schema.hpp"

namespace scaup::adbc {

LazyResult::LazyResult(std::shared_ptr<ConnectionState> connection, StreamingResult rows,
                       const ArrowOptions& options)
    : columns_(rows.columns()),
      time_zone_(rows.time_zone()),
      options_(options),
      connection_(std::move(connection)),
      query_(std::move(rows)) {}

LazyResult::LazyResult(std::vector<ResultColumn> columns, std::string time_zone, std::deque<QueryResult> rows,
                       const ArrowOptions& options)
    : columns_(std::move(columns)),
      time_zone_(std::move(time_zone)),
      options_(options),
      rows_(std::move(rows)) {}

namespace {

/// Notes for its lifetime which session computes the rows, so that Cancel finds it.
class Fetching {
 public:
  Fetching(std::mutex& mutex, std::atomic<ConnectionState*>& fetching, ConnectionState* connection)
      : mutex_(mutex), fetching_(fetching) {
    const std::lock_guard lock(mutex_);
    fetching_ = connection;
  }
  ~Fetching() {
    const std::lock_guard lock(mutex_);
    fetching_ = nullptr;
  }
  Fetching(const Fetching&) = delete;
  Fetching& operator=(const Fetching&) = delete;

 private:
  std::mutex& mutex_;
  std::atomic<ConnectionState*>& fetching_;
};

}  // namespace

void LazyResult::End() {
  query_.reset();
  connection_.reset();
}

void LazyResult::Materialize() {
  const std::lock_guard lock(mutex_);
  if (!query_) return;
  try {
    const Fetching fetching(cancel_mutex_, fetching_, connection_.get());
    QueryResult rows;
    while (!is_cancelled_ && query_->Fetch(rows, options_.batch_rows)) rows_.push_back(std::move(rows));
  } catch (const Error& error) {
    error_ = error;
  }
  End();
}

bool LazyResult::Cancel() {
  if (has_ended_ || is_cancelled_.exchange(true)) return false;
  const std::lock_guard lock(cancel_mutex_);
  if (ConnectionState* connection = fetching_) connection->Interrupt();
  return true;
}

void LazyResult::Invalidate() {
  const std::lock_guard lock(mutex_);
  if (has_ended_) return;
  End();
  rows_.clear();
  arrays_.Release();
  error_.emplace(ErrorKind::kUsage, "24000", "the statement was executed again, which has ended this result");
}

bool LazyResult::NextRows() {
  QueryResult rows;
  if (!rows_.empty()) {
    rows = std::move(rows_.front());
    rows_.pop_front();
  } else if (error_) {
    throw *error_;
  } else if (!query_) {
    return false;
  } else {
    const Activity activity(*connection_);
    const Fetching fetching(cancel_mutex_, fetching_, connection_.get());
    if (!query_->Fetch(rows, options_.batch_rows)) return false;
  }
  rows.ExportArrow(arrays_.get(), options_);
  return true;
}

void LazyResult::Next(ArrowArray* out) {
  *out = {};
  const std::lock_guard lock(mutex_);
  try {
    while (true) {
      if (is_cancelled_)
        throw Error(ErrorKind::kInterrupted, "57014",
                    "the result was cancelled before all of its rows were read");
      if (!arrays_.is_released()) {
        if (const int code = arrays_->get_next(arrays_.get(), out); code != 0) {
          const char* text = arrays_->get_last_error(arrays_.get());
          throw Error(code == ENOMEM ? ErrorKind::kOutOfMemory : ErrorKind::kInternal,
                      code == ENOMEM ? "53200" : "XX000",
                      text == nullptr ? "the rows cannot be exported" : text);
        }
        if (out->release != nullptr) return;
        arrays_.Release();
      }
      if (NextRows()) continue;
      has_ended_ = true;
      return End();
    }
  } catch (const Error& error) {
    error_ = error;
    rows_.clear();
    arrays_.Release();
    End();
    throw;
  }
}

/// The state behind an exported stream. Owned by its release function.
struct LazyResult::Reader {
  std::shared_ptr<LazyResult> result;
  ErrorRecord record;
  AdbcError error = ADBC_ERROR_INIT;

  ~Reader() {
    if (error.release != nullptr) error.release(&error);
  }
  static Reader& Of(ArrowArrayStream* stream) { return *static_cast<Reader*>(stream->private_data); }

  static void Release(ArrowArrayStream* self) {
    delete &Of(self);
    self->release = nullptr;
  }

  /// Runs `body` and returns an errno value.
  template <typename Body>
  int Answer(Body&& body) {
    if (error.release != nullptr) error.release(&error);
    error = ADBC_ERROR_INIT;
    record = {};
    try {
      body();
      return 0;
    } catch (...) {
      record = DescribeException();
    }
    FillError(record, &error);
    if (record.kind == ErrorKind::kOutOfMemory) return ENOMEM;
    if (record.status == ADBC_STATUS_TIMEOUT) return ETIMEDOUT;
    if (record.status == ADBC_STATUS_CANCELLED) return ECANCELED;
    return record.status == ADBC_STATUS_IO ? EIO : EINVAL;
  }
};

void LazyResult::Publish(std::shared_ptr<LazyResult> result, ArrowArrayStream* out) {
  auto reader = std::make_unique<Reader>();
  reader->result = std::move(result);
  *out = {};
  out->get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) {
    Reader& reader = Reader::Of(self);
    return reader.Answer([&] {
      const LazyResult& result = *reader.result;
      ExportArrowSchema(result.columns_, result.time_zone_, schema, result.options_);
    });
  };
  out->get_next = [](ArrowArrayStream* self, ArrowArray* array) {
    Reader& reader = Reader::Of(self);
    return reader.Answer([&] { reader.result->Next(array); });
  };
  out->get_last_error = [](ArrowArrayStream* self) -> const char* { return Reader::Of(self).error.message; };
  out->release = Reader::Release;
  out->private_data = reader.release();
}

const AdbcError* LazyResult::ErrorOf(ArrowArrayStream* stream, AdbcStatusCode* status) {
  if (stream == nullptr || stream->private_data == nullptr || stream->release != Reader::Release)
    return nullptr;
  const Reader& reader = Reader::Of(stream);
  if (status != nullptr) *status = reader.record.status;
  return reader.record.status == ADBC_STATUS_OK ? nullptr : &reader.error;
}

}  // namespace scaup::adbc
