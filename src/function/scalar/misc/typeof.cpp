// typeof and pg_typeof: the name of an expression's type; can_cast_implicitly: what it goes to without a
// cast.
#include "function/scalar/scalar_functions.hpp"
#include "type/type_name.hpp"
#include "type/type_rules.hpp"

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

struct TruthData final : FunctionData {
  bool is_true = false;
};

void Truth(const ScalarCall& call, DataChunk&, Vector& result) {
  result.MutableData<uint8_t>()[0] = static_cast<const TruthData*>(call.data)->is_true;
  result.SetConstant();
}

std::unique_ptr<FunctionData> BindImplicitCast(ScalarFunction& function,
                                               std::span<const BindArgument> arguments) {
  for (size_t i = 0; i < arguments.size(); i++) {
    const bool is_literal = arguments[i].type.id() == TypeId::kNull && arguments[i].constant != nullptr &&
                            !arguments[i].constant->is_null();
    function.argument_types[i] = is_literal ? LogicalType(TypeId::kVarchar) : arguments[i].type;
  }
  auto data = std::make_unique<TruthData>();
  data->is_true = ImplicitCastCost(function.argument_types[0], function.argument_types[1]).has_value();
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
           .any_types = true},
          {.name = "can_cast_implicitly",
           .argument_types = {kAnyType, kAnyType},
           .return_type = TypeId::kBoolean,
           .kernel = &Truth,
           .description = "Whether the first value becomes one of the second one's type without a cast.",
           .example = "can_cast_implicitly(1, NULL::BIGINT)",
           .bind = &BindImplicitCast,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true}};
}

}  // namespace scaup
