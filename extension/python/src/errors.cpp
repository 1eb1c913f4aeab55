// Errors: makes the exception classes and their instances.
#include "errors.hpp"

#include <algorithm>
#include <string>

namespace py = pybind11;

namespace scaup::python {

namespace {

// The exception classes, which are borrowed from the module. They are created once and never freed.
struct ExceptionTypes {
  PyObject* warning = nullptr;
  PyObject* error = nullptr;
  PyObject* interface_error = nullptr;
  PyObject* database_error = nullptr;
  PyObject* data_error = nullptr;
  PyObject* operational_error = nullptr;
  PyObject* integrity_error = nullptr;
  PyObject* internal_error = nullptr;
  PyObject* programming_error = nullptr;
  PyObject* not_supported_error = nullptr;
};
ExceptionTypes exception_types;

PyObject* MakeException(py::module_& module, const char* name, PyObject* base, const char* description) {
  const std::string qualified = std::string("scaup.") + name;
  PyObject* type = PyErr_NewExceptionWithDoc(qualified.c_str(), description, base, nullptr);
  if (type == nullptr) throw py::error_already_set();
  module.add_object(name, type);
  return type;
}

PyObject* TypeFor(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kSyntax:
    case ErrorKind::kBinder:
    case ErrorKind::kCatalog:
    case ErrorKind::kUsage: return exception_types.programming_error;
    case ErrorKind::kConversion:
    case ErrorKind::kOutOfRange: return exception_types.data_error;
    case ErrorKind::kConstraint: return exception_types.integrity_error;
    case ErrorKind::kTransaction:
    case ErrorKind::kIo:
    case ErrorKind::kOutOfMemory:
    case ErrorKind::kInterrupted: return exception_types.operational_error;
    case ErrorKind::kNotSupported: return exception_types.not_supported_error;
    case ErrorKind::kInternal: return exception_types.internal_error;
  }
  return exception_types.internal_error;
}

size_t CountCharacters(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

// Returns "LINE 1: SELECT x" with a caret below; empty for very long lines, which a caret does not make
// readable.
std::string ExcerptOf(std::string_view sql, size_t position) {
  const size_t previous = position == 0 ? std::string_view::npos : sql.rfind('\n', position - 1);
  const size_t begin = previous == std::string_view::npos ? 0 : previous + 1;
  const size_t end = std::min(sql.find('\n', position), sql.size());
  if (end - begin > 400) return {};
  const auto line = std::count(sql.begin(), sql.begin() + static_cast<std::ptrdiff_t>(begin), '\n') + 1;
  const std::string label = "LINE " + std::to_string(line) + ": ";
  const size_t column = label.size() + CountCharacters(sql.substr(begin, position - begin));
  return "\n" + label + std::string(sql.substr(begin, end - begin)) + "\n" + std::string(column, ' ') + "^";
}

[[noreturn]] void Raise(PyObject* type, const std::string& text, const std::string& message,
                        const char* sqlstate, const char* kind, py::object position) {
  py::object exception = py::reinterpret_borrow<py::object>(type)(py::reinterpret_steal<py::str>(
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace")));
  exception.attr("message") = message;
  exception.attr("sqlstate") = sqlstate;
  exception.attr("kind") = kind;
  exception.attr("position") = position;
  PyErr_SetObject(type, exception.ptr());
  throw py::error_already_set();
}

}  // namespace

void RegisterErrors(py::module_& module) {
  ExceptionTypes& types = exception_types;
  types.warning = MakeException(module, "Warning", PyExc_Exception, "Never raised; DB-API asks for it.");
  types.error = MakeException(module, "Error", PyExc_Exception, "Base of all errors of Scaup.");
  types.interface_error = MakeException(module, "InterfaceError", types.error,
                                        "The connection is closed, or there is no result.");
  types.database_error = MakeException(module, "DatabaseError", types.error, "Base of errors of statements.");
  PyObject* base = types.database_error;
  types.data_error = MakeException(module, "DataError", base, "A value does not fit.");
  types.operational_error =
      MakeException(module, "OperationalError", base, "Files, memory, transactions, interrupts.");
  types.integrity_error = MakeException(module, "IntegrityError", base, "A constraint refused a row.");
  types.internal_error = MakeException(module, "InternalError", base, "A bug inside Scaup.");
  types.programming_error =
      MakeException(module, "ProgrammingError", base, "Wrong SQL, names or parameters.");
  types.not_supported_error = MakeException(module, "NotSupportedError", base, "Scaup does not do this.");
  // Exceptions that Python code makes have these attributes, too.
  for (const char* attribute : {"message", "sqlstate", "kind", "position"}) {
    py::setattr(types.error, attribute, py::none());
  }
  py::register_local_exception_translator([](std::exception_ptr pointer) {
    try {
      if (pointer) std::rethrow_exception(pointer);
    } catch (const Error& error) {
      try {
        RaiseError(error, {});
      } catch (py::error_already_set& raised) {
        raised.restore();
      }
    }
  });
}

void RaiseError(const Error& error, std::string_view sql) {
  std::string text = error.message();
  py::object position = py::none();
  if (error.position() && *error.position() <= sql.size() && !sql.empty()) {
    position = py::int_(CountCharacters(sql.substr(0, *error.position())));
    text += ExcerptOf(sql, *error.position());
  }
  Raise(TypeFor(error.kind()), text, error.message(), error.sqlstate(), ErrorKindName(error.kind()),
        position);
}

void RaiseProgrammingError(const std::string& message) {
  Raise(exception_types.programming_error, message, message, "07001", "usage", py::none());
}
void RaiseInterfaceError(const std::string& message, const char* sqlstate) {
  Raise(exception_types.interface_error, message, message, sqlstate, "usage", py::none());
}
void RaiseDataError(const std::string& message) {
  Raise(exception_types.data_error, message, message, "22003", "out of range", py::none());
}
void RaiseInUse(const std::string& message) {
  Raise(exception_types.operational_error, message, message, "55006", "usage", py::none());
}
void RaiseNotSupportedError(const std::string& message) {
  Raise(exception_types.not_supported_error, message, message, "0A000", "not supported", py::none());
}

}  // namespace scaup::python
