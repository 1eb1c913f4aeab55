// Statement timer: reads the clocks.
#include "statement_timer.hpp"

#include <sys/resource.h>

#include <chrono>
#include <cstdio>

namespace scaup::shell {

namespace {

double RealMilliseconds() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

double Milliseconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) * 1000 + static_cast<double>(time.tv_usec) / 1000;
}

}  // namespace

StatementTimer::StatementTimer() : real_(RealMilliseconds()) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  user_ = Milliseconds(usage.ru_utime);
  system_ = Milliseconds(usage.ru_stime);
}

std::string StatementTimer::Report() const {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  char text[96];
  std::snprintf(text, sizeof(text), "Time: %.1f ms (user %.1f ms, sys %.1f ms)", RealMilliseconds() - real_,
                Milliseconds(usage.ru_utime) - user_, Milliseconds(usage.ru_stime) - system_);
  return text;
}

}  // namespace scaup::shell
