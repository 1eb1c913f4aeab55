// Streams of Arrow arrays from Python, opened and read by threads of the engine.
#include "python_tables.hpp"

#include <cerrno>
#include <string>
#include <utility>

#include "errors.hpp"
#include "parameters.hpp"
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
    return type;  // Its __str__ raises.
  }
}

// Moves what a capsule has into `out`.
template <typename T>
void Take(py::handle capsule, const char* name, T* out) {
  auto* given = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (given == nullptr) throw py::error_already_set();
  *out = *given;
  given->release = nullptr;
}

// A stream whose arrays are made by Python.
class ReaderStream {
 public:
  /// A stream that owns itself.
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

  py::object reader_;  // As all of it, touched with the GIL only.
  std::shared_ptr<SourceContext> context_;
  std::string error_;
};

// A stream that was opened before a statement reads it: relations take their tables when they are made.
class HeldStream {
 public:
  explicit HeldStream(py::handle object) : stream_(OpenStream(object)) {}

  /// The stream itself, once.
  py::capsule Stream(py::handle) {
    if (stream_ == nullptr) RaiseProgrammingError("this stream was read, which can be done once");
    return MakeStreamCapsule(std::move(stream_));
  }
  /// The type of its rows.
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

ArrowFactory MakeFactory(py::object open, std::shared_ptr<SourceContext> context) {
  // Statements drop it without the GIL.
  const auto shared = std::shared_ptr<py::object>(new py::object(std::move(open)), [](py::object* object) {
    const py::gil_scoped_acquire gil;
    delete object;
  });
  return [shared, context = std::move(context)](std::span<const std::string> columns, ArrowArrayStream* out) {
    const py::gil_scoped_acquire gil;
    const ReadingSource reading(context);
    try {
      py::tuple names(columns.size());
      for (size_t i = 0; i < columns.size(); i++) names[i] = columns[i];
      OwnedStream stream = OpenStream((*shared)(names));
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
