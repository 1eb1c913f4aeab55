// Runs a statement that is bound.
#include "main/session/ready_statement.hpp"

namespace scaup {

void ReadyStatement::Start() {
  SCAUP_ASSERT(prepared().plan.has_value());
  if (kept != nullptr) return execution->StartAgain(*kept, parameters);
  execution->StartFirst(own, parameters);
}

std::shared_ptr<const ResultData> ReadyStatement::Finish() {
  if (!execution) return result;
  if (is_started) {
    auto rows = execution->Finish();
    when_done();
    return rows;
  }
  if (prepared().direct) return execution->ExecuteDirectly(*prepared().direct);
  Start();
  return execution->Finish();
}

}  // namespace scaup
