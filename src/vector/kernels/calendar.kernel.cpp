// Kernels: years, months and days of dates.
#include "vector/function_kernels.hpp"
#include "vector/kernels/kernel_list.hpp"

namespace scaup::kernels::SCAUP_KERNEL_LEVEL {
namespace {

// The algorithm of CivilFromDays (type/time/date_time.hpp; Neri and Schneider 2022), limited to a range in
// which 32-bit multiplications suffice.
constexpr uint32_t kCycles = 20, kDaysOfCycle = 146097;
constexpr uint32_t kFirstDay = 719468 + kCycles * kDaysOfCycle;
constexpr uint32_t kMostDays = uint32_t{1} << 23;

template <CivilField kField>
bool Civil(const int32_t* days, size_t count, double* __restrict out) {
  uint32_t largest = 0;
  for (size_t i = 0; i < count; i++) {
    const uint32_t shifted = static_cast<uint32_t>(days[i]) + kFirstDay;
    largest = shifted > largest ? shifted : largest;
  }
  if (largest >= kMostDays) return false;
  for (size_t i = 0; i < count; i++) {
    const uint32_t quarters = 4 * (static_cast<uint32_t>(days[i]) + kFirstDay) + 3;
    const uint32_t century = quarters / kDaysOfCycle;
    const uint32_t quarters_of_century = quarters % kDaysOfCycle | 3;
    constexpr uint32_t kYearFactor = 2939745;  // 2^32 / 1461, rounded up
    const uint64_t product = uint64_t{kYearFactor} * quarters_of_century;
    const auto year_of_century = static_cast<uint32_t>(product >> 32);
    const uint32_t day_of_year = static_cast<uint32_t>(product) / kYearFactor / 4;
    const uint32_t months = 2141 * day_of_year + 197913;  // 2^16 / 30.6; upper half: month, lower: day
    const uint32_t is_next_year = day_of_year >= 306;     // January and February
    if constexpr (kField == CivilField::kYear) {
      const uint32_t year = 100 * century + year_of_century + is_next_year;
      out[i] = static_cast<double>(static_cast<int32_t>(year) - static_cast<int32_t>(400 * kCycles));
    } else if constexpr (kField == CivilField::kMonth) {
      out[i] = static_cast<double>(static_cast<int32_t>((months >> 16) - 12 * is_next_year));
    } else {
      out[i] = static_cast<double>(static_cast<int32_t>((months & 0xffff) / 2141 + 1));
    }
  }
  return true;
}

}  // namespace

void FillCalendar(FunctionKernels& table) {
  table.civil_field[static_cast<size_t>(CivilField::kYear)] = &Civil<CivilField::kYear>;
  table.civil_field[static_cast<size_t>(CivilField::kMonth)] = &Civil<CivilField::kMonth>;
  table.civil_field[static_cast<size_t>(CivilField::kDay)] = &Civil<CivilField::kDay>;
}

}  // namespace scaup::kernels::SCAUP_KERNEL_LEVEL
