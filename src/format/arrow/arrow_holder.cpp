// Ownership of exported Arrow arrays.
#include "format/arrow/arrow_holder.hpp"

#include <cstring>

namespace scaup {

namespace {

void Release(ArrowArray* array) {
  delete static_cast<ArrowHolder*>(array->private_data);
  array->release = nullptr;
}

}  // namespace

ArrowHolder::~ArrowHolder() {
  // A child that a consumer has moved away is already released.
  for (const auto& child : children_) {
    if (child->release != nullptr) child->release(child.get());
  }
  if (dictionary_ && dictionary_->release != nullptr) dictionary_->release(dictionary_.get());
}

std::byte* ArrowHolder::Allocate(size_t size_bytes, bool is_zeroed) {
  reservation_.Resize(reservation_.size_bytes() + size_bytes);
  memory_.push_back(std::make_unique_for_overwrite<std::byte[]>(size_bytes));
  if (is_zeroed) std::memset(memory_.back().get(), 0, size_bytes);
  return memory_.back().get();
}

ArrowArray* ArrowHolder::AddChild() {
  children_.push_back(std::make_unique<ArrowArray>());
  return children_.back().get();
}

ArrowArray* ArrowHolder::MakeDictionary() {
  dictionary_ = std::make_unique<ArrowArray>();
  return dictionary_.get();
}

void ArrowHolder::Publish(std::unique_ptr<ArrowHolder> holder, size_t length, size_t null_count,
                          ArrowArray* out) {
  for (const auto& child : holder->children_) holder->child_pointers_.push_back(child.get());
  *out = {};
  out->length = static_cast<int64_t>(length);
  out->null_count = static_cast<int64_t>(null_count);
  out->n_buffers = static_cast<int64_t>(holder->buffers_.size());
  out->buffers = holder->buffers_.data();
  out->n_children = static_cast<int64_t>(holder->children_.size());
  out->children = holder->child_pointers_.data();
  out->dictionary = holder->dictionary_.get();
  out->release = &Release;
  out->private_data = holder.release();
}

}  // namespace scaup
