// Streams of Arrow arrays from Python, opened by threads of the engine.
#include "python_tables.hpp"

#include <string>

#include "errors.hpp"

namespace py = pybind11;

namespace scaup::python {

void StreamReleaser::operator()(ArrowArrayStream* stream) const {
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

OwnedStream OpenStream(py::handle object) {
  const py::object capsule = object.attr("__arrow_c_stream__")();
  auto* given = static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream"));
  if (given == nullptr) throw py::error_already_set();
  OwnedStream stream(new ArrowArrayStream(*given));
  given->release = nullptr;  // It is ours now.
  return stream;
}

void ThrowPythonError(py::error_already_set& error) {
  throw Error(ErrorKind::kIo, "38000",
              "an object of Python cannot be read as a table: " + std::string(error.what()));
}

ArrowFactory MakeFactory(py::object open) {
  // Statements drop it without the GIL.
  const auto shared = std::shared_ptr<py::object>(new py::object(std::move(open)), [](py::object* object) {
    const py::gil_scoped_acquire gil;
    delete object;
  });
  return [shared](std::span<const std::string> columns, ArrowArrayStream* out) {
    const py::gil_scoped_acquire gil;
    try {
      py::tuple names(columns.size());
      for (size_t i = 0; i < columns.size(); i++) names[i] = columns[i];
      OwnedStream stream = OpenStream((*shared)(names));
      *out = *stream;
      stream->release = nullptr;
    } catch (py::error_already_set& error) {
      ThrowPythonError(error);
    }
  };
}

}  // namespace scaup::python
