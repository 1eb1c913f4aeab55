// A plugin that uses Scaup inside, for a host in C that loads and unloads it.
#include <cstdint>
#include <cstring>
#include <string>
#include <thread>

#include "scaup/scaup.hpp"

// Statements on this thread and on others, errors, and a database that is gone at the end; 42 if all is well.
extern "C" __attribute__((visibility("default"))) int use_plugin() {
  try {
    scaup::Database database(":memory:", {{"threads", "4"}});
    scaup::Connection connection(database);
    connection.Query("CREATE TABLE t AS SELECT i FROM generate_series(1, 300000) AS g(i)");
    std::thread([&] {
      scaup::Connection other(database);
      other.Query("SELECT i % 10, count(*) FROM t GROUP BY 1");
    }).join();
    try {
      connection.Query("SELECT nothing FROM t");
      return 1;
    } catch (const scaup::Error& error) {
      if (error.kind() != scaup::ErrorKind::kBinder) return 2;
    }
    const auto rows = connection.Query("SELECT max(i) - 299958, upper('a') || 'b' FROM t");
    if (rows.GetString(1, 0) != "Ab") return 3;
    return static_cast<int>(rows.GetValue(0, 0).GetInteger());
  } catch (const std::exception&) {
    return 4;
  }
}
