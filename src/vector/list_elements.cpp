// Elements of lists: runs of slots of one size, or slots one by one.
#include "vector/list_elements.hpp"

#include "type/packed_value.hpp"

namespace scaup {

ListElements::ListElements(const LogicalType& element)
    : element_(element), load_(FindSlotLoader(element)), load_lists_(FindSlotListLoader(element)) {
  if (load_lists_ == nullptr) slots_.resize(kVectorSize);
}

void ListElements::Begin(TypedView<StringRef> lists, size_t count) {
  lists_ = lists;
  count_ = count;
  next_ = SlotPosition();
}

size_t ListElements::Next(Vector& target, sel_t* rows) {
  SCAUP_ASSERT(target.is_flat());
  if (load_lists_ == nullptr) return NextOfVaryingSize(target, rows);
  const size_t loaded = load_lists_(lists_, count_, next_, target, rows);
  if (loaded < kVectorSize && next_.row < count_) {
    std::string_view rest = lists_[next_.row].view().substr(next_.byte);
    TakeSlot(element_, rest);  // throws, as a rest that is no slot is damaged
  }
  return loaded;
}

size_t ListElements::NextOfVaryingSize(Vector& target, sel_t* rows) {
  size_t loaded = 0;
  for (; next_.row < count_; next_ = {next_.row + 1, 0}) {
    if (!lists_.IsValid(next_.row)) continue;
    const std::string_view list = lists_[next_.row].view();
    std::string_view rest = list.substr(next_.byte);
    for (; !rest.empty() && loaded < kVectorSize; loaded++) {
      slots_[loaded] = TakeSlot(element_, rest);
      load_(element_, slots_[loaded], target, loaded);
      rows[loaded] = static_cast<sel_t>(next_.row);
    }
    next_.byte = list.size() - rest.size();
    if (!rest.empty()) break;
  }
  return loaded;
}

}  // namespace scaup
