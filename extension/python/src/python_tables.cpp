// Python tables: streams of Arrow arrays from Python, which threads of the engine open and read.
#include "python_tables.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "errors.hpp"
#include "parameters.hpp"
#include "scaup/calling_statement.hpp"
#include "text_array.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

thread_local const ReadingSource* innermost = nullptr;

std::string TextOf(const py::error_already_set& error) {
  const std::string type = py::str(error.type().attr("__name__"));
  try {
    const std::string text = py::str(error.value());
    return text.empty() ? type : type + ": " + text;
  } catch (py::error_already_set&) {
    return type;  // The exception's own __str__ raises.
  }
}

// Moves the structure in a capsule to `out`.
template <typename T>
void Take(py::handle capsule, const char* name, T* out) {
  auto* given = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (given == nullptr) throw py::error_already_set();
  *out = *given;
  given->release = nullptr;
}

// A stream whose arrays are made by Python code.
class ReaderStream {
 public:
  /// Returns a stream that owns its ReaderStream.
  static OwnedStream Make(py::object reader, std::shared_ptr<SourceContext> context) {
    OwnedStream stream(new ArrowArrayStream());
    stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
      return Of(self).Do([&](ReaderStream& each) {
        Take(each.reader_.attr("schema").attr("__arrow_c_schema__")(), kSchemaName, out);
      });
    };
    stream->get_next = [](ArrowArrayStream* self, ArrowArray* out) {
      return Of(self).Do([&](ReaderStream& each) { each.Next(out); });
    };
    stream->get_last_error = [](ArrowArrayStream* self) { return Of(self).error_.c_str(); };
    stream->release = [](ArrowArrayStream* self) {
      const py::gil_scoped_acquire gil;
      delete &Of(self);
      self->release = nullptr;
    };
    stream->private_data = new ReaderStream(std::move(reader), std::move(context));
    return stream;
  }

 private:
  ReaderStream(py::object reader, std::shared_ptr<SourceContext> context)
      : reader_(std::move(reader)), context_(std::move(context)) {}

  static ReaderStream& Of(ArrowArrayStream* stream) {
    return *static_cast<ReaderStream*>(stream->private_data);
  }

  template <typename F>
  int Do(F&& work) {
    const py::gil_scoped_acquire gil;
    const ReadingSource reading(context_);
    try {
      work(*this);
      return 0;
    } catch (const py::error_already_set& error) {
      error_ = TextOf(error);
      context_->Note(error);
    } catch (const std::exception& error) {
      error_ = error.what();
    }
    return EIO;
  }

  void Next(ArrowArray* out) {
    *out = {};
    try {
      const py::object batch = reader_.attr("read_next_batch")();
      const py::tuple capsules = batch.attr("__arrow_c_array__")();
      Take(capsules[1], kArrayName, out);
    } catch (py::error_already_set& error) {
      if (!error.matches(PyExc_StopIteration)) throw;
    }
  }

  py::object reader_;  // guarded by the GIL, as are the others
  std::shared_ptr<SourceContext> context_;
  std::string error_;
};

// A stream that is opened before a statement reads it, because relations open their tables when they are
// made.
class HeldStream {
 public:
  explicit HeldStream(py::handle object) : stream_(OpenStream(object)) {}

  /// Returns the stream itself, the first time.
  py::capsule Stream(py::handle) {
    if (stream_ == nullptr) RaiseProgrammingError("this stream was read, which can be done once");
    return MakeStreamCapsule(std::move(stream_));
  }
  /// Returns the type of the rows.
  py::capsule Schema() {
    if (stream_ == nullptr) RaiseProgrammingError("this stream was read, which can be done once");
    return MakeSchemaCapsule(stream_.get());
  }

 private:
  OwnedStream stream_;
};

}  // namespace

SourceContext::~SourceContext() {
  if (!failure_) return;
  const py::gil_scoped_acquire gil;
  failure_ = py::object();
}

void SourceContext::Note(const py::error_already_set& error) { failure_ = error.value(); }

namespace {

/// The time after which an import is ended in the middle, lest a module that never ends could not be.
constexpr std::chrono::seconds kLongestImport{30};

/// Returns whether a frame is of Python's import machinery.
bool IsOfImport(const py::object& frame) {
  const std::string file = py::str(frame.attr("f_code").attr("co_filename"));
  return file.rfind("<frozen importlib", 0) == 0;
}

}  // namespace

// Looks at the frames of the thread from its outermost body on: what called the statement does not count.
bool SourceContext::IsImporting(unsigned long thread) const {
  const auto outermost =
      std::find_if(bodies_.begin(), bodies_.end(), [&](const Body& body) { return body.thread == thread; });
  if (outermost == bodies_.end()) return false;
  const py::dict frames = py::module_::import("sys").attr("_current_frames")();
  const py::int_ key(thread);
  if (!frames.contains(key)) return false;
  py::object frame = frames[key];
  while (!frame.is_none() && !frame.is(outermost->frame)) {
    if (IsOfImport(frame)) return true;
    frame = frame.attr("f_back");
  }
  return false;
}

bool SourceContext::RaiseDelayed() {
  const py::object interrupted = py::module_::import("scaup._functions").attr("Interrupted");
  const bool is_late = std::chrono::steady_clock::now() - delayed_since_ > kLongestImport;
  for (auto thread = delayed_threads_.begin(); thread != delayed_threads_.end();) {
    if (!is_late && IsImporting(*thread)) {
      ++thread;
      continue;
    }
    PyThreadState_SetAsyncExc(*thread, interrupted.ptr());
    interrupted_threads_.insert(*thread);
    thread = delayed_threads_.erase(thread);
  }
  return !delayed_threads_.empty();
}

void SourceContext::InterruptBodies() {
  if (bodies_.empty()) return;
  if (delayed_threads_.empty()) delayed_since_ = std::chrono::steady_clock::now();
  for (const Body& body : bodies_) delayed_threads_.insert(body.thread);
  if (RaiseDelayed()) Repeat(&SourceContext::RaiseDelayed, &SourceContext::is_repeating_);
}

bool SourceContext::InterruptLate() {
  const auto now = std::chrono::steady_clock::now();
  bool may_follow = false;
  for (Body& body : bodies_) {
    if (body.deadline_micros == 0) continue;
    if (now.time_since_epoch() < std::chrono::microseconds(body.deadline_micros)) {
      may_follow = true;
      continue;
    }
    // Once: a body that catches the exception, to clean up, is not interrupted there.
    body.deadline_micros = 0;
    if (delayed_threads_.empty()) delayed_since_ = now;
    delayed_threads_.insert(body.thread);
  }
  return RaiseDelayed() || may_follow;
}

void SourceContext::Repeat(bool (SourceContext::*again)(), bool SourceContext::*is_repeating) {
  if (std::exchange(this->*is_repeating, true)) return;
  py::cpp_function repeated([weak = weak_from_this(), again, is_repeating]() {
    const std::shared_ptr<SourceContext> context = weak.lock();
    if (!context) return false;
    return context.get()->*is_repeating = (context.get()->*again)();
  });
  py::module_::import("scaup._functions").attr("repeat")(std::move(repeated));
}

RunningBody::RunningBody(SourceContext& context) : context_(context) {
  auto* const frame = reinterpret_cast<PyObject*>(PyEval_GetFrame());
  context_.bodies_.push_back({PyThread_get_thread_ident(), py::reinterpret_borrow<py::object>(frame),
                              CallingStatement::DeadlineMicros()});
  if (context_.bodies_.back().deadline_micros == 0) return;
  try {
    context_.Repeat(&SourceContext::InterruptLate, &SourceContext::is_watching_);
  } catch (...) {
    context_.is_watching_ = false;  // Python starts no thread any more.
  }
}

RunningBody::~RunningBody() {
  const unsigned long thread = PyThread_get_thread_ident();
  const auto is_own = [&](const SourceContext::Body& body) { return body.thread == thread; };
  const auto innermost_body = std::find_if(context_.bodies_.rbegin(), context_.bodies_.rend(), is_own);
  context_.bodies_.erase(std::next(innermost_body).base());
  if (std::any_of(context_.bodies_.begin(), context_.bodies_.end(), is_own)) return;
  context_.delayed_threads_.erase(thread);
  if (context_.interrupted_threads_.erase(thread) == 0) return;
  // An interrupt that came too late for the body must not hit what this thread runs next: here it ends code
  // that does nothing. Taking it back would leave the interpreter with the mark that there is one, with
  // which it runs slower, and for ever in one place under a debugger.
  const py::error_scope scope;
  const py::dict globals;
  const auto ran =
      py::reinterpret_steal<py::object>(PyRun_String("None", Py_eval_input, globals.ptr(), globals.ptr()));
  if (!ran) PyErr_Clear();
}

ReadingSource::ReadingSource(std::shared_ptr<SourceContext> context)
    : context_(std::move(context)), outer_(innermost) {
  innermost = this;
}

ReadingSource::~ReadingSource() { innermost = outer_; }

bool ReadingSource::IsReading(const SourceContext& context) {
  const ReadingSource* each = innermost;
  while (each != nullptr && each->context_.get() != &context) each = each->outer_;
  return each != nullptr;
}

std::shared_ptr<SourceContext> ReadingSource::InnermostContext() {
  return innermost == nullptr ? nullptr : innermost->context_;
}

OwnedStream OpenStream(py::handle object) {
  if (IsInstance(object, "pyarrow", {"RecordBatchReader"}) || IsInstance(object, "scaup._inputs", {"NoRows"}))
    return ReaderStream::Make(py::reinterpret_borrow<py::object>(object), ReadingSource::InnermostContext());
  const py::object capsule = object.attr("__arrow_c_stream__")();
  OwnedStream stream(new ArrowArrayStream());
  Take(capsule, kStreamName, stream.get());
  return stream;
}

void ThrowPythonError(const py::error_already_set& error, SourceContext& context) {
  context.Note(error);
  throw Error(ErrorKind::kIo, "38000", "an object of Python cannot be read as a table: " + TextOf(error));
}

/// Returns the constant of a filter as a Python object. Returns nullopt if Python compares such values
/// differently than SQL, as with NaN, or with timestamps that Arrow stores in nanoseconds.
std::optional<py::object> ComparedValue(const ArrowFilter& filter) {
  switch (filter.value.type().id()) {
    case TypeId::kBoolean: return py::bool_(filter.value.GetBoolean());
    case TypeId::kTinyInt:
    case TypeId::kSmallInt:
    case TypeId::kInteger:
    case TypeId::kUTinyInt:
    case TypeId::kUSmallInt:
    case TypeId::kUInteger:
    case TypeId::kBigInt: return py::int_(static_cast<int64_t>(filter.value.GetInteger()));
    case TypeId::kUBigInt: return py::int_(static_cast<uint64_t>(filter.value.GetInteger()));
    case TypeId::kVarchar: return py::str(filter.value.GetString());
    case TypeId::kDate: {
      constexpr int64_t kOrdinalOf1970 = 719'163, kLastOrdinal = 3'652'059;
      const int64_t ordinal = static_cast<int64_t>(filter.value.GetInteger()) + kOrdinalOf1970;
      if (ordinal < 1 || ordinal > kLastOrdinal) return std::nullopt;
      return py::module_::import("datetime").attr("date").attr("fromordinal")(ordinal);
    }
    case TypeId::kReal:
    case TypeId::kDouble: {
      using Test = ArrowFilter::Test;
      const bool takes_nan = filter.test == Test::kGreater || filter.test == Test::kGreaterEqual;
      if (takes_nan || std::isnan(filter.value.GetDouble())) return std::nullopt;
      return py::float_(filter.value.GetDouble());
    }
    default: return std::nullopt;
  }
}

/// Returns (column, test, value) of each filter that Python can test. The engine tests all filters itself
/// anyway.
py::list FiltersOf(const std::vector<ArrowFilter>& filters) {
  constexpr const char* kTests[] = {"=", "<>", "<", "<=", ">", ">=", "is null", "is not null"};
  py::list list;
  for (const ArrowFilter& filter : filters) {
    const bool is_null_test =
        filter.test == ArrowFilter::Test::kIsNull || filter.test == ArrowFilter::Test::kIsNotNull;
    const std::optional<py::object> value = is_null_test ? py::none() : ComparedValue(filter);
    if (value) list.append(py::make_tuple(filter.column, kTests[static_cast<size_t>(filter.test)], *value));
  }
  return list;
}

ArrowFactory MakeFactory(py::object open, std::shared_ptr<SourceContext> context) {
  // Statements destroy the factory without the GIL, so the deleter acquires it.
  const auto shared = std::shared_ptr<py::object>(new py::object(std::move(open)), [](py::object* object) {
    const py::gil_scoped_acquire gil;
    delete object;
  });
  return [shared, context = std::move(context)](const ArrowRequest& request, ArrowArrayStream* out) {
    const py::gil_scoped_acquire gil;
    const ReadingSource reading(context);
    try {
      py::tuple names(request.columns.size());
      for (size_t i = 0; i < request.columns.size(); i++) names[i] = request.columns[i];
      const py::list filters = FiltersOf(request.filters);
      const bool takes_filters = !filters.empty() && py::hasattr(*shared, "takes_filters");
      OwnedStream stream = OpenStream(takes_filters ? (*shared)(names, filters) : (*shared)(names));
      *out = *stream;
      stream->release = nullptr;
    } catch (const py::error_already_set& error) {
      ThrowPythonError(error, *context);
    }
  };
}

void BindTables(py::module_& module) {
  py::class_<HeldStream>(module, "HeldStream", "The stream of an object, opened before it is read.")
      .def(py::init<py::handle>())
      .def("__arrow_c_stream__", &HeldStream::Stream, py::arg("requested_schema") = py::none())
      .def("__arrow_c_schema__", &HeldStream::Schema);
  BindTextArray(module);
}

}  // namespace scaup::python
