"""The progress bar of queries that take longer than two seconds, for a person who watches: in a terminal or a notebook, never in a script."""

import sys

_CELLS = 40


def bar(is_wanted):
    """What shows progress; None where nobody is to see it. `is_wanted` None: where a person is at work."""
    if is_wanted is False:
        return None
    shell = _notebook()
    if shell is not None:
        return _NotebookBar()
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    if is_terminal and (is_wanted or hasattr(sys, "ps1")):
        return _TerminalBar()
    return None


def _notebook():
    """The IPython that shows what it is given in a notebook; None elsewhere."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell if shell is not None and hasattr(shell, "kernel") else None


def line(share, seconds):
    """`share`: 0 to 1; negative where it is not known."""
    if share < 0:
        return f"running {seconds:.1f} s"
    share = min(share, 1.0)
    full = int(share * _CELLS)
    return f"[{'█' * full}{'·' * (_CELLS - full)}] {share * 100:3.0f} %  {seconds:.1f} s"


class _TerminalBar:
    """A line of the terminal, which is empty again in the end."""

    def show(self, share, seconds):
        sys.stderr.write("\r\033[K" + line(share, seconds))
        sys.stderr.flush()

    def done(self):
        sys.stderr.write("\r\033[K")
        sys.stderr.flush()


class _NotebookBar:
    """A text in the output of the cell, which is empty in the end."""

    def __init__(self):
        self._display = None

    def show(self, share, seconds):
        from IPython.display import Pretty, display

        text = Pretty(line(share, seconds))
        if self._display is None:
            self._display = display(text, display_id=True)
        else:
            self._display.update(text)

    def done(self):
        from IPython.display import Pretty

        if self._display is not None:
            self._display.update(Pretty(""))
