// typeof and pg_typeof: the name of an expression's type.
#include "function/scalar/scalar_functions.hpp"
#include "type/type_name.hpp"

namespace scaup {
namespace {

struct NameData final : FunctionData {
  std::string name;
};

void Kernel(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<StringRef>()[0] = result.AddString(static_cast<const NameData*>(call.data)->name);
  result.SetConstant();
}

template <bool kPostgres>
std::unique_ptr<FunctionData> BindTypeof(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = std::make_unique<NameData>();
  data->name = kPostgres ? PostgresTypeName(arguments[0].type) : arguments[0].type.ToString();
  function.argument_types = {arguments[0].type};
  return data;
}

}  // namespace

ScalarFunctionList TypeOfFunctions() {
  return {{.name = "typeof",
           .argument_types = {kAnyType},
           .return_type = TypeId::kVarchar,
           .kernel = &Kernel,
           .description = "The name of the type.",
           .example = "typeof(1)",
           .bind = &BindTypeof<false>,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true},
          {.name = "pg_typeof",
           .argument_types = {kAnyType},
           .return_type = TypeId::kVarchar,
           .kernel = &Kernel,
           .description = "PostgreSQL's name of the type.",
           .example = "pg_typeof(1)",
           .bind = &BindTypeof<true>,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true}};
}

}  // namespace scaup
