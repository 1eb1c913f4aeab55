"""A process of its own that answers requests, so that memory and threads of what runs there do not mix with others'."""

import multiprocessing
import traceback


class Refusal(Exception):
    """What a system said when it refused a request, or that its process died."""


def told(error):
    """An exception as the answer to a request: any failure of a system is a result of the comparison."""
    return "error", "".join(traceback.format_exception_only(error)).strip()


class RemoteProcess:
    """Runs serve(pipe, *arguments) in a new process. There, the first message sent is the answer to its start, and every
    request gets one: ("ok", value) or ("error", text). The request None ends it. Close it, or use it in a with statement."""

    def __init__(self, name, serve, arguments):
        context = multiprocessing.get_context("spawn")
        self.name = name
        self.pipe, other_end = context.Pipe()
        self.process = context.Process(target=serve, args=(other_end, *arguments), daemon=True)
        self.process.start()
        other_end.close()
        self.version = self._answer()

    def _answer(self):
        try:
            status, value = self.pipe.recv()
        except EOFError:
            self.process.join()
            raise Refusal(f"the process of {self.name} ended with status {self.process.exitcode}") from None
        if status == "error":
            raise Refusal(value)
        return value

    def ask(self, request):
        """The answer; raises Refusal if it is an error."""
        self.pipe.send(request)
        return self._answer()

    def close(self):
        if self.process.is_alive():
            self.pipe.send(None)
            self.process.join(120)
            self.process.kill()

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()
