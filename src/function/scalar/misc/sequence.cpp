// nextval, currval, lastval, setval: the values of sequences.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/sequence_access.hpp"
#include "type/schema_name.hpp"
#include "vector/vectorized.hpp"

namespace scaup {

SequenceName ParseSequenceName(std::string_view text) {
  SequenceName result;
  std::string part;
  bool has_part = false;
  const auto fail = [&] {
    ThrowError(ErrorKind::kSyntax, sqlstate::kInvalidName, "invalid name syntax: " + std::string(text));
  };
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '"') {
      if (has_part) fail();
      has_part = true;
      for (i++; i < text.size() && (text[i] != '"' || (i + 1 < text.size() && text[i + 1] == '"')); i++) {
        part += text[i];
        if (text[i] == '"') i++;
      }
      if (i >= text.size()) fail();
    } else if (text[i] == '.') {
      if (!has_part || !result.database.empty()) fail();
      result.database = std::move(result.schema);
      result.schema = std::move(part);
      part.clear();
      has_part = false;
    } else {
      part += text[i] >= 'A' && text[i] <= 'Z' ? static_cast<char>(text[i] - 'A' + 'a') : text[i];
      has_part = true;
    }
  }
  if (!has_part) fail();
  result.schema = SchemaNamed(result.schema);
  result.name = std::move(part);
  return result;
}

namespace {

SequenceAccess& AccessOf(const ScalarCall& call) {
  if (call.context.sequences == nullptr) ThrowNotSupported("sequences cannot be used here");
  return *call.context.sequences;
}

void NextVal(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  SequenceAccess& access = AccessOf(call);
  MapUnary<StringRef, int64_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& name) {
    return access.NextValue(ParseSequenceName(name.view()));
  });
}

void CurrVal(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  SequenceAccess& access = AccessOf(call);
  MapUnary<StringRef, int64_t>(arguments.column(0), arguments.size(), result, [&](const StringRef& name) {
    return access.CurrentValue(ParseSequenceName(name.view()));
  });
}

void LastVal(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  SequenceAccess& access = AccessOf(call);
  int64_t* out = result.MutableData<int64_t>();
  for (size_t row = 0; row < arguments.size(); row++) out[row] = access.LastValue();
}

void SetVal(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  SequenceAccess& access = AccessOf(call);
  MapBinary<StringRef, int64_t, int64_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                         [&](const StringRef& name, int64_t value) {
                                           access.SetValue(ParseSequenceName(name.view()), value, true);
                                           return value;
                                         });
}

void SetValCalled(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  SequenceAccess& access = AccessOf(call);
  MapTernary<StringRef, int64_t, bool, int64_t>(
      arguments.column(0), arguments.column(1), arguments.column(2), arguments.size(), result,
      [&](const StringRef& name, int64_t value, bool is_called) {
        access.SetValue(ParseSequenceName(name.view()), value, is_called);
        return value;
      });
}

ScalarFunction Make(const char* name, std::vector<LogicalType> types, ScalarKernel kernel,
                    const char* description, const char* example) {
  ScalarFunction function;
  function.name = name;
  function.argument_types = std::move(types);
  function.return_type = TypeId::kBigInt;
  function.kernel = kernel;
  function.description = description;
  function.example = example;
  function.volatility = Volatility::kVolatile;
  return function;
}

}  // namespace

ScalarFunctionList SequenceFunctions() {
  return {
      Make("nextval", {TypeId::kVarchar}, &NextVal, "Takes the next value of a sequence.", "nextval('s')"),
      Make("currval", {TypeId::kVarchar}, &CurrVal,
           "The value that nextval gave last for this sequence in this session.", "currval('s')"),
      Make("lastval", {}, &LastVal, "The value that nextval gave last in this session.", "lastval()"),
      Make("setval", {TypeId::kVarchar, TypeId::kBigInt}, &SetVal,
           "Sets the counter of a sequence: the next value is the one after it.", "setval('s', 42)"),
      Make("setval", {TypeId::kVarchar, TypeId::kBigInt, TypeId::kBoolean}, &SetValCalled,
           "The same; with false, the next value is the one given.", "setval('s', 42, false)")};
}

}  // namespace scaup
