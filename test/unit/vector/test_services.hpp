// The services that functions and operators borrow, for tests of the rooms above the functions.
#pragma once

#include <atomic>
#include <memory>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/settings/settings.hpp"
#include "common/task_scheduler.hpp"
#include "function/database_listing.hpp"
#include "function/function_context.hpp"
#include "scaup/error.hpp"
#include "vector/kernel_table.hpp"

namespace scaup::test {

struct NoListing final : DatabaseListing {
  std::vector<std::string> Schemas() const override { return {}; }
  std::vector<TableListing> Tables() const override { return {}; }
};

struct Services {
  explicit Services(size_t threads = 1, size_t memory_limit = size_t{1} << 32)
      : memory(memory_limit), scheduler(threads) {
    settings.threads = threads;
  }
  NoListing listing;
  std::unique_ptr<FileSystem> files = MakePosixFileSystem();
  MemoryTracker memory;
  TaskScheduler scheduler;
  Settings settings;
  std::atomic<bool> interrupted{false};
  FunctionContext context{*files,      memory, scheduler, settings, KernelsOf(BestKernelLevel()),
                          interrupted, listing};
};

}  // namespace scaup::test
