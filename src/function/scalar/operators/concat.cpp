// The operator ||, which concatenates texts; an operand that is not text is cast.
#include "common/memory/copy_bytes.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/text_account.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void Join(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<StringRef, StringRef, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& a, const StringRef& b) {
        const uint64_t length = uint64_t{a.size()} + b.size();
        char inline_bytes[StringRef::kInlineBytes];
        if (length >= kMostValueBytes) ThrowValueTooLong();
        char* target = length <= StringRef::kInlineBytes ? inline_bytes : result.AllocateString(length);
        CopyBytes(target, a.data(), a.size());
        CopyBytes(target + a.size(), b.data(), b.size());
        return StringRef(target, static_cast<uint32_t>(length));
      });
}

/// One side is text and the other of any type: that is cast to text.
std::unique_ptr<FunctionData> BindAny(ScalarFunction& function, std::span<const BindArgument>) {
  function.argument_types = {TypeId::kVarchar, TypeId::kVarchar};
  return nullptr;
}

}  // namespace

ScalarFunctionList ConcatOperatorFunctions() {
  const char* description = "Joins two texts.";
  ScalarFunctionList list;
  for (const TypeId id : {TypeId::kVarchar, TypeId::kBlob}) {
    list.push_back({.name = "||",
                    .argument_types = {id, id},
                    .return_type = id,
                    .kernel = &Join,
                    .description = description,
                    .example = "'sca' || 'up'"});
  }
  list.push_back({.name = "||",
                  .argument_types = {TypeId::kVarchar, kAnyType},
                  .return_type = TypeId::kVarchar,
                  .kernel = &Join,
                  .description = description,
                  .example = "'n = ' || 5",
                  .bind = &BindAny,
                  .any_types = true});
  list.push_back({.name = "||",
                  .argument_types = {kAnyType, TypeId::kVarchar},
                  .return_type = TypeId::kVarchar,
                  .kernel = &Join,
                  .description = description,
                  .example = "5 || ' ducks'",
                  .bind = &BindAny,
                  .any_types = true});
  return list;
}

}  // namespace scaup
