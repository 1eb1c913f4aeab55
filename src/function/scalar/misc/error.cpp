// error(message): an error by its message.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// A NULL message is no error, and yields NULL.
void Raise(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapUnary<StringRef, StringRef>(
      arguments.column(0), arguments.size(), result, [](const StringRef& message) -> StringRef {
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kRaisedException, std::string(message.view()));
      });
}

}  // namespace

ScalarFunctionList ErrorFunctions() {
  return {{.name = "error",
           .argument_types = {TypeId::kVarchar},
           .return_type = TypeId::kVarchar,
           .kernel = &Raise,
           .description = "An error (P0001) with this message; NULL for a NULL message.",
           .example = "CASE WHEN 1 > 2 THEN error('1 is too large') END",
           .volatility = Volatility::kStable}};
}

}  // namespace scaup
