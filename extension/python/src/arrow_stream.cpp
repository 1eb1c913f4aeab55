// The Arrow PyCapsule interface: capsules, and results as streams.
#include "arrow_stream.hpp"

#include <cstring>
#include <memory>
#include <string_view>

#include "errors.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

template <typename T>
py::capsule MakeCapsule(std::unique_ptr<T, ArrowReleaser> owned, const char* name) {
  PyObject* capsule = PyCapsule_New(owned.get(), name, [](PyObject* self) {
    auto* pointer = static_cast<T*>(PyCapsule_GetPointer(self, PyCapsule_GetName(self)));
    if (pointer != nullptr) ArrowReleaser()(pointer);
  });
  if (capsule == nullptr) throw py::error_already_set();
  owned.release();
  return py::reinterpret_steal<py::capsule>(capsule);
}

bool AsksForViews(py::handle requested) {
  if (requested.is_none()) return false;
  const auto* schema = static_cast<const ArrowSchema*>(PyCapsule_GetPointer(requested.ptr(), kSchemaName));
  if (schema == nullptr) throw py::error_already_set();
  for (int64_t i = 0; i < schema->n_children; i++) {
    const std::string_view format = schema->children[i]->format;
    if (format == "vu" || format == "vz") return true;
  }
  return false;
}

}  // namespace

py::capsule MakeStreamCapsule(OwnedStream stream) { return MakeCapsule(std::move(stream), kStreamName); }

py::capsule MakeSchemaCapsule(OwnedSchema schema) { return MakeCapsule(std::move(schema), kSchemaName); }

py::capsule MakeArrayCapsule(OwnedArray array) { return MakeCapsule(std::move(array), kArrayName); }

py::capsule MakeSchemaCapsule(ArrowArrayStream* stream) {
  OwnedSchema schema(new ArrowSchema());
  if (stream->get_schema(stream, schema.get()) != 0) {
    const char* text = stream->get_last_error(stream);
    RaiseDataError(text != nullptr ? text : "the schema of a stream cannot be made");
  }
  return MakeSchemaCapsule(std::move(schema));
}

py::capsule ArrowExport::Stream(py::handle requested) const {
  ArrowOptions options = options_;
  options.string_views = options.string_views || AsksForViews(requested);
  OwnedStream stream(new ArrowArrayStream());
  rows_.ExportArrow(stream.get(), options);
  return MakeStreamCapsule(std::move(stream));
}

py::capsule ArrowExport::Schema() const {
  OwnedStream stream(new ArrowArrayStream());
  rows_.ExportArrow(stream.get(), options_);
  return MakeSchemaCapsule(stream.get());
}

void BindArrow(py::module_& module) {
  py::class_<ArrowExport>(module, "ArrowExport",
                          "Rows that other packages read by the Arrow PyCapsule interface.")
      .def("__arrow_c_stream__", &ArrowExport::Stream, py::arg("requested_schema") = py::none())
      .def("__arrow_c_schema__", &ArrowExport::Schema);
}

}  // namespace scaup::python
