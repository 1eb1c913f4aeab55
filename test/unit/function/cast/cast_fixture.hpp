// What the cast tests share: a context, vectors of every form, and the boxed cast to compare with.
#pragma once

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/settings/settings.hpp"
#include "common/task_scheduler.hpp"
#include "function/cast_function.hpp"
#include "function/database_listing.hpp"
#include "scaup/error.hpp"
#include "type/value_cast.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

class CastFixture {
 public:
  enum class Form { kFlat, kConstant, kDictionary, kDistinctDictionary };
  static constexpr Form kForms[] = {Form::kFlat, Form::kConstant, Form::kDictionary,
                                    Form::kDistinctDictionary};

  /// Casts `values` (all of type `from`) in the given form; nullopt if the cast threw.
  std::optional<std::vector<Value>> Cast(const std::vector<Value>& values, LogicalType from, LogicalType to,
                                         Form form, bool is_try) {
    const auto cast = FindCast(from, to);
    REQUIRE(cast);
    auto child = std::make_shared<Vector>(from);
    child->Reset();
    for (size_t i = 0; i < values.size(); i++) child->SetValue(i, values[i]);
    Vector source(from);
    size_t count = values.size();
    if (form == Form::kFlat) {
      source.Reference(*child);
    } else if (form == Form::kConstant) {
      source.ReferenceValue(values[0]);
    } else {
      auto selection = std::make_shared<SelectionVector>();
      // Twice over, backwards; the distinct form leaves no entry out.
      count = 2 * values.size();
      for (size_t i = 0; i < count; i++) selection->rows[i] = static_cast<sel_t>(values.size() - 1 - i / 2);
      Dictionary dictionary{child->Data<std::byte>(), child->Validity(), values.size(), child,
                            form == Form::kDistinctDictionary};
      source.ReferenceDictionary(dictionary, selection);
    }
    Vector result(to);
    result.Reset();
    error.clear();
    try {
      cast->kernel(CastCall{context, from, to, is_try}, source, count, result);
    } catch (const Error& caught) {
      error = caught.message();
      CHECK(cast->can_fail);
      return std::nullopt;
    }
    std::vector<Value> out(values.size());
    for (size_t i = 0; i < values.size(); i++) {
      out[i] =
          result.GetValue(form == Form::kFlat || form == Form::kConstant ? i : 2 * (values.size() - 1 - i));
    }
    return out;
  }

  /// Checks the cast of a column against the cast of each value, in all forms.
  void CompareWithValues(const std::vector<Value>& values, LogicalType from, LogicalType to) {
    for (const Form form : kForms) {
      const std::vector<Value> used = form == Form::kConstant ? std::vector<Value>{values[0]} : values;
      std::vector<Value> expected;
      bool all_fit = true;
      for (const Value& value : used) {
        Value result;
        const bool fits = CastValue(value, to, result);
        all_fit = all_fit && fits;
        expected.push_back(fits ? result : Value(to));
      }
      INFO(from.ToString() << " to " << to.ToString() << ", form " << static_cast<int>(form));
      CHECK(Cast(used, from, to, form, false).has_value() == all_fit);
      const auto tried = Cast(used, from, to, form, true);
      REQUIRE(tried);
      for (size_t i = 0; i < used.size(); i++) {
        if ((*tried)[i].ToString() != expected[i].ToString()) {
          FAIL("value " << used[i].ToString() << " gave " << (*tried)[i].ToString() << ", not "
                        << expected[i].ToString());
        }
      }
    }
  }

  std::string error;

 private:
  class NoListing : public DatabaseListing {
    std::vector<std::string> Schemas() const override { return {}; }
    std::vector<TableListing> Tables() const override { return {}; }
  };

  std::unique_ptr<FileSystem> files_ = MakePosixFileSystem();
  MemoryTracker memory_{size_t{1} << 30};
  TaskScheduler scheduler_{1};
  Settings settings_;
  std::atomic<bool> interrupted_ = false;
  NoListing listing_;

 public:
  FunctionContext context{*files_,      memory_, scheduler_, settings_, KernelsOf(BestKernelLevel()),
                          interrupted_, listing_};
};

}  // namespace scaup
