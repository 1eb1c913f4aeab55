"""Who may include whom: the tables of layers and of wings, and no cycles between rooms, wings or headers."""

import posixpath

# What each room of src/ may include besides itself and third party. This table is the architecture.
LAYERS = {
    "common": "",
    "type": "common",
    "text": "common",
    "vector": "common type",
    "transaction": "common type",
    "document": "common type vector",
    "parser": "common type",
    "function": "common type vector text document",
    "format": "common type vector text document function",
    "system": "common type vector function format",
    "expression": "common type vector function",
    "storage": "common type vector text document transaction",
    "catalog": "common type document function transaction storage",
    "binder": "common type parser expression function format system catalog document",
    "planner": "common type text document expression function format catalog binder",
    "optimizer": "common type vector text document expression function transaction storage catalog planner",
    "execution": "common type vector text document expression function format transaction storage catalog planner",
    "main": "common type vector text document format parser expression function system transaction storage catalog binder planner "
            "optimizer execution",
}
# What each wing, a folder of a room, may include of its own room. "." stands for the files of the room itself. Rooms that are
# not here have no wings.
WINGS = {
    "common": {"lock": "", ".": "lock", "file": "lock .", "memory": "lock .", "settings": "."},
    "type": {"text": "", "number": "text", "time": "text number", ".": "text number time"},
    "vector": {".": "", "kernels": ".", "filter": "."},
    "document": {"attribute": "", "json": "attribute", ".": "attribute json"},
    "parser": {
        "ast": "",
        "text": "",
        "dialect": "text",
        "dialect/statement": "text dialect",
        "pg_query": "text",
        "transform": "ast text pg_query",
        ".": "ast text dialect pg_query transform",
    },
    "function": {
        "window": "",
        ".": "window",
        "cast": ".",
        "scalar": ".",
        "scalar/conditional": ". scalar",
        "scalar/misc": ". scalar",
        "scalar/string": ". scalar",
        "scalar/catalog": ". scalar scalar/string",
        "scalar/collation": ". scalar/string",
        "scalar/temporal": ". scalar",
        "scalar/operators": ". scalar scalar/string",
        "scalar/text": ". scalar scalar/string",
        "scalar/bits": ". scalar",
        "scalar/document": ". scalar scalar/text",
        "scalar/math": ". scalar scalar/conditional scalar/operators",
        "table": ". scalar/temporal",
        "scalar/nested": ". scalar scalar/string table",
        "scalar/range": ". scalar",
        "scalar/json": ". scalar scalar/nested",
        "scalar/json_path": ". scalar scalar/json scalar/string scalar/temporal",
        "aggregate": ". scalar/json",
        "builtin": ". scalar scalar/catalog scalar/json aggregate",
    },
    "format": {"arrow": "", "arrow/ipc": "arrow codec", "arrow/file": "arrow arrow/ipc codec files text", "codec": "", "files": "text", "hosted": "", "http": "", "text": "", "csv": "files text", "json": "files text", "foreign": "text", "parquet": "codec files text", "parquet/write": "codec files text parquet", ".": "text csv json files parquet/write arrow/file"},
    "storage": {
        "file": "",
        "filter": "",
        "wal": "",
        "buffer": "file",
        "compression": "filter",
        "version": "filter",
        "index": "file buffer",
        "row_group": "file filter buffer compression",
        "snapshot": "version row_group",
        "shredded": "filter version row_group snapshot",
        "compaction": "file compression row_group snapshot shredded",
        "scan": "filter row_group snapshot shredded",
        "table_index": "filter buffer version index snapshot scan",
        "table": "filter version wal buffer index row_group snapshot shredded compaction scan table_index",
    },
    "binder": {
        "bound": "",
        "scope": "bound",
        "document": "bound scope",
        "query": "bound scope",
        "write": "bound scope",
        "expression": "bound scope write",
        "statement": "bound scope write",
        "index": "bound scope write statement",
        "domain": "bound scope write statement",
        "view": "bound scope write statement",
        "trigger": "bound scope write statement",
    },
    "planner": {"node": "", "statement": "node", ".": "node statement"},
    "optimizer": {
        "analysis": "",
        "join_order": "analysis",
        "statistics": "analysis",
        "passes": "analysis join_order statistics",
        ".": "analysis statistics passes",
    },
    "execution": {
        "run": "",
        "rows": "run",
        "scan": "run rows",
        "sort": "run rows",
        "stream": "run rows",
        "write": "run rows sort",
        "aggregate": "run rows scan sort",
        "range": "run rows sort",
        "join": "run rows range",
        "window": "run rows sort aggregate",
        "asof": "run rows sort window",
        "foreign": "run rows stream sort",
        "plan": "run scan sort stream write aggregate join window asof foreign",
    },
    "main": {"database": "", "transfer": "", "key": "", "statement": "database transfer key", "trigger": "statement", "session": "database statement trigger", "api": "statement session"},
}
# Public headers that rooms below main may use; common only those of errors.
PUBLIC_ERRORS = {"scaup/error.hpp", "scaup/export.hpp", "scaup/file_host.hpp"}
PUBLIC_VALUES = PUBLIC_ERRORS | {
    "scaup/arrow.h", "scaup/arrow_factory.hpp", "scaup/arrow_ipc.hpp", "scaup/table_name.hpp", "scaup/time_tz.hpp", "scaup/type.hpp", "scaup/value.hpp",
}


def room_of(path):
    parts = path.split("/")
    return parts[1] if parts[0] == "src" and len(parts) > 2 else None


def check_rooms(files):
    """Includes in src/ obey the table."""
    for file in files:
        room = room_of(file.path)
        if not file.is_cpp or room is None:
            continue
        if room not in LAYERS:
            yield file.path, 1, f"src/{room} is not in the table of layers"
            continue
        for line, include in file.includes:
            target = include.strip('<>"')
            if include.startswith("<"):
                if target.startswith("scaup/"):
                    yield file.path, line, f'write "{target}" with quotes'
                continue
            top = target.split("/")[0]
            if top == "scaup":
                allowed = PUBLIC_ERRORS if room == "common" else PUBLIC_VALUES
                if room != "main" and target not in allowed:
                    yield file.path, line, f"src/{room} must not include {target}"
            elif "/" not in target or top not in LAYERS:
                yield file.path, line, f"include by the path below src/, not {target}"
            elif top != room and top not in LAYERS[room].split():
                yield file.path, line, f"src/{room} must not include src/{top} ({target})"


def wing_of(path):
    """The wing of a path below src/: "" for one that is in no room."""
    parts = path.split("/")
    return "/".join(parts[1:-1]) or "." if len(parts) > 1 else ""


def check_wings(files):
    """Includes within a room obey the table of wings."""
    for file in files:
        room = room_of(file.path)
        if not file.is_cpp or room is None:
            continue
        wings, wing = WINGS.get(room, {".": ""}), wing_of(file.path[len("src/"):])
        if wing not in wings:
            yield file.path, 1, f"wing {wing} of src/{room} is not in the table of wings"
            continue
        for line, include in file.includes:
            target = include.strip('"')
            if include.startswith("<") or target.split("/")[0] != room or wing_of(target) == wing:
                continue
            if wing_of(target) not in wings[wing].split():
                yield file.path, line, f"wing {wing} of src/{room} must not include wing {wing_of(target)} ({target})"


def check_public(files):
    """Public headers stand alone; clients and the test runner use nothing but them."""
    for file in files:
        if not file.is_cpp:
            continue
        if file.below("include"):
            for line, include in file.includes:
                if include.startswith('"') and not include.startswith('"scaup/'):
                    yield file.path, line, f"a public header must not include {include}"
        if file.below("extension", "test/runner"):
            for line, include in file.includes:
                if include.startswith('"') and not include.startswith('"scaup/') and "/" in include:
                    yield file.path, line, f"only public headers are allowed here, not {include}"


def find_cycle(edges):
    """One cycle of the graph {node: set of nodes} as a list, or None."""
    state = {}
    for start in sorted(edges):
        stack = [(start, iter(sorted(edges[start])))] if start not in state else []
        path = [start]
        state.setdefault(start, "open")
        while stack:
            node, successors = stack[-1]
            for successor in successors:
                if state.get(successor) == "open":
                    return path[path.index(successor):] + [successor]
                if successor not in state and successor in edges:
                    state[successor] = "open"
                    stack.append((successor, iter(sorted(edges[successor]))))
                    path.append(successor)
                    break
            else:
                state[node] = "done"
                stack.pop()
                path.pop()
    return None


def check_cycles(files):
    """Neither rooms, wings nor headers include each other in a circle."""
    rooms = {room: set() for room in LAYERS}
    wings = {f"{room}/{wing}": set() for room in WINGS for wing in WINGS[room]}
    headers = {file.path: set() for file in files if file.is_cpp}
    for file in files:
        if not file.is_cpp:
            continue
        room = room_of(file.path)
        for _, include in file.includes:
            target = include.strip('<>"')
            if include.startswith("<"):
                continue
            if room in rooms and target.split("/")[0] in rooms and target.split("/")[0] != room:
                rooms[room].add(target.split("/")[0])
            if room in WINGS and target.split("/")[0] == room:
                ends = [f"{room}/{wing_of(path)}" for path in (file.path[len("src/"):], target)]
                if ends[0] != ends[1]:
                    wings.setdefault(ends[0], set()).add(ends[1])
            for folder in ("src", "include", posixpath.dirname(file.path)):
                if posixpath.join(folder, target) in headers:
                    headers[file.path].add(posixpath.join(folder, target))
                    break
    for graph, what in ((rooms, "rooms"), (wings, "wings"), (headers, "headers")):
        cycle = find_cycle(graph)
        if cycle:
            yield cycle[0] if what == "headers" else "src/" + cycle[0], 1, f"cycle of {what}: " + " -> ".join(cycle)


CHECKS = [check_rooms, check_wings, check_public, check_cycles]
