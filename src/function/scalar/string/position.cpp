// position, contains, starts_with and ends_with: the occurrence of one text in another.
#include <cstring>

#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "vector/string_search.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// The position from 1; 0 if the part does not occur.
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

void BytePosition(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, int32_t>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [](const StringRef& bytes, const StringRef& part) {
        const size_t at = bytes.view().find(part.view());
        return at == std::string_view::npos ? 0 : static_cast<int32_t>(at) + 1;
      });
}

uint8_t StartsWith(const StringRef& text, const StringRef& prefix) {
  return text.view().starts_with(prefix.view()) ? 1 : 0;
}
uint8_t EndsWith(const StringRef& text, const StringRef& suffix) {
  return text.view().ends_with(suffix.view()) ? 1 : 0;
}
template <uint8_t (*kTest)(const StringRef&, const StringRef&)>
void Test(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, uint8_t>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           kTest);
}

void Contains(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  const KernelTable& kernels = call.context.kernels;
  if (!arguments.column(1).is_constant() || arguments.column(1).is_null_constant()) {
    MapBinary<StringRef, StringRef, uint8_t>(
        arguments.column(0), arguments.column(1), count, result,
        [](const StringRef& text, const StringRef& part) {
          return part.size() == 0 || memmem(text.data(), text.size(), part.data(), part.size()) != nullptr
                     ? 1
                     : 0;
        });
    return;
  }
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  StringSearch(kernels, arguments.column(1).ViewAs<StringRef>(count)[0].view())
      .Mark(texts, count, result.MutableData<uint8_t>());
  for (size_t row = 0; row < count; row++) {
    if (!texts.IsValid(row)) result.SetNull(row);
  }
}

}  // namespace

ScalarFunctionList PositionFunctions() {
  ScalarFunctionList list;
  const auto add = [&](const char* name, TypeId argument, TypeId type, ScalarKernel kernel,
                       const char* description, const char* example) {
    list.push_back({.name = name,
                    .argument_types = {argument, argument},
                    .return_type = type,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .can_fail = false});
  };
  constexpr TypeId kText = TypeId::kVarchar, kInteger = TypeId::kInteger, kBoolean = TypeId::kBoolean;
  for (const char* name : {"position", "strpos", "instr"}) {
    add(name, kText, kInteger, &Position,
        "Where the second text begins in the first, from 1; 0 if it does not occur.",
        "strpos('mallard', 'lard')");
  }
  add("position", TypeId::kBlob, kInteger, &BytePosition,
      "Where the second bytes begin in the first, from 1; 0 if they do not occur.",
      "position('\\x02'::BLOB IN '\\x010203'::BLOB)");
  for (const char* name : {"starts_with", "prefix", "^@"}) {
    add(name, kText, kBoolean, &Test<&StartsWith>, "Whether the first text begins with the second.",
        "starts_with('mallard', 'mal')");
  }
  for (const char* name : {"ends_with", "suffix"}) {
    add(name, kText, kBoolean, &Test<&EndsWith>, "Whether the first text ends with the second.",
        "ends_with('mallard', 'lard')");
  }
  add("contains", kText, kBoolean, &Contains, "Whether the second text occurs in the first.",
      "contains('mallard', 'all')");
  return list;
}

}  // namespace scaup
