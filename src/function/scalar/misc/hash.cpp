// hash(values, ...): a hash of one or more values.
#include <cstring>

#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// Combines the hashes of the arguments; NULLs have one, too.
void Hash(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  uint64_t hashes[kVectorSize];
  for (size_t i = 0; i < arguments.column_count(); i++) HashVector(arguments.column(i), count, hashes, i > 0);
  static_assert(sizeof(hashes[0]) == sizeof(int64_t));
  std::memcpy(result.MutableData<int64_t>(), hashes, count * sizeof(int64_t));
}

std::unique_ptr<FunctionData> BindAnyTypes(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  function.argument_types.clear();
  for (const BindArgument& argument : arguments) {
    const bool is_null = argument.type.id() == TypeId::kNull;
    function.argument_types.push_back(is_null ? LogicalType(TypeId::kVarchar) : argument.type);
  }
  return nullptr;
}

}  // namespace

ScalarFunctionList HashFunctions() {
  ScalarFunction hash{
      .name = "hash",
      .argument_types = {kAnyType},
      .return_type = TypeId::kBigInt,
      .kernel = &Hash,
      .description = "A hash of the values, the same for equal ones; another version may have another.",
      .example = "hash('scaup') = hash('scaup')",
      .bind = &BindAnyTypes,
      .nulls = NullHandling::kSpecial,
      .can_fail = false,
      .any_types = true};
  ScalarFunction several = hash;
  several.varargs = kAnyType;
  several.example = "hash(1, 'a') = hash(1, 'b')";
  return {hash, several};
}

}  // namespace scaup
