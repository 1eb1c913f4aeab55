// position, strpos and starts_with: where one text stands in another.
#include <cstring>

#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// From 1; 0 when it is not there.
int32_t Find(const StringRef& text, const StringRef& part) {
  if (part.size() == 0) return 1;
  const void* found = memmem(text.data(), text.size(), part.data(), part.size());
  if (found == nullptr) return 0;
  const size_t offset = static_cast<size_t>(static_cast<const char*>(found) - text.data());
  return static_cast<int32_t>(CountCharacters(text.view().substr(0, offset))) + 1;
}

void Position(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, int32_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           Find);
}

void StartsWith(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, uint8_t>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [](const StringRef& text, const StringRef& prefix) {
        return static_cast<uint8_t>(text.view().starts_with(prefix.view()));
      });
}

}  // namespace

ScalarFunctionList PositionFunctions() {
  const LogicalType text = TypeId::kVarchar;
  ScalarFunctionList list;
  for (const char* name : {"position", "strpos"}) {
    list.push_back(
        {.name = name,
         .argument_types = {text, text},
         .return_type = TypeId::kInteger,
         .kernel = &Position,
         .description = "Where the second text begins in the first, from 1; 0 if it does not occur.",
         .example = "strpos('mallard', 'lard')",
         .can_fail = false});
  }
  for (const char* name : {"starts_with", "^@"}) {
    list.push_back({.name = name,
                    .argument_types = {text, text},
                    .return_type = TypeId::kBoolean,
                    .kernel = &StartsWith,
                    .description = "Whether the first text begins with the second.",
                    .example = "starts_with('mallard', 'mal')",
                    .can_fail = false});
  }
  return list;
}

}  // namespace scaup
