// Statements that are executed in one go, and scripts.
#include <memory>

#include "edge.hpp"
#include "handles.hpp"

using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::RequireOutput;
using scaup::c::TextOf;

scaup_status scaup_query(scaup_connection* connection, const char* sql, size_t length, scaup_result** out,
                         scaup_error** error) {
  return Guard(error, [&] {
    if (out != nullptr) *out = nullptr;
    Require(sql, "the SQL text");
    // Made before the statement runs: what has been done must not look as if it had failed.
    auto made = std::make_unique<scaup_result>();
    made->result = Require(connection, "the connection").connection.Query(TextOf(sql, length));
    if (out != nullptr) *out = made.release();
  });
}

scaup_status scaup_query_stream(scaup_connection* connection, const char* sql, size_t length,
                                scaup_stream** out, scaup_error** error) {
  return Guard(error, [&] {
    scaup_stream*& opened = RequireOutput(out);
    Require(sql, "the SQL text");
    opened = new scaup_stream(Require(connection, "the connection").connection.Stream(TextOf(sql, length)));
  });
}

scaup_status scaup_split(const char* sql, size_t length, scaup_script** out, scaup_error** error) {
  return Guard(error, [&] {
    scaup_script*& made = RequireOutput(out);
    Require(sql, "the SQL text");
    made = new scaup_script{scaup::SplitStatements(TextOf(sql, length))};
  });
}

size_t scaup_script_count(const scaup_script* script) {
  return script == nullptr ? 0 : script->statements.size();
}

const char* scaup_script_statement(const scaup_script* script, size_t index) {
  return index < scaup_script_count(script) ? script->statements[index].c_str() : nullptr;
}

void scaup_script_free(scaup_script* script) { delete script; }
