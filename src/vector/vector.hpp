// Vector: at most 1024 values of one type, in one of four forms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "common/memory/arena.hpp"
#include "scaup/value.hpp"
#include "type/physical_type.hpp"
#include "type/text/string_ref.hpp"
#include "vector/selection_vector.hpp"
#include "vector/validity_mask.hpp"

namespace scaup {

/// The forms a vector can take. Kernels read all of them through UnifiedView.
enum class VectorKind : uint8_t {
  kFlat,        ///< data()[row]
  kConstant,    ///< data()[0] for every row
  kDictionary,  ///< child.data()[selection[row]]; the child is flat and may be longer than 1024
  kSequence,    ///< start + row * increment, integers only
};

/// The memory that a vector writes to: room for 1024 values, their validity, and an arena for string bytes.
/// Shared by the vectors that refer to it; written only while a single vector holds it.
class VectorBuffer {
 public:
  /// The bytes of strings are accounted by `memory` (null: by nobody), which must outlive this.
  VectorBuffer(size_t value_bytes, MemoryTracker* memory);
  MemoryTracker* memory() const { return memory_; }
  std::byte* data() { return data_.get(); }
  ValidityWord* validity() { return validity_; }
  /// Where string bytes of this buffer live. Created on first use.
  Arena& heap();
  void ResetHeap() {
    if (heap_) heap_->Reset();
  }

 private:
  struct GiveBack {
    size_t value_bytes;
    void operator()(std::byte* data) const noexcept;
  };
  /// Behind the values.
  std::span<std::byte> StringRoom();

  std::unique_ptr<std::byte[], GiveBack> data_;
  MemoryTracker* memory_;
  std::optional<Arena> heap_;
  ValidityWord validity_[kValidityWords];
};

/// A dictionary: a flat child of any length, in memory that `owner` keeps alive.
struct Dictionary {
  const std::byte* data = nullptr;
  const ValidityWord* validity = nullptr;  ///< null: no NULLs
  size_t size = 0;
  std::shared_ptr<const void> owner;
  /// True where the dictionary lists distinct values that serve many vectors (a segment's dictionary), so
  /// that work done once per entry pays off; false where a selection was merely laid over a flat vector.
  bool is_distinct = false;
};

/// How to read row i of a vector of any kind: data[selection[i]], valid where validity is null or the bit is
/// set. Borrowed from the vector and valid as long as it is unchanged; `storage` helps to view sequences and
/// constants.
template <typename T>
struct TypedView {
  const T* data;
  const sel_t* selection;  ///< never null
  const ValidityWord* validity;
  const T& operator[](size_t row) const { return data[selection[row]]; }
  bool IsValid(size_t row) const { return validity == nullptr || TestValid(validity, selection[row]); }
  bool all_valid() const { return validity == nullptr; }
};

struct UnifiedView {
  const std::byte* data = nullptr;
  const sel_t* selection = nullptr;
  const ValidityWord* validity = nullptr;
  template <typename T>
  TypedView<T> As() const {
    return {reinterpret_cast<const T*>(data), selection, validity};
  }
  bool IsValid(size_t row) const { return validity == nullptr || TestValid(validity, selection[row]); }
};

/// A column of up to 1024 values. It does not know its length: the DataChunk, or the caller, does.
/// Movable, not copyable; Reference() shares memory instead. One thread at a time.
class Vector {
 public:
  /// A flat vector without memory; call Reset() before writing, or Reference() something.
  explicit Vector(LogicalType type);
  /// A constant vector.
  explicit Vector(const Value& value);
  Vector(Vector&&) noexcept = default;
  Vector& operator=(Vector&&) noexcept = default;

  const LogicalType& type() const { return type_; }
  PhysicalType physical_type() const { return physical_type_; }
  VectorKind kind() const { return kind_; }
  bool is_flat() const { return kind_ == VectorKind::kFlat; }
  bool is_constant() const { return kind_ == VectorKind::kConstant; }
  /// A constant NULL.
  bool is_null_constant() const { return is_constant() && validity_ != nullptr && !TestValid(validity_, 0); }

  // --- Writing
  // -------------------------------------------------------------------------------------------------
  /// Makes this an empty flat vector, all valid, with memory for 1024 values that nobody else sees.
  void Reset();
  /// Lets go of all memory, so that its writer can use it again. The vector becomes flat and unreadable.
  void Release();
  /// REQUIRES: flat or constant, after Reset().
  template <typename T>
  T* MutableData() {
    return reinterpret_cast<T*>(buffer_->data());
  }
  /// From the next Reset() on the bytes of this vector's strings are accounted by `memory` (null: by nobody),
  /// which must outlive everything that shares this vector's memory. Stays so for the vector's life.
  void AccountStrings(MemoryTracker* memory) { memory_ = memory; }
  MemoryTracker* string_memory() const { return memory_; }
  /// Marks row `row` of a vector after Reset() as NULL (in a constant vector: row 0).
  void SetNull(size_t row) { SetInvalid(MutableValidity(), row); }
  /// The validity words for writing; all rows are valid when they are made.
  ValidityWord* MutableValidity();
  /// Takes over which of the values are NULL. REQUIRES: flat; own memory that nobody else sees yet, or
  /// foreign memory.
  void SetValidity(const ValidityWord* words);
  /// Says again that no value is NULL.
  void SetAllValid() { validity_ = nullptr; }
  /// After Reset() and writing row 0: every row is that one.
  void SetConstant() { kind_ = VectorKind::kConstant; }
  void SetConstantNull();
  /// Row `row` of a vector after Reset() becomes `value` (cast to type() beforehand).
  void SetValue(size_t row, const Value& value);
  /// Copies bytes that are not inline to this vector's heap.
  StringRef AddString(std::string_view bytes) {
    if (bytes.size() > StringRef::kInlineBytes) return AddLongString(bytes);
    return StringRef(bytes.data(), static_cast<uint32_t>(bytes.size()));
  }
  /// Room for a string of `length` bytes on this vector's heap, for the caller to fill.
  char* AllocateString(size_t length) { return reinterpret_cast<char*>(buffer_->heap().Allocate(length, 1)); }

  // --- Sharing
  // -------------------------------------------------------------------------------------------------
  /// Becomes the same column as `other`, sharing its memory. The type stays this vector's own and must have
  /// the same physical type.
  void Reference(const Vector& other);
  /// Becomes a constant.
  void ReferenceValue(const Value& value);
  /// Becomes a flat view of foreign memory that `owner` keeps alive (null: the caller guarantees it).
  void ReferenceFlat(const std::byte* data, const ValidityWord* validity, std::shared_ptr<const void> owner);
  /// Becomes the dictionary vector dictionary[selection[row]]; `selection` is shared.
  void ReferenceDictionary(Dictionary dictionary, SelectionRef selection);
  /// Becomes start + row * increment.
  void MakeSequence(int64_t start, int64_t increment);
  /// Keeps of `other`, which has `other_size` rows, the rows selection[0 .. count): a constant stays one, a
  /// dictionary's selections are composed, a flat one becomes a dictionary vector over `other`'s memory.
  void Slice(const Vector& other, size_t other_size, const SelectionRef& selection, size_t count);
  /// Keeps `memory` alive too, as long as this vector, or one that references it, refers to what it refers to
  /// now.
  void KeepAlive(std::shared_ptr<const void> memory);

  /// The owner that keeps the values of a flat or constant vector alive; null where the caller guarantees it.
  std::shared_ptr<const void> SharedMemory() const;

  // --- Reading
  // -------------------------------------------------------------------------------------------------
  /// REQUIRES: flat or constant.
  template <typename T>
  const T* Data() const {
    return reinterpret_cast<const T*>(data_);
  }
  /// Null when no value is NULL. REQUIRES: flat or constant.
  const ValidityWord* Validity() const { return validity_; }
  /// REQUIRES: dictionary.
  const Dictionary& dictionary() const { return dictionary_; }
  const SelectionRef& selection() const { return selection_; }
  /// A view of the first `count` rows, whatever the kind. A sequence is made flat first, hence not const.
  UnifiedView View(size_t count);
  template <typename T>
  TypedView<T> ViewAs(size_t count) {
    return View(count).As<T>();
  }
  /// Makes this flat, copying where it is not. Strings keep pointing to the bytes they had.
  void Flatten(size_t count);
  /// Makes this flat in memory of its own, for writing to some of its rows; strings keep pointing to the
  /// bytes they had.
  void Unshare(size_t count);
  /// One value, boxed; slow, for the edges only.
  Value GetValue(size_t row) const;

 private:
  void EnsureOwnBuffer();
  StringRef AddLongString(std::string_view bytes);

  LogicalType type_;
  PhysicalType physical_type_;
  VectorKind kind_ = VectorKind::kFlat;
  const std::byte* data_ = nullptr;         // Flat and constant: what is read.
  const ValidityWord* validity_ = nullptr;  // Flat and constant.
  std::shared_ptr<VectorBuffer> buffer_;    // What is written; kept for reuse.
  MemoryTracker* memory_ = nullptr;         // For buffers made from now on.
  std::shared_ptr<const void> owner_;  // Keeps alive what lies outside buffer_: values, or bytes of strings.
  Dictionary dictionary_;
  SelectionRef selection_;
  int64_t sequence_start_ = 0;
  int64_t sequence_increment_ = 0;
};

/// Makes row `row` of the flat `target`, in which it is not NULL yet, the value at `value` as it lies in a
/// flat vector (null: NULL); a string is copied into target's heap.
void PutValue(const std::byte* value, Vector& target, size_t row);
/// Copies row `source_row` of `source` to row `target_row` of the flat `target`, strings into target's heap.
void CopyRow(const UnifiedView& source, size_t source_row, Vector& target, size_t target_row);
/// Appends rows [0, count) of `source` at `target_offset` of the flat vector `target`; strings are copied to
/// its heap.
void AppendVector(Vector& source, size_t count, Vector& target, size_t target_offset);
/// Combines (or, for the first column, sets) hashes[row] with the hash of each value; NULLs hash alike.
void HashVector(Vector& input, size_t count, uint64_t* hashes, bool combine);

}  // namespace scaup
