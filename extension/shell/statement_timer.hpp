// Statement timer: measures a statement for `.timer on`.
#pragma once

#include <string>

namespace scaup::shell {

/// Measures the real time, and the CPU time of the process, since it was made.
class StatementTimer {
 public:
  StatementTimer();
  /// Returns a text such as "Time: 12.3 ms (user 10.1 ms, sys 2.0 ms)".
  std::string Report() const;

 private:
  double real_;
  double user_;
  double system_;
};

}  // namespace scaup::shell
