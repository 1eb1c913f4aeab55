// Result: fetches rows and columns.
#include "result.hpp"

#include <algorithm>

#include "column_array.hpp"
#include "column_objects.hpp"
#include "errors.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

constexpr size_t kMostTextCharacters = 40;

// Pads a text to a width that counts characters rather than bytes.
std::string Pad(const std::string& text, size_t width) {
  const auto characters = static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
  return text + std::string(width > characters ? width - characters : 0, ' ');
}

}  // namespace

py::list Result::FetchRows(size_t count) {
  count = std::min(count, result_.row_count() - position_);
  const size_t column_count = result_.column_count();
  readers_.reserve(column_count);
  for (size_t i = readers_.size(); i < column_count; ++i) readers_.emplace_back(result_, i);
  py::list rows(count);
  for (size_t n = 0; n < count; ++n) {
    py::tuple row(readers_.size());
    for (size_t i = 0; i < readers_.size(); ++i) {
      PyTuple_SET_ITEM(row.ptr(), static_cast<Py_ssize_t>(i), readers_[i].Get(position_ + n));
    }
    PyList_SET_ITEM(rows.ptr(), static_cast<Py_ssize_t>(n), row.release().ptr());
  }
  position_ += count;
  return rows;
}

py::object Result::FetchOne() {
  if (position_ >= result_.row_count()) return py::none();
  return FetchRows(1)[0];
}

py::list Result::FetchMany(size_t count) { return FetchRows(count); }
py::list Result::FetchAll() { return FetchRows(result_.row_count()); }

py::object Result::ColumnArray(size_t column) const {
  CheckColumn(column);
  // pybind11 would import NumPy with the GIL released for a moment, which a daemon thread does not survive at
  // the interpreter's end (gil_release.hpp). So it is imported here before.
  py::module_::import("numpy");
  return MakeColumnArray(result_, column);
}

py::object Result::ColumnOfObjects(size_t column) const {
  CheckColumn(column);
  py::module_::import("numpy");
  return MakeObjectArray(result_, column);
}

py::object Result::ColumnOfStrings(size_t column, const py::object& dtype) const {
  CheckColumn(column);
  return MakeStringArray(result_, column, dtype);
}

py::object Result::ColumnOfSpans(size_t column) const {
  CheckColumn(column);
  py::module_::import("numpy");
  return MakeTimeDeltaArray(result_, column);
}

py::tuple Result::ColumnCodes(size_t column) const {
  CheckColumn(column);
  py::module_::import("numpy");
  const LogicalType& type = result_.columns()[column].type;
  py::list labels(type.label_count());
  for (size_t i = 0; i < type.label_count(); ++i) labels[i] = type.label(i);
  return py::make_tuple(MakeCodeArray(result_, column), labels);
}

const char* Result::ColumnKind(size_t column) const {
  CheckColumn(column);
  switch (result_.columns()[column].type.id()) {
    case TypeId::kVarchar:
    case TypeId::kBit:
    case TypeId::kJson:
    case TypeId::kJsonb: return "text";
    case TypeId::kEnum: return "enum";
    case TypeId::kUuid: return "uuid";
    case TypeId::kDate: return "date";
    case TypeId::kTimestampTz: return "moment";
    case TypeId::kInterval: return "interval";
    default: return "";
  }
}

py::object Result::TimeZone() const { return FindTimeZone(result_.time_zone()); }

py::list Result::ColumnNames() const {
  py::list names;
  for (const ResultColumn& column : result_.columns()) names.append(column.name);
  return names;
}

py::list Result::ColumnTypes() const {
  py::list types;
  for (const ResultColumn& column : result_.columns()) types.append(TypeName(column.type));
  return types;
}

py::object Result::Description() const {
  if (!result_.has_rows()) return py::none();
  py::list description;
  for (const ResultColumn& column : result_.columns()) {
    const bool decimal = column.type.id() == TypeId::kDecimal;
    const py::object none = py::none();
    description.append(py::make_tuple(column.name, decimal ? py::str("DECIMAL") : TypeName(column.type), none,
                                      none, decimal ? py::object(py::int_(column.type.width())) : none,
                                      decimal ? py::object(py::int_(column.type.scale())) : none, none));
  }
  return description;
}

void Result::CheckColumn(size_t column) const {
  if (column >= result_.column_count()) throw py::index_error("there is no such column");
}

uintptr_t Result::ColumnPointer(size_t column) const {
  CheckColumn(column);
  return reinterpret_cast<uintptr_t>(result_.Column(column).data);
}

uintptr_t Result::MaskPointer(size_t column) const {
  CheckColumn(column);
  return reinterpret_cast<uintptr_t>(result_.Column(column).nulls);
}

std::string Result::ToText(size_t max_rows) const {
  const size_t shown = std::min(max_rows, result_.row_count());
  std::vector<std::vector<std::string>> lines(shown + 2);
  std::vector<size_t> widths;
  for (size_t i = 0; i < result_.column_count(); ++i) {
    lines[0].push_back(result_.columns()[i].name);
    lines[1].push_back(result_.columns()[i].type.ToString());
    for (size_t row = 0; row < shown; ++row) {
      std::string text = result_.GetValue(i, row).ToString();
      std::replace(text.begin(), text.end(), '\n', ' ');
      size_t end = 0;
      size_t characters = 0;
      while (end < text.size() && characters <= kMostTextCharacters) {
        ++end;
        if (end == text.size() || (static_cast<unsigned char>(text[end]) & 0xC0) != 0x80) ++characters;
      }
      if (end < text.size()) text = text.substr(0, end) + "…";
      lines[row + 2].push_back(text);
    }
    size_t width = 0;
    for (const auto& line : lines) {
      const std::string& text = line[i];
      width = std::max<size_t>(width, static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
                                 return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
                               })));
    }
    widths.push_back(width);
  }
  std::string text;
  for (size_t n = 0; n < lines.size(); ++n) {
    for (size_t i = 0; i < widths.size(); ++i) text += (i > 0 ? " | " : " ") + Pad(lines[n][i], widths[i]);
    text += "\n";
    if (n != 1) continue;
    for (size_t i = 0; i < widths.size(); ++i) text += (i > 0 ? "+" : "") + std::string(widths[i] + 2, '-');
    text += "\n";
  }
  text += "(" + std::to_string(result_.row_count()) + (result_.row_count() == 1 ? " row" : " rows");
  if (shown < result_.row_count()) text += ", " + std::to_string(shown) + " shown";
  return text + ")";
}

}  // namespace scaup::python
