// to_json, json_build_object and json_build_array, and their JSONB variants.
#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json/json_printer.hpp"
#include "function/text_account.hpp"
#include "type/text/json_text.hpp"
#include "type/type_name.hpp"

namespace scaup {
namespace {

/// Stores a finished text in the result; for JSONB it is normalized first.
void PutJson(const ScalarCall& call, size_t row, const std::string& text, std::string& normal,
             Vector& result) {
  const bool is_jsonb = call.return_type.id() == TypeId::kJsonb;
  if (is_jsonb && !NormalizeJson(text, normal)) ThrowJsonError(text, true);
  result.MutableData<StringRef>()[row] = result.AddString(is_jsonb ? normal : text);
}

void ToJson(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const JsonPrinter printer(call.context, arguments.column(0), arguments.size());
  std::string text, normal;
  TextAccount account(call.context);
  for (size_t row = 0; row < arguments.size(); row++) {
    if (printer.IsNull(row)) {
      result.SetNull(row);
      continue;
    }
    text.clear();
    printer.Append(row, text);
    account.Note(text);
    PutJson(call, row, text, normal, result);
  }
}

/// array_to_json with a second argument: whether each element has a line of its own.
void ToJsonLines(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const JsonPrinter printer(call.context, arguments.column(0), arguments.size());
  const auto has_lines = arguments.column(1).ViewAs<uint8_t>(arguments.size());
  std::string text, normal;
  TextAccount account(call.context);
  for (size_t row = 0; row < arguments.size(); row++) {
    if (printer.IsNull(row) || !has_lines.IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    text.clear();
    has_lines[row] != 0 ? printer.AppendLines(row, text) : printer.Append(row, text);
    account.Note(text);
    PutJson(call, row, text, normal, result);
  }
}

std::vector<JsonPrinter> PrintersOf(const ScalarCall& call, DataChunk& arguments) {
  std::vector<JsonPrinter> printers;
  printers.reserve(arguments.column_count());
  for (size_t i = 0; i < arguments.column_count(); i++)
    printers.emplace_back(call.context, arguments.column(i), arguments.size());
  return printers;
}

void BuildObject(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const std::vector<JsonPrinter> printers = PrintersOf(call, arguments);
  std::string text, normal;
  TextAccount account(call.context);
  for (size_t row = 0; row < arguments.size(); row++) {
    text = "{";
    for (size_t i = 0; i < printers.size(); i += 2) {
      if (printers[i].IsNull(row)) {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                   "argument " + std::to_string(i + 1) + ": the name of an object's member must not be null");
      }
      if (i != 0) text += ", ";
      printers[i].AppendName(row, text);
      text += " : ";
      printers[i + 1].Append(row, text);
      account.Note(text);
    }
    text += '}';
    PutJson(call, row, text, normal, result);
  }
}

void BuildArray(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const std::vector<JsonPrinter> printers = PrintersOf(call, arguments);
  std::string text, normal;
  TextAccount account(call.context);
  for (size_t row = 0; row < arguments.size(); row++) {
    text = "[";
    for (size_t i = 0; i < printers.size(); i++) {
      if (i != 0) text += ", ";
      printers[i].Append(row, text);
      account.Note(text);
    }
    text += ']';
    PutJson(call, row, text, normal, result);
  }
}

void BuildEmptyObject(const ScalarCall&, DataChunk&, Vector& result) {
  result.MutableData<StringRef>()[0] = result.AddString("{}");
  result.SetConstant();
}

void BuildEmptyArray(const ScalarCall&, DataChunk&, Vector& result) {
  result.MutableData<StringRef>()[0] = result.AddString("[]");
  result.SetConstant();
}

std::unique_ptr<FunctionData> BindAny(ScalarFunction& function, std::span<const BindArgument> arguments) {
  for (size_t i = 0; i < arguments.size(); i++) {
    const LogicalType& type = arguments[i].type;
    function.argument_types[i] = type.id() == TypeId::kNull ? LogicalType(TypeId::kVarchar) : type;
  }
  return nullptr;
}

/// array_to_json takes lists; row_to_json takes structs and rows of collections, which are JSON.
std::unique_ptr<FunctionData> BindNested(ScalarFunction& function, std::span<const BindArgument> arguments) {
  const bool is_list = function.name == "array_to_json";
  const bool is_document = !is_list && arguments[0].type.id() == TypeId::kJson;
  const bool is_other = IsMap(arguments[0].type) || IsUnion(arguments[0].type);
  if (!is_document && (is_other || arguments[0].type.id() != (is_list ? TypeId::kList : TypeId::kStruct))) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
               "function " + function.name + "(" + PostgresTypeName(arguments[0].type) +
                   ") does not exist; it takes " + (is_list ? "a list" : "a row") + ", to_json any value");
  }
  return BindAny(function, arguments);
}

std::unique_ptr<FunctionData> BindPairs(ScalarFunction& function, std::span<const BindArgument> arguments) {
  if (arguments.size() % 2 != 0) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               function.name + " takes pairs of a name and a value, so an even number of arguments");
  }
  for (size_t i = 0; i < arguments.size(); i += 2) {
    if (!IsJson(arguments[i].type) && !arguments[i].type.IsNested()) continue;
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue,
               "the name of an object's member must not be " + arguments[i].type.ToString());
  }
  return BindAny(function, arguments);
}

}  // namespace

ScalarFunctionList JsonConstructFunctions() {
  ScalarFunctionList list;
  for (const TypeId json : {TypeId::kJson, TypeId::kJsonb}) {
    const bool is_jsonb = json == TypeId::kJsonb;
    list.push_back({.name = is_jsonb ? "to_jsonb" : "to_json",
                    .argument_types = {kAnyType},
                    .return_type = json,
                    .kernel = &ToJson,
                    .description = "A value as JSON.",
                    .example = is_jsonb ? "to_jsonb(12.5)" : "to_json('a \"b\"')",
                    .bind = &BindAny,
                    .any_types = true});
    if (!is_jsonb) {
      for (const char* name : {"array_to_json", "row_to_json"}) {
        list.push_back(list.back());
        list.back().name = name;
        list.back().bind = &BindNested;
      }
      list.end()[-2].description = "A list as an array of JSON.";
      list.end()[-2].example = "array_to_json(ARRAY[1, NULL, 3])";
      list.back().description = "A struct as an object of JSON.";
      list.back().example = "row_to_json(row(1, 'a'))";
      list.push_back(list.end()[-2]);
      list.back().argument_types.push_back(TypeId::kBoolean);
      list.back().kernel = &ToJsonLines;
      list.back().description = "A list as an array of JSON, with each element on a line of its own if true.";
      list.back().example = "array_to_json(ARRAY[1, 2], false)";
    }
    const auto add = [&](std::string name, ScalarKernel kernel, ScalarKernel empty, ScalarBind bind,
                         const char* description, const char* example) {
      ScalarFunction function{.name = std::move(name),
                              .return_type = json,
                              .kernel = kernel,
                              .description = description,
                              .example = example,
                              .varargs = kAnyType,
                              .bind = bind,
                              .nulls = NullHandling::kSpecial,
                              .any_types = true};
      list.push_back(function);
      function.kernel = empty;
      function.varargs = std::nullopt;
      function.bind = nullptr;
      list.push_back(std::move(function));
    };
    const std::string prefix = is_jsonb ? "jsonb" : "json";
    add(prefix + "_build_object", &BuildObject, &BuildEmptyObject, &BindPairs,
        "An object of names and values in turn.",
        is_jsonb ? "jsonb_build_object('a', 1, 'b', true)" : "json_build_object('a', 1, 'b', true)");
    add(prefix + "_build_array", &BuildArray, &BuildEmptyArray, &BindAny, "An array of the arguments.",
        is_jsonb ? "jsonb_build_array(1, 'a', NULL)" : "json_build_array(1, 'a', NULL)");
  }
  return list;
}

}  // namespace scaup
