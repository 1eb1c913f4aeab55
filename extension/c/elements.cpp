// Elements of lists, and values of structs' fields.
#include "edge.hpp"
#include "handles.hpp"
#include "value.hpp"

using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::RequireOutput;
using scaup::c::ThrowUsage;

namespace {

/// Makes a handle of the elements of a list, struct, range or multirange.
scaup_elements* ElementsOf(const scaup::Value& value) {
  if (!scaup::IsPacked(value.type().id())) {
    throw scaup::Error(scaup::ErrorKind::kConversion, "42804",
                       "a value of type " + value.type().ToString() + " has no elements");
  }
  if (value.is_null()) ThrowUsage("22002", "the list or struct is NULL");
  return new scaup_elements{value.GetElements()};
}

const scaup::Value& ElementAt(const scaup_elements* elements, size_t index) {
  const auto& values = Require(elements, "the elements").values;
  if (index >= values.size()) {
    ThrowUsage("22023",
               "there is no element " + std::to_string(index) + " among " + std::to_string(values.size()));
  }
  return values[index];
}

}  // namespace

scaup_status scaup_result_elements(const scaup_result* result, size_t column, size_t row,
                                   scaup_elements** out, scaup_error** error) {
  return Guard(error, [&] {
    scaup_elements*& made = RequireOutput(out);
    made = ElementsOf(Require(result, "the result").result.GetValue(column, row));
  });
}

size_t scaup_elements_count(const scaup_elements* elements) {
  return elements == nullptr ? 0 : elements->values.size();
}

scaup_status scaup_elements_value(const scaup_elements* elements, size_t index, scaup_value* out,
                                  scaup_error** error) {
  return Guard(error, [&] {
    const scaup::Value& element = ElementAt(elements, index);
    Require(out, "the output") = scaup::c::FromValue(element);
  });
}

scaup_status scaup_elements_nested(const scaup_elements* elements, size_t index, scaup_elements** out,
                                   scaup_error** error) {
  return Guard(error, [&] {
    scaup_elements*& made = RequireOutput(out);
    made = ElementsOf(ElementAt(elements, index));
  });
}

void scaup_elements_free(scaup_elements* elements) { delete elements; }
