// Makes lists from elements and other lists: ARRAY[...], ||, array_append, array_prepend, array_cat.
#include "common/throw.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "function/text_account.hpp"
#include "type/type_rules.hpp"

namespace scaup {
namespace {

void MakeList(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const size_t count = arguments.size();
  std::vector<UnifiedView> views;
  views.reserve(arguments.column_count());
  for (Vector& argument : arguments.columns()) views.push_back(argument.View(count));
  auto* out = result.MutableData<StringRef>();
  std::string slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    slots.clear();
    for (const UnifiedView& view : views) {
      data.append(data.element, view, row, slots);
      account.Note(slots);
    }
    out[row] = result.AddString(slots);
  }
}

std::unique_ptr<FunctionData> BindMake(ScalarFunction& function, std::span<const BindArgument> arguments) {
  LogicalType common;
  for (const BindArgument& argument : arguments) {
    const auto both = CommonType(common, argument.type, Meeting::kSideBySide);
    if (!both) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
                 "ARRAY types " + common.ToString() + " and " + argument.type.ToString() +
                     " cannot be matched; cast the elements to one type");
    }
    common = *both;
  }
  if (common.id() == TypeId::kNull) common = TypeId::kVarchar;
  function.argument_types.assign(arguments.size(), common);
  function.return_type = LogicalType::List(common);
  return std::make_unique<ListCallData>(common);
}

/// The list at a row; empty if NULL.
std::string_view ListAt(const UnifiedView& lists, size_t row) {
  return lists.IsValid(row) ? lists.As<StringRef>()[row].view() : std::string_view();
}

/// Adds an element; a NULL list counts as an empty one.
template <bool kListFirst>
void AddElement(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const size_t count = arguments.size();
  const UnifiedView lists = arguments.column(kListFirst ? 0 : 1).View(count);
  const UnifiedView elements = arguments.column(kListFirst ? 1 : 0).View(count);
  auto* out = result.MutableData<StringRef>();
  std::string slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    slots.clear();
    if (kListFirst) slots = ListAt(lists, row);
    data.append(data.element, elements, row, slots);
    if (!kListFirst) slots += ListAt(lists, row);
    account.Note(slots);
    out[row] = result.AddString(slots);
  }
}

template <bool kListFirst>
std::unique_ptr<FunctionData> BindAddElement(ScalarFunction& function,
                                             std::span<const BindArgument> arguments) {
  auto data = BindElements(function, arguments, {kListFirst ? 0UL : 1UL}, {kListFirst ? 1UL : 0UL});
  function.return_type = LogicalType::List(data->element);
  return data;
}

void JoinLists(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const UnifiedView left = arguments.column(0).View(count), right = arguments.column(1).View(count);
  auto* out = result.MutableData<StringRef>();
  std::string slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    if (!left.IsValid(row) && !right.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    slots = ListAt(left, row);
    slots += ListAt(right, row);
    account.Note(slots);
    out[row] = result.AddString(slots);
  }
}

size_t DepthOf(const LogicalType& type) { return IsPlainList(type) ? 1 + DepthOf(type.element()) : 0; }

/// Lists of equal depth are concatenated; a list of smaller depth becomes an element of the other.
std::unique_ptr<FunctionData> BindJoin(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const size_t left = DepthOf(arguments[0].type), right = DepthOf(arguments[1].type);
  const bool both_known = arguments[0].type.id() != TypeId::kNull && arguments[1].type.id() != TypeId::kNull;
  if (both_known && left == right + 1) {
    function.kernel = &AddElement<true>;
    return BindAddElement<true>(function, arguments);
  }
  if (both_known && right == left + 1) {
    function.kernel = &AddElement<false>;
    return BindAddElement<false>(function, arguments);
  }
  auto data = BindElements(function, arguments, {0, 1}, {});
  function.return_type = LogicalType::List(data->element);
  return data;
}

ScalarFunction Overload(const char* name, std::vector<LogicalType> types, ScalarKernel kernel,
                        ScalarBind bind, const char* description, const char* example) {
  return {.name = name,
          .argument_types = std::move(types),
          .return_type = AnyListType(),
          .kernel = kernel,
          .description = description,
          .example = example,
          .bind = bind,
          .nulls = NullHandling::kSpecial,
          .any_types = true};
}

}  // namespace

ScalarFunctionList ListMakeFunctions() {
  ScalarFunctionList list;
  for (const char* name : {"list_value", "list_pack"}) {
    list.push_back(Overload(name, {}, &MakeList, &BindMake, "The list of the arguments, as ARRAY[...].",
                            "list_value(1, 2, 3)"));
    list.back().varargs = kAnyType;
  }
  const LogicalType any_list = AnyListType();
  for (const char* name : {"||", "array_cat", "array_concat", "list_cat", "list_concat"}) {
    list.push_back(Overload(name, {any_list, any_list}, &JoinLists, &BindJoin, "The elements of both lists.",
                            "array_cat(ARRAY[1, 2], ARRAY[3])"));
  }
  for (const char* name : {"||", "array_append", "list_append", "array_push_back"}) {
    list.push_back(Overload(name, {any_list, kAnyType}, &AddElement<true>, &BindAddElement<true>,
                            "The list with an element added at its end.", "array_append(ARRAY[1, 2], 3)"));
  }
  for (const char* name : {"||", "array_prepend", "list_prepend"}) {
    list.push_back(Overload(name, {kAnyType, any_list}, &AddElement<false>, &BindAddElement<false>,
                            "The list with an element added before its first.",
                            "array_prepend(1, ARRAY[2, 3])"));
  }
  return list;
}

}  // namespace scaup
