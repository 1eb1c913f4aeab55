// A writer and readers, each a process of its own, that step on each other at every call and die at any.
#pragma once

#include <cstdint>
#include <string>

namespace scaup::test {

/// The faults that are injected while a writer and readers run.
enum class ReaderDisturbance : uint8_t {
  kNone,
  kKills,    ///< processes die at any of their calls
  kCrashes,  ///< the machine loses power
  kFaults,   ///< calls fail, and syncs lose what was written
};

/// Runs a writer, which commits, writes checkpoints, closes and opens, beside readers. What a reader's
/// transaction sees must be the state after one of the commits: not before the last that was acknowledged
/// when it began, not after the one in flight, and none that is older than what the reader saw before.
/// Returns "" or what is wrong. Throws nothing.
std::string CheckReaders(uint64_t seed, int turns, ReaderDisturbance disturbance);

}  // namespace scaup::test
