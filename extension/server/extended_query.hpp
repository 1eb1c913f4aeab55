// ExtendedQuery: Parse, Bind, Describe, Execute, Close and Sync.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "client_state.hpp"
#include "parsed_statement.hpp"
#include "portal.hpp"

namespace scaup::server {

/// The prepared statements and portals of one client. Borrows the client's state. Used by one thread.
class ExtendedQuery {
 public:
  explicit ExtendedQuery(ClientState& client) : client_(client) {}

  /// Answers a message. After an error it skips all messages but Sync. Does not handle Sync, Query and
  /// Terminate. Throws ProtocolError for malformed messages and those that do not exist.
  void Answer(const Message& message);
  /// Commits, forgets portals that have lost their transaction, and sends ReadyForQuery.
  void Sync();
  /// Called before a Query message: drops the statement and portal without a name.
  void BeginSimpleQuery();
  ParsedStatements& statements() { return statements_; }
  bool skips() const { return skips_; }

 private:
  void Dispatch(const Message& message);
  void Parse(MessageReader reader);
  void Bind(MessageReader reader);
  void Describe(MessageReader reader);
  void Execute(MessageReader reader);
  void Close(MessageReader reader);
  void DescribeStatement(ParsedStatement& statement);
  /// Executes what the engine does not. Returns whether it was such a statement.
  bool ExecuteOwn(const ParsedStatement& statement);
  ParsedStatement& RequireStatement(std::string_view name);
  Portal& RequirePortal(std::string_view name);
  /// Returns whether DECLARE has made a cursor of this name. Clients name those like portals.
  bool HasCursor(std::string_view name);
  void DescribeCursor(std::string_view name);
  /// Makes the rows of all portals but `next` independent of the session's next statement.
  void RetainOthers(const Portal* next);

  ClientState& client_;
  ParsedStatements statements_;
  std::map<std::string, std::unique_ptr<Portal>, std::less<>> portals_;
  bool skips_ = false;
  std::string text_;  ///< of the statement that is being answered, for positions of errors
};

}  // namespace scaup::server
