// Measures a statement for `.timer on`.
#pragma once

#include <string>

namespace scaup::shell {

/// Real time and the process's CPU time since it was made.
class StatementTimer {
 public:
  StatementTimer();
  /// "Time: 12.3 ms (user 10.1 ms, sys 2.0 ms)"
  std::string Report() const;

 private:
  double real_;
  double user_;
  double system_;
};

}  // namespace scaup::shell
