"""Makes the tables and the query of a difference smaller while they still differ."""

import re
import time

TOKEN = re.compile(r"'(?:[^']|'')*'|\x00\d+\x00|[A-Za-z_]\w*|\d+(?:\.\d+)?|::|\|\||->>|->|#>>|#>|@>|<@|<=|>=|<>|\S")
SECONDS = 25


def tokens_of(text):
    return TOKEN.findall(text)


def keeps_order(old, new):
    """Whether what picks rows by their order still has all of its ORDER BY."""
    picking = ("LIMIT", "OFFSET", "FETCH", "OVER", "ON", "WITHIN")
    return new.count("ORDER") >= old.count("ORDER") or any(new.count(word) < old.count(word) for word in picking)


def parts_between(tokens):
    """Ranges of tokens worth leaving out: parentheses with what is in them, and runs of tokens, long ones first."""
    opened = []
    for index, token in enumerate(tokens):
        if token == "(":
            opened.append(index)
        elif token == ")" and opened:
            begin = opened.pop()
            yield begin, index + 1
    size = len(tokens) // 2
    while size >= 1:
        for begin in range(0, len(tokens) - size + 1, max(1, size // 2)):
            yield begin, begin + size
        size //= 2


def without_parentheses(tokens):
    opened = []
    for index, token in enumerate(tokens):
        if token == "(":
            opened.append(index)
        elif token == ")" and opened:
            begin = opened.pop()
            yield tokens[:begin] + tokens[begin + 1:index] + tokens[index + 1:]


def is_balanced(tokens):
    """Whether parentheses match: psql waits for those that are open."""
    depth = 0
    for token in tokens:
        depth += (token == "(") - (token == ")")
        if depth < 0:
            return False
    return depth == 0


def candidates(tokens):
    for begin, end in sorted(parts_between(tokens), key=lambda part: part[0] - part[1]):
        yield tokens[:begin] + tokens[end:]
    yield from without_parentheses(tokens)


def shrink_list(items, still_differs):
    """Leaves out runs of items, long ones first."""
    size = max(1, len(items) // 2)
    while size >= 1:
        begin = 0
        while begin < len(items):
            fewer = items[:begin] + items[begin + size:]
            if still_differs(fewer):
                items = fewer
            else:
                begin += size
        size //= 2
    return items


def rows_of(insert):
    """The head of an INSERT ... VALUES and its rows, or None."""
    match = re.fullmatch(r"(INSERT INTO \w+ VALUES )(\(.*\))", insert, re.DOTALL)
    return (match[1], re.split(r"(?<=\)), (?=\()", match[2])) if match else None


def shrink(rounds, setup, query, difference):
    """Smaller (setup, query, difference); what was given if nothing smaller differs."""
    deadline = time.monotonic() + SECONDS
    best = [setup, query, difference]

    def differs(new_setup, new_query):
        if time.monotonic() > deadline:
            return False
        try:
            if new_setup is not best[0]:
                rounds.reset(new_setup)
            rounds.note(f"shrinking\n{new_query.text}")
            found = rounds.difference(new_query, best[2].mode, best[2].other)
        except Exception:  # A table that is missing, say: then this is no smaller case.
            found = None
        if found and found.given.sqlstate == difference.given.sqlstate and found.expected.is_error == difference.expected.is_error:
            best[:] = [new_setup, new_query, found]
            return True
        if new_setup is not best[0]:
            rounds.reset(best[0])
        return False

    tokens = tokens_of(query.text)
    progress = differs(setup, query._replace(text=" ".join(tokens)))
    while progress and time.monotonic() < deadline:
        progress = False
        for fewer in candidates(tokens):
            if is_balanced(fewer) and keeps_order(tokens, fewer) and differs(best[0], best[1]._replace(text=" ".join(fewer))):
                tokens, progress = fewer, True
                break
    deadline = time.monotonic() + SECONDS
    shrink_list(best[0], lambda fewer: differs(fewer, best[1]))
    for index, statement in enumerate(best[0]):
        if parts := rows_of(statement.text):
            def with_rows(rows, index=index, statement=statement, head=parts[0]):
                if not rows:
                    return False
                changed = list(best[0])
                changed[index] = statement._replace(text=head + ", ".join(rows))
                return differs(changed, best[1])

            shrink_list(parts[1], with_rows)
    return tuple(best)
