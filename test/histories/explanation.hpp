// Looks for an order of a history's transactions that explains all that they were told.
#pragma once

#include <string>

#include "histories/history.hpp"

namespace scaup::test {

/// Empty if the committed transactions, one after the other in the order of their commits (those that changed
/// nothing: at their start), would have been told the same and left the same rows. Where calls overlapped,
/// any order of them counts.
std::string ExplainSerially(const History& history);

/// Empty if every transaction, committed or not, was told what its snapshot and its own changes say, no two
/// concurrent ones that committed wrote the same row or made the same key, and the final rows are theirs.
std::string ExplainBySnapshots(const History& history);

}  // namespace scaup::test
