// Tests values by a rule of their domain.
#include "function/scalar/misc/domain_check.hpp"

#include "common/throw.hpp"

namespace scaup {
namespace {

struct DomainCheckData final : FunctionData {
  const char* state = nullptr;
  std::string message;

  bool IsSame(const FunctionData& other) const override {
    const auto& that = static_cast<const DomainCheckData&>(other);
    return that.message == message;
  }
};

void TestDomain(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto holds = arguments.column(1).ViewAs<uint8_t>(arguments.size());
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!holds.IsValid(row) || holds[row] != 0) continue;
    const auto& data = *static_cast<const DomainCheckData*>(call.data);
    ThrowError(ErrorKind::kConstraint, data.state, data.message);
  }
  result.Reference(arguments.column(0));
}

}  // namespace

BoundDomainCheck MakeDomainCheck(const LogicalType& type, const char* state, std::string message) {
  auto data = std::make_shared<DomainCheckData>();
  data->state = state;
  data->message = std::move(message);
  return {{.name = "domain_check",
           .argument_types = {type, TypeId::kBoolean},
           .return_type = type,
           .kernel = &TestDomain,
           .description = "The value, which must follow a rule of its domain.",
           .example = "",
           .nulls = NullHandling::kSpecial},
          std::move(data)};
}

}  // namespace scaup
