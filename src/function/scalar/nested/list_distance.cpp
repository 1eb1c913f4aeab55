// Products and distances of lists of numbers, as of vectors: list_dot_product, list_cosine_similarity, ...
#include <algorithm>
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/nested/list_binding.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowElements(const std::string& message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, message);
}

/// The sums over two lists of which all these functions are made.
struct Sums {
  double products = 0;
  double squares_of_a = 0;
  double squares_of_b = 0;
  double squares_of_differences = 0;
};

Sums AddUp(const LogicalType& element, std::string_view a, std::string_view b) {
  Sums sums;
  while (!a.empty() && !b.empty()) {
    const std::string_view a_slot = TakeSlot(element, a), b_slot = TakeSlot(element, b);
    if (IsNullSlot(a_slot) || IsNullSlot(b_slot)) ThrowElements("the lists must not contain NULLs");
    const double x = ReadFixedSlot<double>(a_slot), y = ReadFixedSlot<double>(b_slot);
    sums.products += x * y;
    sums.squares_of_a += x * x;
    sums.squares_of_b += y * y;
    sums.squares_of_differences += (x - y) * (x - y);
  }
  if (!a.empty() || !b.empty()) ThrowElements("the lists must have the same number of elements");
  return sums;
}

double DotProduct(const Sums& sums) { return sums.products; }
double NegativeDotProduct(const Sums& sums) { return -sums.products; }
double Distance(const Sums& sums) { return std::sqrt(sums.squares_of_differences); }
/// Within -1 and 1, beyond which rounding may lead. NaN for a list of zeros.
double CosineSimilarity(const Sums& sums) {
  const double similarity = sums.products / (std::sqrt(sums.squares_of_a) * std::sqrt(sums.squares_of_b));
  return std::isnan(similarity) ? similarity : std::clamp(similarity, -1.0, 1.0);
}
double CosineDistance(const Sums& sums) { return 1 - CosineSimilarity(sums); }

template <double (*kMeasure)(const Sums&)>
void Measure(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const LogicalType element = TypeId::kDouble;
  MapBinary<StringRef, StringRef, double>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](const StringRef& a, const StringRef& b) { return kMeasure(AddUp(element, a.view(), b.view())); });
}

template <double (*kMeasure)(const Sums&)>
void Add(ScalarFunctionList& list, std::initializer_list<const char*> names, const char* description) {
  const LogicalType numbers = LogicalType::List(TypeId::kDouble);
  for (const char* prefix : {"list_", "array_"}) {
    for (const char* name : names) {
      list.push_back({.name = std::string(prefix) + name,
                      .argument_types = {numbers, numbers},
                      .return_type = TypeId::kDouble,
                      .kernel = &Measure<kMeasure>,
                      .description = description,
                      .example = std::string(prefix) + name + "([1.0, 2.0], [3.0, 4.0])"});
    }
  }
}

}  // namespace

ScalarFunctionList ListDistanceFunctions() {
  ScalarFunctionList list;
  Add<&DotProduct>(list, {"dot_product", "inner_product"}, "The sum of the products of the elements.");
  Add<&NegativeDotProduct>(list, {"negative_dot_product", "negative_inner_product"},
                           "The same with the other sign, so that less is nearer.");
  Add<&Distance>(list, {"distance"}, "The Euclidean distance of two lists.");
  Add<&CosineSimilarity>(list, {"cosine_similarity"}, "The cosine of the angle between two lists.");
  Add<&CosineDistance>(list, {"cosine_distance"}, "1 minus the cosine of the angle between two lists.");
  return list;
}

}  // namespace scaup
