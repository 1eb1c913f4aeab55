// to_base: a number in another base; bar: a number as a bar of blocks.
#include <algorithm>
#include <cmath>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowParameter(const std::string& message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, message);
}

std::string InBase(int64_t number, int32_t base, int32_t width) {
  constexpr std::string_view kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  constexpr int32_t kMostWidth = 64;
  if (number < 0) ThrowParameter("to_base needs a number from 0 up; it is " + std::to_string(number));
  if (base < 2 || base > static_cast<int32_t>(kDigits.size()))
    ThrowParameter("to_base needs a base from 2 to 36; it is " + std::to_string(base));
  if (width < 0 || width > kMostWidth)
    ThrowParameter("to_base needs a least width from 0 to 64; it is " + std::to_string(width));
  std::string digits;
  do {
    digits.push_back(kDigits[static_cast<size_t>(number % base)]);
    number /= base;
  } while (number > 0);
  if (digits.size() < static_cast<size_t>(width))
    digits.append(static_cast<size_t>(width) - digits.size(), '0');
  std::reverse(digits.begin(), digits.end());
  return digits;
}

void ToBase(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapBinary<int64_t, int32_t, StringRef>(
      arguments.column(0), arguments.column(1), arguments.size(), result,
      [&](int64_t number, int32_t base) { return result.AddString(InBase(number, base, 0)); });
}

void ToPaddedBase(const ScalarCall&, DataChunk& arguments, Vector& result) {
  MapTernary<int64_t, int32_t, int32_t, StringRef>(arguments.column(0), arguments.column(1),
                                                   arguments.column(2), arguments.size(), result,
                                                   [&](int64_t number, int32_t base, int32_t width) {
                                                     return result.AddString(InBase(number, base, width));
                                                   });
}

/// A bar of so many blocks that begins at `least` and is full at `most`; the last block may be a part of one,
/// in eighths.
std::string Bar(double value, double least, double most, double width) {
  constexpr std::string_view kBlocks[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
  constexpr double kMostWidth = 1000;
  if (!(width >= 1 && width <= kMostWidth)) ThrowParameter("bar needs a width from 1 to 1000");
  const double share = (value - least) / (most - least);
  // Also nothing for a value or bounds that are no numbers.
  const double full = !(most > least) || !(share > 0) ? 0 : std::min(share, 1.0) * width;
  const auto eighths = static_cast<size_t>(full * 8);
  const auto columns = static_cast<size_t>(width);
  std::string bar;
  for (size_t column = 0; column < columns; column++) {
    const size_t before = column * 8;
    bar += kBlocks[eighths <= before ? 0 : std::min<size_t>(eighths - before, 8)];
  }
  return bar;
}

void BarKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  constexpr double kWidth = 80;
  MapTernary<double, double, double, StringRef>(arguments.column(0), arguments.column(1), arguments.column(2),
                                                arguments.size(), result,
                                                [&](double value, double least, double most) {
                                                  return result.AddString(Bar(value, least, most, kWidth));
                                                });
}

void WideBarKernel(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size();
  TypedView<double> views[4] = {
      arguments.column(0).ViewAs<double>(count), arguments.column(1).ViewAs<double>(count),
      arguments.column(2).ViewAs<double>(count), arguments.column(3).ViewAs<double>(count)};
  for (size_t row = 0; row < count; row++) {
    if (std::all_of(std::begin(views), std::end(views),
                    [&](const auto& view) { return view.IsValid(row); })) {
      const std::string bar = Bar(views[0][row], views[1][row], views[2][row], views[3][row]);
      result.MutableData<StringRef>()[row] = result.AddString(bar);
    } else {
      result.SetNull(row);
    }
  }
}

}  // namespace

ScalarFunctionList ToBaseFunctions() {
  const LogicalType number = TypeId::kDouble, text = TypeId::kVarchar;
  return {{.name = "to_base",
           .argument_types = {TypeId::kBigInt, TypeId::kInteger},
           .return_type = text,
           .kernel = &ToBase,
           .description = "A number from 0 up in a base from 2 to 36.",
           .example = "to_base(42, 16)"},
          {.name = "to_base",
           .argument_types = {TypeId::kBigInt, TypeId::kInteger, TypeId::kInteger},
           .return_type = text,
           .kernel = &ToPaddedBase,
           .description = "The same with leading zeros, so many digits at least.",
           .example = "to_base(5, 2, 8)"},
          {.name = "bar",
           .argument_types = {number, number, number},
           .return_type = text,
           .kernel = &BarKernel,
           .description = "A bar of 80 characters for a value between a least and a greatest one.",
           .example = "bar(2, 0, 80)"},
          {.name = "bar",
           .argument_types = {number, number, number, number},
           .return_type = text,
           .kernel = &WideBarKernel,
           .description = "The same with another width.",
           .example = "bar(3.3, 0, 10, 10)"}};
}

}  // namespace scaup
