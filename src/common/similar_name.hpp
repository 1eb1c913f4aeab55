// The name that the user probably meant, for "did you mean" hints.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// The candidate nearest to `name` by Levenshtein distance in bytes; "" if none is near or the name is very
/// long.
std::string MostSimilar(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace scaup
