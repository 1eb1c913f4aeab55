// Parses the options of COPY TO by a table of their names.
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/throw.hpp"
#include "format/text/option_values.hpp"

namespace scaup {

/// An option of a format, and the function that reads its value. Names with the same function are one option.
template <typename Options>
struct WriteOption {
  const char* name;
  void (*set)(Options& options, const std::string& name, const Value& value);
};

/// Parses options from names (in any case) and values; NULL stands for an option without a value. Throws
/// Error(kBinder, 42601) for an unknown or repeated option, and what reading a value throws. `format`:
/// "Parquet".
template <typename Options>
Options ParseWriteOptions(std::string_view format, std::span<const WriteOption<Options>> known,
                          std::span<const std::pair<std::string, Value>> given) {
  Options result;
  std::set<const void*> seen;
  for (const auto& [given_name, value] : given) {
    const std::string name = LowerCase(given_name);
    const auto option = std::find_if(known.begin(), known.end(), [&](const WriteOption<Options>& candidate) {
      return name == candidate.name;
    });
    if (option == known.end()) {
      std::vector<const char*> names;
      for (const WriteOption<Options>& candidate : known) names.push_back(candidate.name);
      ThrowUnknownOption(format, name, names);
    }
    if (!seen.insert(reinterpret_cast<const void*>(option->set)).second) {
      ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
                 std::string(format) + " option \"" + name + "\" is given twice");
    }
    option->set(result, name, value);
  }
  return result;
}

}  // namespace scaup
