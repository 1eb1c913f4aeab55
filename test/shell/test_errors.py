"""Errors: code, message, and a caret below the place."""


def caret(stderr):
    """The text above the caret."""
    lines = stderr.rstrip("\n").split("\n")
    assert lines[-1].strip() == "^"
    return lines[-2][len(lines[-1]) - 1 :], lines


def test_caret_points_at_the_name(run):
    done = run("-c", "SELECT 1, nowhere FROM (SELECT 1) AS t")
    above, lines = caret(done.stderr)
    assert lines[0].startswith('Error [42703]: column "nowhere" does not exist')
    assert above.startswith("nowhere FROM")


def test_caret_after_utf8_and_tabs(run):
    # Combining marks take no column; each wide character takes two, which the caret's line shows as two spaces.
    done = run("-c", "SELECT 'é',\t'ü', nowhere")
    above, _ = caret(done.stderr)
    assert above.startswith("nowhere")
    done = run("-c", "SELECT '日本', nowhere")
    _, lines = caret(done.stderr)
    assert lines[-2].index("nowhere") + 2 == lines[-1].index("^")


def test_line_number_in_scripts(run):
    done = run(stdin="SELECT 1;\n\nSELECT 2,\n  nowhere\nFROM (SELECT 1) AS t;\n")
    above, lines = caret(done.stderr)
    assert above.startswith("nowhere")
    assert lines[-2].startswith("LINE 4:   nowhere")


def test_long_lines_are_clipped_around_the_caret(terminal):
    shell = terminal(columns=60, NO_COLOR="1")
    filler = ", ".join(f"{i} AS c{i}" for i in range(40))
    text = shell.ask(f"SELECT {filler}, nowhere, {filler};")
    above, lines = caret(text.strip("\n"))
    assert above.startswith("nowhere")
    assert len(lines[-2]) <= 60
    assert lines[-2].strip().startswith("…") and lines[-2].endswith("…")


def test_syntax_error_at_the_end(run):
    done = run("-c", "SELECT 1 +")
    assert "Error [42601]" in done.stderr
    assert done.returncode == 1


def test_colour_only_on_a_terminal(run, terminal):
    assert "\x1b" not in run("-c", "SELECT nowhere").stderr
    shell = terminal()
    shell.child.sendline("SELECT nowhere;")
    shell.wait_prompt()
    assert "\x1b[1;31mError" in shell.child.before
    quiet = terminal(NO_COLOR="1")
    quiet.child.sendline("SELECT nowhere;")
    quiet.wait_prompt()
    assert "\x1b[1;31m" not in quiet.child.before


def test_errors_do_not_end_the_interactive_shell(terminal):
    shell = terminal()
    assert "Error [" in shell.ask("SELECT nowhere;")
    assert "42" in shell.ask("SELECT 42 AS a;")
    assert shell.leave() == 0
