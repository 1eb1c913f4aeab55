// The name that somebody probably meant, for "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scaup {

/// The candidate nearest to `name` by edit distance (Levenshtein's, of bytes); "" if none is near, and for
/// names so long that nobody types them.
std::string MostSimilar(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace scaup
