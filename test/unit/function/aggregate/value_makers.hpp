// Random values for the tests of aggregates.
#pragma once

#include "aggregate_harness.hpp"

namespace scaup {

inline ValueMaker IntegersOf(LogicalType type, int64_t low, int64_t high) {
  return [=](std::mt19937_64& random) {
    return Value::FromInteger(type, std::uniform_int_distribution<int64_t>(low, high)(random));
  };
}

inline ValueMaker Doubles(double low, double high) {
  return [=](std::mt19937_64& random) {
    return Value::Double(std::uniform_real_distribution<double>(low, high)(random));
  };
}

/// Words of 0 to 40 letters, some inline and some not, out of few enough to meet again.
inline Value RandomWord(std::mt19937_64& random) {
  std::string word(random() % 41, 'a');
  for (char& letter : word) letter = static_cast<char>('a' + random() % 2);
  return Value::Varchar(word);
}

inline Value RandomInterval(std::mt19937_64& random) {
  Interval interval;
  interval.months = static_cast<int32_t>(random() % 25) - 12;
  interval.days = static_cast<int32_t>(random() % 101) - 50;
  interval.micros = static_cast<int64_t>(random() % 200'000'000'000) - 100'000'000'000;
  return Value::MakeInterval(interval);
}

}  // namespace scaup
