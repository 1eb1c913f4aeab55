// The smallest program that uses the installed library: all public headers, a query, and a stream.
#include <scaup/arrow.h>
#include <scaup/scaup.hpp>

#include <cstdio>

int main() {
  scaup::Database database;
  scaup::Connection connection(database);
  connection.Query("CREATE TABLE numbers AS SELECT 40 AS n UNION ALL SELECT 2");
  ArrowArrayStream stream;
  connection.Stream("SELECT n FROM numbers").ExportArrow(&stream);
  stream.release(&stream);
  const scaup::QueryResult result = connection.Query("SELECT 'answer: ' || sum(n) FROM numbers");
  std::printf("%s\n", result.GetValue(0, 0).ToString().c_str());
}
