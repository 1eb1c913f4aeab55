// Reads the tree that libpg_query prints as JSON, with simdjson.
#include "parser/pg_query/parse_tree.hpp"

#include <simdjson.h>

#include <bit>
#include <new>
#include <type_traits>

#include "common/throw.hpp"
#include "type/text/simdjson_code.hpp"

namespace scaup {

namespace {

using simdjson::dom::element;
static_assert(sizeof(element) == 2 * sizeof(uint64_t) && std::is_trivially_copyable_v<element>);

element ToElement(const std::array<uint64_t, 2>& raw) { return std::bit_cast<element>(raw); }
std::array<uint64_t, 2> FromElement(element value) { return std::bit_cast<std::array<uint64_t, 2>>(value); }

}  // namespace

TreeNode TreeNode::operator[](std::string_view key) const {
  TreeNode field;
  element value;
  simdjson::dom::object object;
  if (!*this || ToElement(raw_).get(object) != simdjson::SUCCESS) return field;
  if (object.at_key(key).get(value) == simdjson::SUCCESS) field.raw_ = FromElement(value);
  return field;
}

std::string_view TreeNode::Text(std::string_view key) const {
  std::string_view text;
  const TreeNode field = (*this)[key];
  if (!field || ToElement(field.raw_).get(text) != simdjson::SUCCESS) return {};
  return text;
}

int64_t TreeNode::Integer(std::string_view key) const {
  int64_t value = 0;
  const TreeNode field = (*this)[key];
  if (!field || ToElement(field.raw_).get(value) != simdjson::SUCCESS) return 0;
  return value;
}

bool TreeNode::Flag(std::string_view key) const {
  bool value = false;
  const TreeNode field = (*this)[key];
  return field && ToElement(field.raw_).get(value) == simdjson::SUCCESS && value;
}

std::vector<TreeNode> TreeNode::Items(std::string_view key) const {
  std::vector<TreeNode> items;
  const TreeNode field = (*this)[key];
  simdjson::dom::array array;
  if (!field || ToElement(field.raw_).get(array) != simdjson::SUCCESS) return items;
  items.reserve(array.size());
  for (const element value : array) items.emplace_back().raw_ = FromElement(value);
  return items;
}

std::vector<std::string> TreeNode::Strings(std::string_view key) const {
  std::vector<std::string> strings;
  for (const TreeNode& item : Items(key)) strings.emplace_back(item["String"].Text("sval"));
  return strings;
}

std::vector<std::string_view> TreeNode::Keys() const {
  std::vector<std::string_view> keys;
  simdjson::dom::object object;
  if (!*this || ToElement(raw_).get(object) != simdjson::SUCCESS) return keys;
  for (const auto& field : object) keys.push_back(field.key);
  return keys;
}

std::pair<std::string_view, TreeNode> TreeNode::Unwrap() const {
  simdjson::dom::object object;
  if (!*this || ToElement(raw_).get(object) != simdjson::SUCCESS || object.begin() == object.end()) return {};
  const auto field = object.begin();
  TreeNode body;
  body.raw_ = FromElement(field.value());
  return {field.key(), body};
}

struct ParseTree::Document {
  simdjson::dom::parser parser;
};

ParseTree::ParseTree(std::string_view json, size_t max_depth) : document_(new Document) {
  element root;
  // Allocates no more than is needed: a copy of the text, and the stack of open brackets.
  simdjson::error_code error = SimdjsonCode().create_dom_parser_implementation(
      json.size() + 64, max_depth, document_->parser.implementation);
  if (error == simdjson::SUCCESS) error = document_->parser.parse(json.data(), json.size()).get(root);
  if (error == simdjson::MEMALLOC) throw std::bad_alloc();
  if (error != simdjson::SUCCESS) {
    ThrowInternal("the SQL parser's tree cannot be read");
  }
  root_.raw_ = FromElement(root);
}

ParseTree::~ParseTree() = default;

}  // namespace scaup
