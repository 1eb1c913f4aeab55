// Takes columns apart into the values and levels of their leaves: the reverse of column_reader.cpp.
#include "format/parquet/write/column_shredder.hpp"

#include "common/stack_bound.hpp"
#include "type/packed_value.hpp"
#include "type/range_value.hpp"

namespace scaup {

ColumnShredder::ColumnShredder(const ParquetNode& node, const LogicalType& type,
                               std::vector<LeafValues>& leaves)
    : root_(MakePart(node, type)), leaves_(leaves) {}

ColumnShredder::Part ColumnShredder::MakePart(const ParquetNode& node, const LogicalType& given) {
  CheckStack();
  const LogicalType type = WithoutRange(given);
  Part part{&node, type, {}, {}};
  switch (node.kind) {
    case ParquetNode::Kind::kLeaf: part.appender = FindLeafAppender(type); break;
    case ParquetNode::Kind::kList: part.children.push_back(MakePart(node.children[0], type.element())); break;
    case ParquetNode::Kind::kStruct:
      for (size_t i = 0; i < node.children.size(); i++)
        part.children.push_back(MakePart(node.children[i], type.fields()[i].type));
      break;
  }
  return part;
}

void ColumnShredder::Add(Vector& rows, size_t row_count, size_t begin, size_t end) {
  const UnifiedView view = rows.View(row_count);
  if (root_.node->kind == ParquetNode::Kind::kLeaf) {
    return root_.appender.add_rows(root_.type, view, begin, end, leaves_[root_.node->first_leaf]);
  }
  const auto values = view.As<StringRef>();
  for (size_t row = begin; row < end; row++) {
    if (view.IsValid(row)) {
      AddContent(root_, values[row].view(), 0);
    } else {
      AddNothing(*root_.node, root_.node->definition - 1, 0);
    }
  }
}

void ColumnShredder::AddNothing(const ParquetNode& node, uint32_t definition, uint32_t repetition) {
  for (size_t i = node.first_leaf; i < node.last_leaf; i++) leaves_[i].AddEntry(definition, repetition);
}

void ColumnShredder::AddSlot(const Part& part, std::string_view slot, uint32_t repetition) {
  const ParquetNode& node = *part.node;
  // All nodes but keys of maps are optional: one level less means that it is NULL.
  if (IsNullSlot(slot)) return AddNothing(node, node.definition - 1, repetition);
  if (node.kind != ParquetNode::Kind::kLeaf)
    return AddContent(part, ReadNestedSlot(part.type, slot), repetition);
  LeafValues& leaf = leaves_[node.first_leaf];
  leaf.AddEntry(node.definition, repetition);
  part.appender.add_slot(part.type, slot, leaf);
}

void ColumnShredder::AddContent(const Part& part, std::string_view slots, uint32_t repetition) {
  CheckStack();
  const ParquetNode& node = *part.node;
  if (node.kind == ParquetNode::Kind::kStruct) {
    for (const Part& field : part.children) AddSlot(field, TakeSlot(field.type, slots), repetition);
    return;
  }
  if (slots.empty()) return AddNothing(node, node.definition, repetition);
  const Part& element = part.children[0];
  for (; !slots.empty(); repetition = node.repetition)
    AddSlot(element, TakeSlot(element.type, slots), repetition);
}

}  // namespace scaup
