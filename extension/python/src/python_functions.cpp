// Python functions: calls from threads of the engine, and what they return.
#include "python_functions.hpp"

#include <pybind11/numpy.h>

#include <string>
#include <utility>

#include "result.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

/// Shares ownership of an object with threads that do not hold the GIL.
std::shared_ptr<py::object> Share(py::object object) {
  return {new py::object(std::move(object)), [](py::object* shared) {
            const py::gil_scoped_acquire gil;
            delete shared;
          }};
}

LogicalType TypeOf(const py::dtype& type) {
  switch (type.kind()) {
    case 'b': return TypeId::kBoolean;
    case 'f': return type.itemsize() == 4 ? TypeId::kReal : TypeId::kDouble;
    default: break;
  }
  switch (type.itemsize()) {
    case 1: return TypeId::kTinyInt;
    case 2: return TypeId::kSmallInt;
    case 4: return TypeId::kInteger;
    default: return TypeId::kBigInt;
  }
}

/// An array and its mask, as long as the engine reads them.
struct HeldArray {
  std::shared_ptr<py::object> array;
  std::shared_ptr<py::object> mask;
};

void SetArray(const py::array& array, const py::object& mask, FunctionOutput& output) {
  const auto held = std::make_shared<HeldArray>();
  held->array = Share(array);
  ColumnView column;
  column.type = TypeOf(array.dtype());
  column.row_count = static_cast<size_t>(array.size());
  column.value_bytes = static_cast<size_t>(array.itemsize());
  column.data = array.data();
  if (!mask.is_none()) {
    held->mask = Share(mask);
    column.nulls = static_cast<const uint8_t*>(mask.cast<py::array>().data());
  }
  column.owner = held;
  output.SetColumn(std::move(column));
}

void SetArrow(const py::object& made, FunctionOutput& output) {
  const py::tuple capsules = made.attr("__arrow_c_array__")();
  auto* const schema =
      static_cast<ArrowSchema*>(PyCapsule_GetPointer(py::object(capsules[0]).ptr(), kSchemaName));
  auto* const array =
      static_cast<ArrowArray*>(PyCapsule_GetPointer(py::object(capsules[1]).ptr(), kArrayName));
  if (schema == nullptr || array == nullptr) throw py::error_already_set();
  output.SetArrow(schema, array);
}

void SetResult(const py::object& made, FunctionOutput& output) {
  if (made.is_none()) {
    for (size_t row = 0; row < output.row_count(); row++) output.SetNull(row);
  } else if (py::isinstance<py::tuple>(made)) {
    const auto pair = py::reinterpret_borrow<py::tuple>(made);
    SetArray(pair[0].cast<py::array>(), pair[1], output);
  } else {
    SetArrow(made, output);
  }
}

[[noreturn]] void ThrowError(const py::error_already_set& error, const py::object& call,
                             SourceContext& context) {
  if (error.matches(py::module_::import("scaup._functions").attr("Interrupted")))
    throw Error(ErrorKind::kInterrupted, "57014", "the statement was interrupted");
  context.Note(error);
  std::string message;
  try {
    if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    message = py::str(call.attr("message")(error.value()));
  } catch (const py::error_already_set&) {
    message = py::str(error.type().attr("__name__"));  // The exception's own __str__ raises.
  }
  throw Error(ErrorKind::kIo, "38000", message);
}

}  // namespace

std::function<void(const QueryResult&, FunctionOutput&)> MakeBody(py::object call,
                                                                  std::shared_ptr<SourceContext> context) {
  return [shared = Share(std::move(call)), context = std::move(context)](const QueryResult& arguments,
                                                                         FunctionOutput& output) {
    const py::gil_scoped_acquire gil;
    const ReadingSource reading(context);
    const RunningBody running(*context);
    try {
      SetResult((*shared)(py::cast(std::make_unique<Result>(arguments)), arguments.row_count()), output);
    } catch (const py::error_already_set& error) {
      ThrowError(error, *shared, *context);
    }
  };
}

}  // namespace scaup::python
