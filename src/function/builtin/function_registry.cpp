// The built-in functions by name.
#include "function/function_registry.hpp"

#include "function/aggregate/aggregate_functions.hpp"
#include "function/scalar/catalog/server_functions.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/scalar_functions.hpp"

namespace scaup {
namespace {

using ScalarFamily = ScalarFunctionList (*)();

// One line per family; scalar/scalar_functions.hpp declares them.
constexpr ScalarFamily kScalarFamilies[] = {
    // operators/
    &ArithmeticFunctions,
    &DivisionFunctions,
    &NumericOperatorFunctions,
    &NegationFunctions,
    &BitwiseFunctions,
    &ConcatOperatorFunctions,
    &LikeFunctions,
    &RegexOperatorFunctions,
    &BitFunctions,
    // bits/
    &BitOperatorFunctions,
    &BitStringFunctions,
    // math/
    &AbsFunctions,
    &RoundingFunctions,
    &ExponentialFunctions,
    &TrigonometryFunctions,
    &GcdFunctions,
    &RandomFunctions,
    &SequenceFunctions,
    &GreatestFunctions,
    &GammaFunctions,
    &NumberTestFunctions,
    &ToCharNumberFunctions,
    &ToNumberFunctions,
    &ToBaseFunctions,
    &FloatingFunctions,
    &NumericFunctions,
    &NumericBucketFunctions,
    // string/
    &LengthFunctions,
    &CaseFunctions,
    &SubstringFunctions,
    &PositionFunctions,
    &ReplaceFunctions,
    &TrimFunctions,
    &PadFunctions,
    &ReverseFunctions,
    &SplitPartFunctions,
    &ConcatFunctions,
    &CharacterCodeFunctions,
    &Md5Functions,
    &Sha1Functions,
    &UrlFunctions,
    &PathFunctions,
    &PrintfFunctions,
    &SimilarityFunctions,
    &OverlayFunctions,
    &RegexpFunctions,
    &FormatFunctions,
    &RegexpSearchFunctions,
    &Sha2Functions,
    &EncodeFunctions,
    &DistanceFunctions,
    &NormalizeFunctions,
    &BinaryDigitFunctions,
    &ByteSizeFunctions,
    &ParseIdentFunctions,
    &GraphemeFunctions,
    // text/
    &TextSearchFunctions,
    // conditional/
    &CoalesceFunctions,
    &NullIfFunctions,
    &IfFunctions,
    // temporal/
    &DateArithmeticFunctions,
    &IntervalArithmeticFunctions,
    &DatePartFunctions,
    &DateTruncFunctions,
    &DateDiffFunctions,
    &AgeFunctions,
    &MakeDateFunctions,
    &NowFunctions,
    &TimeTzFunctions,
    &TimeZoneFunctions,
    &ToCharFunctions,
    &ToDateFunctions,
    &StrftimeFunctions,
    &JustifyFunctions,
    &DateBinFunctions,
    &EpochFunctions,
    &TimeBucketFunctions,
    &OverlapsFunctions,
    &DateNameFunctions,
    // nested/
    &ListMakeFunctions,
    &ListAccessFunctions,
    &ListSizeFunctions,
    &ListSeriesFunctions,
    &ListBucketFunctions,
    &ListDistanceFunctions,
    &CountNullsFunctions,
    &ListSearchFunctions,
    &ListEditFunctions,
    &ListTextFunctions,
    &RegexpListFunctions,
    &ListAggregateFunctions,
    &QuantifiedFunctions,
    &StructFunctions,
    &MapMakeFunctions,
    &MapAccessFunctions,
    &StructFieldFunctions,
    &ListShapeFunctions,
    // range/
    &RangeMakeFunctions,
    &RangeTestFunctions,
    &RangeSetFunctions,
    // misc/
    &TypeOfFunctions,
    &EnumFunctions,
    &ServerFunctions,
    &SystemFunctions,
    &SettingFunctions,
    &RelationFunctions,
    &UuidFunctions,
    &ErrorFunctions,
    &HashFunctions,
    // json/
    &JsonAccessFunctions,
    &JsonConstructFunctions,
    &JsonObjectFunctions,
    &JsonInspectFunctions,
    &JsonModifyFunctions,
    &JsonSetFunctions,
    &JsonLayoutFunctions,
    &JsonSetAtPathFunctions,
    &JsonPartFunctions,
    &JsonPathFunctions,
    &JsonPopulateFunctions,
    &JsonStructureFunctions,
    &JsonTransformFunctions,
    &JsonChangeFunctions,
};

/// Sorts by name, so that the overloads of a name are contiguous and a span can refer to them.
template <typename Function>
void SortByName(std::vector<Function>& functions) {
  std::stable_sort(functions.begin(), functions.end(),
                   [](const Function& a, const Function& b) { return a.name < b.name; });
}

template <typename Function>
std::span<const Function> FindByName(const std::vector<Function>& functions, std::string_view name) {
  const auto first = std::lower_bound(functions.begin(), functions.end(), name,
                                      [](const Function& a, std::string_view b) { return a.name < b; });
  auto last = first;
  while (last != functions.end() && last->name == name) ++last;
  return {first, last};
}

}  // namespace

struct FunctionRegistry::Impl {
  std::shared_ptr<const Impl> base;  ///< further functions, under other names; may be null
  std::vector<ScalarFunction> scalar;
  std::vector<AggregateFunction> aggregate;
  std::vector<RowsFunctionRef> rows;
};

FunctionRegistry::FunctionRegistry() {
  auto impl = std::make_shared<Impl>();
  for (const ScalarFamily family : kScalarFamilies) {
    for (ScalarFunction& function : family()) impl->scalar.push_back(std::move(function));
  }
  impl->aggregate = BuiltinAggregates();
  SortByName(impl->scalar);
  SortByName(impl->aggregate);
  impl_ = std::move(impl);
}

const FunctionRegistry& FunctionRegistry::Builtin() {
  static const FunctionRegistry& registry = *new FunctionRegistry;  // never destroyed, see CONTRIBUTING.md
  return registry;
}

FunctionRegistry FunctionRegistry::With(std::vector<ScalarFunction> more,
                                        std::vector<AggregateFunction> aggregates,
                                        std::vector<RowsFunctionRef> rows) const {
  auto impl = std::make_shared<Impl>();
  impl->base = impl_;
  impl->scalar = std::move(more);
  impl->aggregate = std::move(aggregates);
  impl->rows = std::move(rows);
  SortByName(impl->scalar);
  SortByName(impl->aggregate);
  FunctionRegistry registry = *this;
  registry.impl_ = std::move(impl);
  return registry;
}

std::span<const ScalarFunction> FunctionRegistry::ScalarOverloads(std::string_view name) const {
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->base.get()) {
    const auto overloads = FindByName(impl->scalar, name);
    if (!overloads.empty()) return overloads;
  }
  return {};
}

std::span<const AggregateFunction> FunctionRegistry::AggregateOverloads(std::string_view name) const {
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->base.get()) {
    const auto overloads = FindByName(impl->aggregate, name);
    if (!overloads.empty()) return overloads;
  }
  return {};
}

RowsFunctionRef FunctionRegistry::FindRows(std::string_view name) const {
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->base.get()) {
    for (const RowsFunctionRef& function : impl->rows)
      if (function->name() == name) return function;
  }
  return nullptr;
}

std::vector<const ScalarFunction*> FunctionRegistry::AllScalar() const {
  std::vector<const ScalarFunction*> all;
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->base.get())
    std::ranges::transform(impl->scalar, std::back_inserter(all), [](const auto& each) { return &each; });
  return all;
}

std::vector<const AggregateFunction*> FunctionRegistry::AllAggregate() const {
  std::vector<const AggregateFunction*> all;
  for (const Impl* impl = impl_.get(); impl != nullptr; impl = impl->base.get())
    std::ranges::transform(impl->aggregate, std::back_inserter(all), [](const auto& each) { return &each; });
  return all;
}

}  // namespace scaup
