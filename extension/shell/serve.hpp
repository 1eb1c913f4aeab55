// The command `scaup serve`: a server for PostgreSQL's clients.
#pragma once

namespace scaup::shell {

/// Runs the server until SIGINT or SIGTERM. `arguments` begin with "serve". Returns the exit status.
/// REQUIRES: the process has no other thread yet.
int RunServe(int argument_count, char** arguments);

}  // namespace scaup::shell
