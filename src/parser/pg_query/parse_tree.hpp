// Reads the tree that libpg_query prints as JSON, and gives handles to walk it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scaup {

/// A value of the tree, or nothing. A copyable handle; valid as long as its ParseTree. libpg_query omits
/// zeros, nulls and empty lists, so an absent field reads as nothing, "", 0 or false.
class TreeNode {
 public:
  TreeNode() = default;
  explicit operator bool() const { return raw_[0] != 0; }

  TreeNode operator[](std::string_view key) const;
  std::string_view Text(std::string_view key) const;
  int64_t Integer(std::string_view key) const;
  bool Flag(std::string_view key) const;
  /// Returns the elements of an array field; none if it is absent.
  std::vector<TreeNode> Items(std::string_view key) const;
  /// Returns the strings of an array of {"String":{"sval":...}}.
  std::vector<std::string> Strings(std::string_view key) const;
  std::vector<std::string_view> Keys() const;
  /// Returns ("A_Expr", {...}) for {"A_Expr":{...}}; ("", nothing) for {} and for nothing.
  std::pair<std::string_view, TreeNode> Unwrap() const;
  std::string_view Tag() const { return Unwrap().first; }
  TreeNode Body() const { return Unwrap().second; }

 private:
  friend class ParseTree;
  std::array<uint64_t, 2> raw_{};  ///< a simdjson element, kept out of this header
};

/// Owns the tree of one statement.
class ParseTree {
 public:
  /// Parses `json`, which is not used afterwards. `max_depth` limits the nesting of the JSON.
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
