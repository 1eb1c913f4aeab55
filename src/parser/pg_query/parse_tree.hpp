// libpg_query's tree, read from its JSON: small handles to walk it with.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scaup {

/// One value of the tree, or nothing. A copyable handle, valid as long as its ParseTree. Fields that are
/// absent (libpg_query leaves out zeros, nulls and empty lists) read as nothing, "", 0 and false.
class TreeNode {
 public:
  TreeNode() = default;
  explicit operator bool() const { return raw_[0] != 0; }

  TreeNode operator[](std::string_view key) const;
  std::string_view Text(std::string_view key) const;
  int64_t Integer(std::string_view key) const;
  bool Flag(std::string_view key) const;
  /// The elements of an array field, or none.
  std::vector<TreeNode> Items(std::string_view key) const;
  /// The strings of an array of {"String":{"sval":...}}.
  std::vector<std::string> Strings(std::string_view key) const;
  std::vector<std::string_view> Keys() const;
  /// {"A_Expr":{...}} is ("A_Expr", {...}); of {} and nothing it is ("", nothing).
  std::pair<std::string_view, TreeNode> Unwrap() const;
  std::string_view Tag() const { return Unwrap().first; }
  TreeNode Body() const { return Unwrap().second; }

 private:
  friend class ParseTree;
  std::array<uint64_t, 2> raw_{};  ///< a simdjson element, which this header does not want to know
};

/// Owns the tree of one statement.
class ParseTree {
 public:
  /// `json` may go away afterwards. `max_depth` bounds the nesting of the JSON.
  ParseTree(std::string_view json, size_t max_depth);
  ~ParseTree();
  ParseTree(const ParseTree&) = delete;
  ParseTree& operator=(const ParseTree&) = delete;

  TreeNode root() const { return root_; }

 private:
  struct Document;
  std::unique_ptr<Document> document_;
  TreeNode root_;
};

}  // namespace scaup
