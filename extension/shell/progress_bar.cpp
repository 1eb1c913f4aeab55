// Progress bar: the drawing thread.
#include "progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>

#include "text_width.hpp"

namespace scaup::shell {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kDelay = std::chrono::seconds(2);
constexpr auto kInterval = std::chrono::milliseconds(100);
constexpr size_t kMostCells = 40;

// Formats "[█████▌     ]  43 %   2.1 s", or only the time if the progress is not known.
std::string DrawLine(double progress, double seconds, size_t terminal_width) {
  char text[48];
  if (progress < 0) {
    std::snprintf(text, sizeof(text), "\r\033[K running %.1f s", seconds);
    return text;
  }
  const double share = std::min(progress, 1.0);
  const size_t room = terminal_width == 0 ? 80 : terminal_width;
  const size_t cells = std::min(kMostCells, room > 30 ? room - 26 : 4);
  const size_t full = static_cast<size_t>(share * static_cast<double>(cells));
  std::string line = "\r\033[K[";
  for (size_t i = 0; i < cells; ++i) line += i < full ? "█" : "·";
  std::snprintf(text, sizeof(text), "] %3.0f %%  %.1f s", share * 100, seconds);
  return line + text;
}

}  // namespace

ProgressBar::ProgressBar(const Connection& connection, bool enabled) : connection_(connection) {
  if (enabled && isatty(STDERR_FILENO)) thread_ = std::thread([this] { Run(); });
}

void ProgressBar::Stop() {
  if (!thread_.joinable()) return;
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_one();
  thread_.join();
}

void ProgressBar::Run() {
  const auto begin = Clock::now();
  std::unique_lock lock(mutex_);
  // Most statements end before the delay, and never draw anything.
  if (stopped_.wait_for(lock, kDelay, [this] { return stop_; })) return;
  const size_t width = TerminalWidth(STDERR_FILENO);
  do {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const std::string line = DrawLine(connection_.Progress(), seconds, width);
    std::fputs(line.c_str(), stderr);
    std::fflush(stderr);
  } while (!stopped_.wait_for(lock, kInterval, [this] { return stop_; }));
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
}

}  // namespace scaup::shell
