// What functions of lists share: their types, and loops over lists and over elements.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "function/scalar/scalar_functions.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

/// Stands in argument_types for a list of any type, in overloads with any_types.
inline LogicalType AnyListType() { return LogicalType::List(TypeId::kNull); }

/// Data that a call of a function of lists knows: the type of the elements, and how they get in and out.
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

/// Settles a call whose arguments `lists` are lists of one type, of which the arguments `elements` are: the
/// common type of all. Throws Error(42883) where there is none.
std::unique_ptr<ListCallData> BindElements(ScalarFunction& function, std::span<const BindArgument> arguments,
                                           std::initializer_list<size_t> lists,
                                           std::initializer_list<size_t> elements);

/// Calls visit(slot) with every element.
template <typename Visit>
void ForEachSlot(const LogicalType& element, std::string_view list, Visit&& visit) {
  while (!list.empty()) visit(TakeSlot(element, list));
}

/// The type of the elements of the innermost lists.
inline const LogicalType& LeafType(const LogicalType& element) {
  return element.id() == TypeId::kList ? LeafType(element.element()) : element;
}
/// Calls visit(slot) with every element of the innermost lists, as PostgreSQL counts those of an array.
template <typename Visit>
void ForEachLeaf(const LogicalType& element, std::string_view list, Visit&& visit) {
  ForEachSlot(element, list, [&](std::string_view slot) {
    if (element.id() != TypeId::kList) {
      visit(slot);
    } else if (!IsNullSlot(slot)) {
      ForEachLeaf(element.element(), ReadNestedSlot(element, slot), visit);
    }
  });
}

/// result[row] = what make(row, list, bytes) puts into `bytes`, or NULL where it returns false or the list is
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

/// An overload of a function of lists, which sees NULLs and cannot fail; `bind` settles types.
inline ScalarFunction MakeListFunction(const char* name, std::vector<LogicalType> types,
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
