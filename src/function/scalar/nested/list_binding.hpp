// The shared part of list functions: their types, and loops over lists and elements.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "function/scalar/scalar_functions.hpp"
#include "type/packed_value.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

/// Stands in argument_types for a list of any type, in overloads with any_types.
inline LogicalType AnyListType() { return LogicalType::List(TypeId::kNull); }

/// The data of a call of a list function: the element type, and how elements are packed and unpacked.
struct ListCallData final : FunctionData {
  explicit ListCallData(const LogicalType& element_in)
      : element(element_in), append(FindSlotAppender(element_in)), load(FindSlotLoader(element_in)) {}
  LogicalType element;
  SlotAppender append;
  SlotLoader load;
};
inline const ListCallData& ListDataOf(const ScalarCall& call) {
  return static_cast<const ListCallData&>(*call.data);
}

/// Resolves the types of a call in which the arguments `lists` are lists of one type and the arguments
/// `elements` are elements of it: the common type of all. Throws Error(42883) if there is none.
std::unique_ptr<ListCallData> BindElements(ScalarFunction& function, std::span<const BindArgument> arguments,
                                           std::initializer_list<size_t> lists,
                                           std::initializer_list<size_t> elements);

/// Calls visit(slot) for every element.
template <typename Visit>
void ForEachSlot(const LogicalType& element, std::string_view list, Visit&& visit) {
  while (!list.empty()) visit(TakeSlot(element, list));
}

/// Whether the type is a list. A map is none to functions of lists, but a value like any other.
inline bool IsPlainList(const LogicalType& type) { return type.id() == TypeId::kList && !IsMap(type); }
/// The element type of the innermost lists.
inline const LogicalType& LeafType(const LogicalType& element) {
  return IsPlainList(element) ? LeafType(element.element()) : element;
}
/// Calls visit(slot) for every element of the innermost lists, which PostgreSQL counts as the elements of an
/// array.
template <typename Visit>
void ForEachLeaf(const LogicalType& element, std::string_view list, Visit&& visit) {
  ForEachSlot(element, list, [&](std::string_view slot) {
    if (!IsPlainList(element)) {
      visit(slot);
    } else if (!IsNullSlot(slot)) {
      ForEachLeaf(element.element(), ReadNestedSlot(element, slot), visit);
    }
  });
}

/// Sets result[row] to the bytes that make(row, list, bytes) writes; NULL if it returns false or the list is
/// NULL.
template <typename Make>
void MakeStrings(Vector& list, size_t count, Vector& result, Make&& make) {
  const auto lists = list.ViewAs<StringRef>(count);
  auto* out = result.MutableData<StringRef>();
  std::string bytes;
  for (size_t row = 0; row < count; row++) {
    bytes.clear();
    if (lists.IsValid(row) && make(row, lists[row].view(), bytes)) {
      out[row] = result.AddString(bytes);
    } else {
      result.SetNull(row);
    }
  }
}

/// Makes an overload of a function of lists, maps, structs or unions that sees NULLs and cannot fail; `bind`
/// resolves its types.
inline ScalarFunction MakeNestedFunction(const char* name, std::vector<LogicalType> types,
                                         const LogicalType& return_type, ScalarKernel kernel, ScalarBind bind,
                                         const char* description, const char* example) {
  return {.name = name,
          .argument_types = std::move(types),
          .return_type = return_type,
          .kernel = kernel,
          .description = description,
          .example = example,
          .bind = bind,
          .nulls = NullHandling::kSpecial,
          .can_fail = false,
          .any_types = true};
}

}  // namespace scaup
