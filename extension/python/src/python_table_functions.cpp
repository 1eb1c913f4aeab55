// Python table functions: steps of objects of Python, and the rows that they read.
#include "python_table_functions.hpp"

#include <exception>
#include <utility>

#include "errors.hpp"
#include "gil_release.hpp"
#include "python_functions.hpp"
#include "result.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

/// The rows that a run gets, as Python reads them. It can be read while a step runs alone, as the rows belong
/// to the thread of the step. Guarded by the GIL.
class TableInput {
 public:
  /// Reads from `input` until the end of the scope.
  class Step {
   public:
    Step(TableInput& of, TableFunctionInput& input) : of_(of) { of.input_ = &input; }
    ~Step() { of_.input_ = nullptr; }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;

   private:
    TableInput& of_;
  };

  py::object Next(size_t most_rows) {
    return Read([&](TableFunctionInput& input) { return input.Next(most_rows); });
  }
  py::object All() {
    return Read([](TableFunctionInput& input) { return input.All(); });
  }
  /// Throws the error of the query that Next or All has raised as an exception of Python, as it was.
  void RethrowFailure() {
    if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
  }

 private:
  template <typename Work>
  py::object Read(const Work& work) {
    if (input_ == nullptr) {
      RaiseProgrammingError(
          "the rows of a table function's argument can be read by the function alone, while it runs");
    }
    TableFunctionInput& input = *input_;
    QueryResult rows;
    try {
      const GilRelease release;
      rows = work(input);
    } catch (const Error& error) {
      failure_ = std::current_exception();
      RaiseError(error, "");
    }
    return py::cast(std::make_unique<Result>(std::move(rows)));
  }

  TableFunctionInput* input_ = nullptr;
  std::exception_ptr failure_;
};

/// One run: the object whose steps are called, and what it reads from. Destroyed with the GIL.
struct Run {
  py::object steps;
  py::object input;
};

void TakeRows(const py::tuple& made, TableFunctionOutput& output) {
  output.SetRowCount(made[0].cast<size_t>());
  const auto columns = made[1].cast<py::list>();
  for (size_t i = 0; i < columns.size(); i++) SetFunctionResult(columns[i], output.Column(i));
}

}  // namespace

FunctionHost::TableBody MakeTableBody(py::object call, std::shared_ptr<SourceContext> context) {
  const SharedCall shared{ShareObject(std::move(call)), std::move(context)};
  return [shared](const TableCall& given) -> TableFunctionDefinition::Step {
    std::shared_ptr<Run> run;
    shared.Run([&](const py::object& function) {
      run = {new Run{}, [](Run* ended) {
               const py::gil_scoped_acquire gil;
               delete ended;
             }};
      run->input = py::cast(std::make_unique<TableInput>());
      py::object names = py::none();
      if (given.input) {
        py::list list;
        for (const ResultColumn& column : *given.input) list.append(py::str(column.name));
        names = std::move(list);
      }
      py::object values = py::cast(std::make_unique<Result>(given.row));
      run->steps = function.attr("start")(std::move(values), std::move(names), run->input);
    });
    return [shared, run](TableFunctionInput& input, TableFunctionOutput& output) {
      bool has_more = false;
      std::exception_ptr failure;
      try {
        shared.Run([&](const py::object&) {
          const TableInput::Step step(run->input.cast<TableInput&>(), input);
          const py::object made = run->steps.attr("step")();
          has_more = !made.is_none();
          if (has_more) TakeRows(made, output);
        });
      } catch (const Error&) {
        failure = std::current_exception();
      }
      if (!failure) return has_more;
      {
        const py::gil_scoped_acquire gil;
        run->input.cast<TableInput&>().RethrowFailure();
      }
      std::rethrow_exception(failure);
    };
  };
}

void BindTableInput(py::module_& module) {
  py::class_<TableInput>(module, "_TableInput", "The rows that a table function gets.")
      .def("next", &TableInput::Next, py::arg("most_rows"), "The next rows as a Result; no rows at the end.")
      .def("all", &TableInput::All, "All rows that are left as a Result.");
}

}  // namespace scaup::python
