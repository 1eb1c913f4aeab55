// Compiles bodies of functions by scaup._stored.
#include "python_host.hpp"

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "python_functions.hpp"
#include "python_table_functions.hpp"

namespace py = pybind11;

namespace scaup::python {

namespace {

class PythonHost final : public FunctionHost {
 public:
  explicit PythonHost(std::shared_ptr<SourceContext> context) : context_(std::move(context)) {}
  ~PythonHost() override {
    if (!statics_) return;
    const py::gil_scoped_acquire gil;
    statics_ = py::object();
  }

  Body Compile(const StoredFunction& function) override {
    const py::gil_scoped_acquire gil;
    return MakeBody(CompiledBy("compile_body", function), context_);
  }

  bool TakesConstants() const override { return true; }

  AggregateBodies CompileAggregate(const StoredFunction& function) override {
    const py::gil_scoped_acquire gil;
    const py::object call = CompiledBy("compile_aggregate", function);
    const auto state = py::getattr(call, "state", py::list()).cast<std::vector<std::string>>();
    return MakeAggregateBodies(call, state, context_);
  }

  TableBody CompileTable(const StoredFunction& function) override {
    const py::gil_scoped_acquire gil;
    py::list columns;
    for (const ResultColumn& column : function.columns) columns.append(py::str(column.name));
    py::list tables;
    for (const StoredFunction::Argument& argument : function.arguments)
      if (argument.is_rows) tables.append(py::str(argument.name));
    const py::object call = CompiledBy("compile_table", function);
    call.attr("describe")(std::move(tables), std::move(columns));
    return MakeTableBody(call, context_);
  }

 private:
  /// Returns what a function of scaup._stored makes of a source.
  py::object CompiledBy(const char* compile, const StoredFunction& function) {
    const ReadingSource reading(context_);
    std::vector<std::string> arguments;
    for (const StoredFunction::Argument& argument : function.arguments) arguments.push_back(argument.name);
    try {
      if (!statics_) statics_ = py::dict();
      return py::module_::import("scaup._stored")
          .attr(compile)(function.schema, function.name, function.source, arguments, statics_);
    } catch (const py::error_already_set& error) {
      context_->Note(error);
      throw Error(ErrorKind::kSyntax, "42601",
                  "function " + function.name + ": " + std::string(py::str(error.value())));
    }
  }

  const std::shared_ptr<SourceContext> context_;
  py::object statics_;  // a dict of the dicts _fn of the functions; guarded by the GIL
};

}  // namespace

std::shared_ptr<FunctionHost> MakePythonHost(std::shared_ptr<SourceContext> context) {
  return std::make_shared<PythonHost>(std::move(context));
}

}  // namespace scaup::python
