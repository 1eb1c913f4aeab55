// JSON text of Python objects. The most frequent types are tested first.
#include "json_text.hpp"

#include <cmath>
#include <memory>
#include <string_view>

#include "dict_items.hpp"
#include "errors.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

// The maximum depth of documents in the engine.
constexpr size_t kMaxDepth = 1000;

std::string_view Utf8(py::handle object) {
  Py_ssize_t length = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(object.ptr(), &length);
  if (bytes == nullptr) {
    PyErr_Clear();
    RaiseDataError("the str holds surrogates and is no Unicode text");
  }
  return {bytes, static_cast<size_t>(length)};
}

void AppendString(std::string_view value, std::string& text) {
  text += '"';
  size_t kept = 0;
  for (size_t i = 0; i < value.size(); i++) {
    const auto c = static_cast<unsigned char>(value[i]);
    if (c >= 0x20 && c != '"' && c != '\\') continue;
    text += value.substr(kept, i - kept);
    kept = i + 1;
    if (c >= 0x20) {
      text += '\\';
      text += static_cast<char>(c);
    } else {
      constexpr char kDigits[] = "0123456789abcdef";
      text += "\\u00";
      text += kDigits[c >> 4];
      text += kDigits[c & 15];
    }
  }
  text += value.substr(kept);
  text += '"';
}

void AppendInteger(PyObject* value, std::string& text) {
  int overflow = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
  if (overflow == 0) {
    text += std::to_string(number);
    return;
  }
  // The repr of int itself is called, since a subclass may have another one.
  text += Utf8(py::reinterpret_steal<py::object>(PyLong_Type.tp_repr(value)));
}

void AppendFloat(double value, std::string& text) {
  if (!std::isfinite(value)) RaiseDataError("JSON has no nan and no infinity; pass None or a str");
  const std::unique_ptr<char, void (*)(void*)> digits(
      PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr), PyMem_Free);
  text += digits.get();
}

void AppendAny(py::handle value, size_t depth, std::string& text);

void AppendSequence(py::handle values, size_t depth, std::string& text) {
  text += '[';
  // The elements are fetched one by one, because converting one may run Python code that changes the list.
  for (Py_ssize_t i = 0; i < PySequence_Size(values.ptr()); i++) {
    if (i != 0) text += ',';
    AppendAny(py::reinterpret_steal<py::object>(PySequence_GetItem(values.ptr(), i)), depth + 1, text);
  }
  text += ']';
}

void AppendDict(py::handle values, size_t depth, std::string& text) {
  text += '{';
  bool is_first = true;
  ForEachItem(values, [&](const py::object& key, const py::object& value) {
    if (!PyUnicode_Check(key.ptr()))
      RaiseDataError("a key of a document must be str, not " + std::string(Py_TYPE(key.ptr())->tp_name));
    if (!is_first) text += ',';
    is_first = false;
    AppendString(Utf8(key), text);
    text += ':';
    AppendAny(value, depth + 1, text);
  });
  text += '}';
}

void AppendRareType(py::handle value, size_t depth, std::string& text) {
  const auto is = [&](const char* module, const char* name) {
    return py::isinstance(value, py::module_::import(module).attr(name));
  };
  if (is("decimal", "Decimal")) {
    if (!value.attr("is_finite")().cast<bool>())
      RaiseDataError("JSON has no nan and no infinity; pass None or a str");
    text += Utf8(py::str(value));
  } else if (is("datetime", "date") || is("datetime", "time")) {
    const py::object same =
        py::reinterpret_steal<py::object>(PyObject_RichCompare(value.ptr(), value.ptr(), Py_EQ));
    if (same.ptr() == Py_False) {
      text += "null";  // pandas.NaT is the only datetime that does not equal itself.
    } else {
      AppendString(Utf8(py::str(value.attr("isoformat")())), text);
    }
  } else if (is("uuid", "UUID")) {
    AppendString(Utf8(py::str(value)), text);
  } else if (is("numpy", "generic")) {
    const py::object item = value.attr("item")();
    if (is("numpy", "longdouble") || py::isinstance(item, py::module_::import("numpy").attr("generic")))
      return AppendFloat(value.attr("__float__")().cast<double>(), text);
    AppendAny(item, depth + 1, text);
  } else if (is("numpy", "ndarray")) {
    AppendAny(value.attr("tolist")(), depth + 1, text);
  } else if (std::string_view(Py_TYPE(value.ptr())->tp_name).ends_with("NAType")) {
    text += "null";
  } else {
    RaiseNotSupportedError("a value of type " + std::string(Py_TYPE(value.ptr())->tp_name) +
                           " has no JSON: pass a str or a number");
  }
}

void AppendAny(py::handle value, size_t depth, std::string& text) {
  if (depth > kMaxDepth) RaiseDataError("the value is nested more than 1000 deep");
  PyObject* raw = value.ptr();
  if (raw == nullptr) throw py::error_already_set();
  if (raw == Py_None) {
    text += "null";
  } else if (PyUnicode_Check(raw)) {
    AppendString(Utf8(value), text);
  } else if (PyBool_Check(raw)) {
    text += raw == Py_True ? "true" : "false";
  } else if (PyLong_Check(raw)) {
    AppendInteger(raw, text);
  } else if (PyFloat_Check(raw)) {
    AppendFloat(PyFloat_AS_DOUBLE(raw), text);
  } else if (PyDict_Check(raw)) {
    AppendDict(value, depth, text);
  } else if (PyList_Check(raw) || PyTuple_Check(raw)) {
    AppendSequence(value, depth, text);
  } else {
    AppendRareType(value, depth, text);
  }
}

}  // namespace

void AppendJson(py::handle value, std::string& text) { AppendAny(value, 0, text); }

}  // namespace scaup::python
