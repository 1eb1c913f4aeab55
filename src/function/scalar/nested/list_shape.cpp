// Changes the shape of lists: flatten, list_resize, list_zip, array_fill.
#include <algorithm>
#include <optional>

#include "common/throw.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "function/text_account.hpp"
#include "type/type_name.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowArgument(const ScalarFunction& function, std::span<const BindArgument> arguments,
                                const char* takes) {
  std::string types;
  for (const BindArgument& argument : arguments)
    types += (types.empty() ? "" : ", ") + PostgresTypeName(argument.type);
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             "function " + function.name + "(" + types + ") does not exist; it takes " + takes);
}

/// Joins the lists within a list, one level deep; lists that are NULL count as empty.
void Flatten(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& inner = ListDataOf(call).element;
  MakeStrings(arguments.column(0), arguments.size(), result,
              [&](size_t, std::string_view list, std::string& slots) {
                ForEachSlot(inner, list, [&](std::string_view slot) {
                  if (!IsNullSlot(slot)) slots += ReadNestedSlot(inner, slot);
                });
                return true;
              });
}

std::unique_ptr<FunctionData> BindFlatten(ScalarFunction& function, std::span<const BindArgument> arguments) {
  LogicalType type = arguments[0].type;
  if (type.id() == TypeId::kNull) type = LogicalType::List(LogicalType::List(TypeId::kVarchar));
  if (!IsPlainList(type.element())) ThrowArgument(function, arguments, "a list of lists");
  function.argument_types[0] = type;
  function.return_type = type.element();
  return std::make_unique<ListCallData>(type.element());
}

/// Cuts a list, or adds elements at its end. As in DuckDB, a size that is NULL counts as 0.
void Resize(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const ListCallData& data = ListDataOf(call);
  const size_t count = arguments.size();
  const auto sizes = arguments.column(1).ViewAs<int64_t>(count);
  std::optional<UnifiedView> values;
  if (arguments.column_count() == 3) values = arguments.column(2).View(count);
  std::string added;
  TextAccount account(call.context);
  MakeStrings(arguments.column(0), count, result, [&](size_t row, std::string_view list, std::string& slots) {
    const int64_t size = sizes.IsValid(row) ? sizes[row] : 0;
    if (size < 0) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                 "list_resize: the size must not be negative; it is " + std::to_string(size));
    }
    const auto wanted = static_cast<size_t>(size);
    slots = SliceSlots(data.element, list, 0, wanted);
    const size_t given = CountSlots(data.element, slots);
    if (given >= wanted) return true;
    added.clear();
    values ? data.append(data.element, *values, row, added) : AppendNullSlot(data.element, added);
    if (wanted - given >= kMostValueBytes / added.size()) ThrowValueTooLong();
    account.Expect(slots, (wanted - given) * added.size());
    for (size_t i = given; i < wanted; i++) {
      slots += added;
      account.Note(slots);
    }
    return true;
  });
}

template <bool kHasValue>
std::unique_ptr<FunctionData> BindResize(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data =
      kHasValue ? BindElements(function, arguments, {0}, {2}) : BindElements(function, arguments, {0}, {});
  function.return_type = LogicalType::List(data->element);
  return data;
}

/// Elements of several lists side by side, as structs. A list that is NULL counts as empty. The result is as
/// long as the longest list, or as the shortest one if a last argument is true.
void Zip(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& pair = call.return_type.element();
  const std::vector<StructField>& fields = pair.fields();
  const size_t count = arguments.size(), list_count = fields.size();
  std::vector<UnifiedView> views;
  for (Vector& argument : arguments.columns()) views.push_back(argument.View(count));
  auto* out = result.MutableData<StringRef>();
  std::vector<std::string_view> rests(list_count);
  std::string bytes, slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    for (size_t i = 0; i < list_count; i++)
      rests[i] = views[i].IsValid(row) ? views[i].As<StringRef>()[row].view() : std::string_view();
    const bool is_cut =
        views.size() > list_count && views.back().IsValid(row) && views.back().As<uint8_t>()[row] != 0;
    const auto is_done = [](std::string_view rest) { return rest.empty(); };
    slots.clear();
    while (is_cut ? std::none_of(rests.begin(), rests.end(), is_done)
                  : !std::all_of(rests.begin(), rests.end(), is_done)) {
      bytes.clear();
      for (size_t i = 0; i < list_count; i++) {
        rests[i].empty() ? AppendNullSlot(fields[i].type, bytes)
                         : static_cast<void>(bytes += TakeSlot(fields[i].type, rests[i]));
      }
      AppendNestedSlot(pair, bytes, slots);
      account.Note(slots);
    }
    out[row] = result.AddString(slots);
  }
}

std::unique_ptr<FunctionData> BindZip(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const bool is_last_flag = arguments.size() > 1 && arguments.back().type.id() == TypeId::kBoolean;
  const size_t list_count = arguments.size() - (is_last_flag ? 1 : 0);
  std::vector<StructField> fields;
  for (size_t i = 0; i < list_count; i++) {
    LogicalType type = arguments[i].type;
    if (type.id() == TypeId::kNull) type = LogicalType::List(TypeId::kVarchar);
    if (!IsPlainList(type))
      ThrowArgument(function, arguments, "lists, and last whether to stop at the end of the shortest");
    function.argument_types[i] = type;
    fields.push_back({"f" + std::to_string(i + 1), type.element()});
  }
  if (is_last_flag) function.argument_types.back() = TypeId::kBoolean;
  function.return_type = LogicalType::List(LogicalType::Struct(std::move(fields)));
  return nullptr;
}

/// How deep the lists that array_fill makes are nested.
struct FillData final : FunctionData {
  explicit FillData(const LogicalType& element) : value(element), append(FindSlotAppender(element)) {}
  LogicalType value;
  SlotAppender append;
};

[[noreturn]] void ThrowNullDimension(const char* message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kNullValueNotAllowed, message);
}

/// Reads the dimensions of a row.
void ReadDimensions(std::string_view list, std::vector<int32_t>& dimensions) {
  dimensions.clear();
  ForEachSlot(TypeId::kInteger, list, [&](std::string_view slot) {
    if (IsNullSlot(slot)) ThrowNullDimension("array_fill: dimension values cannot be null");
    dimensions.push_back(ReadFixedSlot<int32_t>(slot));
    if (dimensions.back() < 0) {
      ThrowError(ErrorKind::kNotSupported, sqlstate::kProgramLimitExceeded,
                 "array_fill: dimensions must not be negative; one is " + std::to_string(dimensions.back()));
    }
  });
}

/// Fills lists from the innermost outwards: each level is the one below, repeated. PostgreSQL's arrays of
/// which one dimension is 0 are empty, whatever the others are.
void Fill(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = static_cast<const FillData&>(*call.data);
  const size_t count = arguments.size();
  const UnifiedView values = arguments.column(0).View(count);
  const auto lists = arguments.column(1).ViewAs<StringRef>(count);
  size_t depth = 0;
  for (const LogicalType* type = &call.return_type; *type != data.value; type = &type->element()) depth++;
  auto* out = result.MutableData<StringRef>();
  std::vector<int32_t> dimensions;
  std::string slot, slots;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    if (!lists.IsValid(row)) ThrowNullDimension("array_fill: the list of dimensions cannot be null");
    ReadDimensions(lists[row].view(), dimensions);
    slots.clear();
    if (!dimensions.empty() && std::find(dimensions.begin(), dimensions.end(), 0) == dimensions.end()) {
      if (dimensions.size() != depth) {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                   "array_fill: " + std::to_string(dimensions.size()) +
                       " dimensions make a list of another type; give more than one as a constant");
      }
      slot.clear();
      data.append(data.value, values, row, slot);
      LogicalType level = data.value;
      for (size_t i = depth; i > 0; i--) {
        slots.clear();
        const auto times = static_cast<size_t>(dimensions[i - 1]);
        if (times >= kMostValueBytes / slot.size()) ThrowValueTooLong();
        account.Expect(slots, times * slot.size());
        for (size_t k = 0; k < times; k++) {
          slots += slot;
          account.Note(slots);
        }
        level = LogicalType::List(level);
        slot.clear();
        if (i > 1) AppendNestedSlot(level, slots, slot);
      }
    }
    out[row] = result.AddString(slots);
  }
}

std::unique_ptr<FunctionData> BindFill(ScalarFunction& function, std::span<const BindArgument> arguments) {
  constexpr size_t kMostDimensions = 6;  // PostgreSQL's
  const LogicalType value = arguments[0].type.id() == TypeId::kNull ? TypeId::kVarchar : arguments[0].type;
  if (IsPlainList(value)) ThrowArgument(function, arguments, "a value that is no list");
  size_t depth = 1;
  const Value* const dimensions = arguments[1].constant;
  if (dimensions != nullptr && !dimensions->is_null() && dimensions->type().id() == TypeId::kList)
    depth = std::max<size_t>(1, dimensions->GetElements().size());
  if (depth > kMostDimensions) {
    ThrowError(ErrorKind::kBinder, sqlstate::kProgramLimitExceeded,
               "number of array dimensions (" + std::to_string(depth) + ") exceeds the maximum allowed (6)");
  }
  function.argument_types[0] = value;
  function.return_type = value;
  for (size_t i = 0; i < depth; i++) function.return_type = LogicalType::List(function.return_type);
  return std::make_unique<FillData>(value);
}

}  // namespace

ScalarFunctionList ListShapeFunctions() {
  ScalarFunctionList list;
  const LogicalType any_list = AnyListType(), size = TypeId::kBigInt;
  const auto add = [&](const char* name, std::vector<LogicalType> types, ScalarKernel kernel, ScalarBind bind,
                       const char* description, const char* example) {
    list.push_back(MakeNestedFunction(name, std::move(types), any_list, kernel, bind, description, example));
    list.back().can_fail = true;
  };
  add("flatten", {any_list}, &Flatten, &BindFlatten, "The elements of the lists in a list, as one list.",
      "flatten([[1, 2], [3]])");
  list.back().can_fail = false;
  for (const char* name : {"list_resize", "array_resize"}) {
    add(name, {any_list, size}, &Resize, &BindResize<false>,
        "The list cut to a size or filled up with NULLs.", "list_resize([1, 2], 3)");
    add(name, {any_list, size, kAnyType}, &Resize, &BindResize<true>,
        "The list cut to a size or filled up with a value.", "list_resize([1, 2], 4, 0)");
  }
  for (const char* name : {"list_zip", "array_zip"}) {
    add(name, {}, &Zip, &BindZip,
        "Structs of the elements of several lists, as many as the longest has, or the shortest if true is "
        "last.",
        "list_zip([1, 2], ['a', 'b', 'c'])");
    list.back().varargs = kAnyType;
  }
  add("array_fill", {kAnyType, LogicalType::List(TypeId::kInteger)}, &Fill, &BindFill,
      "An array of the value, as long as the dimensions say.", "array_fill(7, ARRAY[2, 3])");
  return list;
}

}  // namespace scaup
