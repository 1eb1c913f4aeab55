// Python functions: calls from threads of the engine, and what they return.
#include "python_functions.hpp"

#include <pybind11/numpy.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "errors.hpp"
#include "gil_release.hpp"
#include "parameters.hpp"
#include "result.hpp"
#include "scaup/calling_statement.hpp"
#include "scaup/type_text.hpp"

namespace py = pybind11;

namespace scaup::python {

std::shared_ptr<py::object> ShareObject(py::object object) {
  return {new py::object(std::move(object)), [](py::object* shared) {
            const py::gil_scoped_acquire gil;
            delete shared;
          }};
}

namespace {

LogicalType TypeOf(const py::dtype& type) {
  switch (type.kind()) {
    case 'b': return TypeId::kBoolean;
    case 'f': return type.itemsize() == 4 ? TypeId::kReal : TypeId::kDouble;
    case 'u':
      switch (type.itemsize()) {
        case 1: return TypeId::kUTinyInt;
        case 2: return TypeId::kUSmallInt;
        case 4: return TypeId::kUInteger;
        default: return TypeId::kUBigInt;
      }
    default: break;
  }
  switch (type.itemsize()) {
    case 1: return TypeId::kTinyInt;
    case 2: return TypeId::kSmallInt;
    case 4: return TypeId::kInteger;
    default: return TypeId::kBigInt;
  }
}

/// An array and its mask, as long as the engine reads them.
struct HeldArray {
  std::shared_ptr<py::object> array;
  std::shared_ptr<py::object> mask;
};

void SetArray(const py::array& array, const py::object& mask, FunctionOutput& output) {
  const auto held = std::make_shared<HeldArray>();
  held->array = ShareObject(array);
  ColumnView column;
  column.type = TypeOf(array.dtype());
  column.row_count = static_cast<size_t>(array.size());
  column.value_bytes = static_cast<size_t>(array.itemsize());
  column.data = array.data();
  if (!mask.is_none()) {
    held->mask = ShareObject(mask);
    column.nulls = static_cast<const uint8_t*>(mask.cast<py::array>().data());
  }
  column.owner = held;
  output.SetColumn(std::move(column));
}

void SetArrow(const py::object& made, FunctionOutput& output) {
  const py::tuple capsules = made.attr("__arrow_c_array__")();
  auto* const schema =
      static_cast<ArrowSchema*>(PyCapsule_GetPointer(py::object(capsules[0]).ptr(), kSchemaName));
  auto* const array =
      static_cast<ArrowArray*>(PyCapsule_GetPointer(py::object(capsules[1]).ptr(), kArrayName));
  if (schema == nullptr || array == nullptr) throw py::error_already_set();
  output.SetArrow(schema, array);
}

}  // namespace

void SetFunctionResult(const py::object& made, FunctionOutput& output) {
  if (made.is_none()) {
    for (size_t row = 0; row < output.row_count(); row++) output.SetNull(row);
  } else if (py::isinstance<py::tuple>(made)) {
    const auto pair = py::reinterpret_borrow<py::tuple>(made);
    SetArray(pair[0].cast<py::array>(), pair[1], output);
  } else {
    SetArrow(made, output);
  }
}

void ThrowBodyError(const py::error_already_set& error, const py::object& call, SourceContext& context) {
  // The second: a query of the function was interrupted together with the statement.
  if (error.matches(py::module_::import("scaup._functions").attr("Interrupted")) ||
      py::getattr(error.value(), "sqlstate", py::none()).equal(py::str("57014"))) {
    const std::chrono::microseconds deadline(CallingStatement::DeadlineMicros());
    const bool is_late =
        deadline.count() != 0 && std::chrono::steady_clock::now().time_since_epoch() >= deadline;
    throw Error(ErrorKind::kInterrupted, "57014",
                is_late ? "the statement has taken longer than the setting statement_timeout allows"
                        : "the statement was interrupted");
  }
  context.Note(error);
  std::string message;
  try {
    if (error.trace()) PyException_SetTraceback(error.value().ptr(), error.trace().ptr());
    message = py::str(call.attr("message")(error.value()));
  } catch (const py::error_already_set&) {
    message = py::str(error.type().attr("__name__"));  // The exception's own __str__ raises.
  }
  throw Error(ErrorKind::kIo, "38000", message);
}

namespace {

/// The fork count, plus one, of the process in which a thread has the turn; another number: no thread has it.
std::atomic<uint32_t> turn_of_process{0};
thread_local bool has_turn = false;
/// About as long as it takes to put a thread to sleep and wake it.
constexpr std::chrono::microseconds kLongestWait{30};

}  // namespace

BodyTurn::BodyTurn() noexcept {
  if (has_turn) return;
  const uint32_t own = registry::ForkCount() + 1;
  const auto end = std::chrono::steady_clock::now() + kLongestWait;
  do {
    uint32_t known = turn_of_process.load(std::memory_order_relaxed);
    is_taken_ =
        known != own && turn_of_process.compare_exchange_strong(known, own, std::memory_order_acquire);
    if (is_taken_) break;
    std::this_thread::yield();
  } while (std::chrono::steady_clock::now() < end);
  has_turn = is_taken_;
}

BodyTurn::~BodyTurn() {
  if (!is_taken_) return;
  has_turn = false;
  turn_of_process.store(0, std::memory_order_release);
}

void ThrowForked() {
  throw Error(
      ErrorKind::kUsage, "55000",
      "a function has made a process by fork, which cannot go on with the statement of its parent: end it "
      "with os._exit() in the function");
}

namespace {

py::bytes OffsetsOf(const GroupedRows& groups) {
  return {reinterpret_cast<const char*>(groups.offsets.get()), (groups.group_count + 1) * sizeof(int64_t)};
}

py::object Cast(const QueryResult& rows) { return py::cast(std::make_unique<Result>(rows)); }

/// Returns the constants as a caller takes them.
py::object ConstantsOf(const FunctionArguments& arguments) {
  if (arguments.is_constant.empty()) return py::none();
  py::list is_constant;
  for (const bool is : arguments.is_constant) is_constant.append(py::bool_(is));
  return py::make_tuple(Cast(arguments.constants), std::move(is_constant));
}

AggregateBodies::StateBody MakeStep(const SharedCall& shared, const char* step) {
  return [shared, step](const GroupedRows& groups, std::span<FunctionOutput* const> state) {
    shared.Run([&](const py::object& call) {
      const auto columns =
          call.attr("step")(step, Cast(groups.rows), groups.rows.row_count(), OffsetsOf(groups))
              .cast<py::list>();
      for (size_t i = 0; i < state.size(); i++) SetFunctionResult(columns[i], *state[i]);
    });
  };
}

}  // namespace

std::function<void(const FunctionArguments&, FunctionOutput&)> MakeBody(
    py::object call, std::shared_ptr<SourceContext> context) {
  const SharedCall shared{ShareObject(std::move(call)), std::move(context)};
  return [shared](const FunctionArguments& arguments, FunctionOutput& output) {
    shared.Run([&](const py::object& body) {
      SetFunctionResult(body(Cast(arguments), arguments.row_count(), ConstantsOf(arguments)), output);
    });
  };
}

AggregateBodies MakeAggregateBodies(py::object call, const std::vector<std::string>& state,
                                    std::shared_ptr<SourceContext> context) {
  const SharedCall shared{ShareObject(std::move(call)), std::move(context)};
  AggregateBodies bodies;
  bodies.body = [shared](const GroupedRows& groups, FunctionOutput& output) {
    shared.Run([&](const py::object& body) {
      SetFunctionResult(body(Cast(groups.rows), groups.rows.row_count(), OffsetsOf(groups)), output);
    });
  };
  for (const std::string& type : state) bodies.state.push_back(ParseType(type));
  if (state.empty()) return bodies;
  bodies.accumulate = MakeStep(shared, "accumulate");
  bodies.merge = MakeStep(shared, "merge");
  return bodies;
}

void BindFunctions(py::module_& module) {
  module.def("_query_within", [](const std::string& sql, const py::object& parameters) {
    const BoundStatement bound = Bind(sql, parameters);
    QueryResult rows;
    try {
      // The query may wait for those of other threads, whose functions need the GIL.
      const GilRelease release;
      rows = CallingStatement::Query(bound.sql, bound.values);
    } catch (const Error& error) {
      RaiseError(error, "");
    }
    return std::make_unique<Result>(std::move(rows));
  });
}

}  // namespace scaup::python
