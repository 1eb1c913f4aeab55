// Lazy rows: computes arrays on request, or all of them before another statement.
#include "lazy_rows.hpp"

#include <cerrno>
#include <optional>
#include <utility>

#include "gil_release.hpp"
#include "session.hpp"

namespace scaup::python {

LazyRows::LazyRows(std::shared_ptr<Session> session, StreamingResult rows, const ArrowOptions& options)
    : type_(new ArrowSchema()), session_(std::move(session)), query_(new ArrowArrayStream()) {
  std::move(rows).ExportArrow(query_.get(), options);
  if (query_->get_schema(query_.get(), type_.get()) == 0) return;
  const char* text = query_->get_last_error(query_.get());
  throw Error(ErrorKind::kInternal, "XX000", text != nullptr ? text : "the type of the rows is not known");
}

bool LazyRows::Compute(ArrowArray* out) {
  *out = {};
  if (session_ == nullptr) return error_.empty();
  if (query_->get_next(query_.get(), out) != 0) {
    const char* text = query_->get_last_error(query_.get());
    error_ = text != nullptr ? text : "the query failed";
  }
  // At the end, or after an error, the session need not live for these rows any longer.
  if (out->release == nullptr) session_.reset();
  return error_.empty();
}

bool LazyRows::Next(ArrowArray* out, std::string& error) {
  const std::lock_guard lock(mutex_);
  if (!computed_.empty()) {
    *out = *computed_.front();
    computed_.front()->release = nullptr;
    computed_.pop_front();
    return true;
  }
  if (Compute(out)) return true;
  error = error_;
  return false;
}

void LazyRows::ComputeRest() {
  const std::lock_guard lock(mutex_);
  while (session_ != nullptr) {
    std::unique_ptr<ArrowArray, ArrowReleaser> array(new ArrowArray());
    if (!Compute(array.get())) return;
    if (array->release != nullptr) computed_.push_back(std::move(array));
  }
}

struct LazyRows::Reader {
  std::shared_ptr<LazyRows> rows;
  std::string error;

  static Reader& Of(ArrowArrayStream* stream) { return *static_cast<Reader*>(stream->private_data); }
};

OwnedStream LazyRows::MakeStream(std::shared_ptr<LazyRows> rows) {
  OwnedStream stream(new ArrowArrayStream());
  stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    *out = std::exchange(*Reader::Of(self).rows->type_, ArrowSchema());
    if (out->release != nullptr) return 0;
    Reader::Of(self).error = "the type of these rows can be asked for once";
    return EINVAL;
  };
  stream->get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    Reader& reader = Reader::Of(self);
    return reader.rows->Next(out, reader.error) ? 0 : EIO;
  };
  stream->get_last_error = [](ArrowArrayStream* self) { return Reader::Of(self).error.c_str(); };
  stream->release = [](ArrowArrayStream* self) {
    // The end of a query waits for other statements of the session, which may wait for the GIL.
    std::optional<GilRelease> release;
    if (PyGILState_Check() != 0) release.emplace();
    delete &Reader::Of(self);
    self->release = nullptr;
  };
  stream->private_data = new Reader{std::move(rows), {}};
  return stream;
}

void LazyRowsOfSession::Add(const std::shared_ptr<LazyRows>& rows) {
  const std::lock_guard lock(mutex_);
  open_.push_back(rows);
}

void LazyRowsOfSession::ComputeAll() {
  // The list is taken under the mutex, but computed without it: computing may take long, and run Python code.
  std::vector<std::weak_ptr<LazyRows>> open;
  {
    const std::lock_guard lock(mutex_);
    open.swap(open_);
  }
  for (const std::weak_ptr<LazyRows>& each : open) {
    if (const std::shared_ptr<LazyRows> rows = each.lock()) rows->ComputeRest();
  }
}

}  // namespace scaup::python
