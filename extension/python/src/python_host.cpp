// Compiles bodies of functions by scaup._stored.
#include "python_host.hpp"

#include <pybind11/stl.h>

#include <string>
#include <utility>
#include <vector>

#include "python_functions.hpp"

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
    const ReadingSource reading(context_);
    std::vector<std::string> arguments;
    for (const StoredFunction::Argument& argument : function.arguments) arguments.push_back(argument.name);
    try {
      if (!statics_) statics_ = py::dict();
      return MakeBody(
          py::module_::import("scaup._stored")
              .attr("compile_body")(function.schema, function.name, function.source, arguments, statics_),
          context_);
    } catch (const py::error_already_set& error) {
      context_->Note(error);
      throw Error(ErrorKind::kSyntax, "42601",
                  "function " + function.name + ": " + std::string(py::str(error.value())));
    }
  }

 private:
  const std::shared_ptr<SourceContext> context_;
  py::object statics_;  // a dict of the dicts _fn of the functions; guarded by the GIL
};

}  // namespace

std::shared_ptr<FunctionHost> MakePythonHost(std::shared_ptr<SourceContext> context) {
  return std::make_shared<PythonHost>(std::move(context));
}

}  // namespace scaup::python
