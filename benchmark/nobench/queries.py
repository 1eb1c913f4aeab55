"""NoBench's queries (Argo's paper, section 4.2 and Table 1) and the update of Sinew's (section 6.6): parameters, and SQL for each way of keeping documents.

Q3 and Q4 leave out objects that have neither key, as Argo/SQL does. Q12, bulk insertion, is a load: see engines.py."""

import random

from generate import CLUSTERS, KEYS_IN_CLUSTER, SPARSE_VALUES, text_of, vocabulary, word_shares

QUERIES = [f"Q{number}" for number in range(1, 12)]
MEAN_WORDS = 3.5
DUMMY = "DUMMY"


def words_for_selection():
    """Words that about one object in a thousand has: from half to twice as often."""
    shares = word_shares() * MEAN_WORDS
    return [word for word, share in zip(vocabulary(), shares) if 0.0005 <= share <= 0.002]


def parameters(count, seed, number):
    """The literals of the round `number` over `count` objects; the same for all systems."""
    draw = random.Random(f"{seed}/{number}")

    def interval(share):
        size = max(1, round(count * share))
        begin = draw.randrange(count - size + 1)
        return begin, begin + size - 1

    def sparse_key(cluster, key):
        return f"sparse_{cluster * KEYS_IN_CLUSTER + key:03d}"

    one, two = draw.sample(range(CLUSTERS), 2)
    key, other_key = draw.sample(range(KEYS_IN_CLUSTER), 2)
    return {
        "Q3": [sparse_key(one, 0), sparse_key(one, KEYS_IN_CLUSTER - 1)],
        "Q4": [sparse_key(one, 0), sparse_key(two, 0)],
        "Q5": text_of(draw.randrange(count)),
        "Q6": interval(0.001),
        "Q7": interval(0.001),
        "Q8": draw.choice(words_for_selection()),
        "Q9": (sparse_key(draw.randrange(CLUSTERS), draw.randrange(KEYS_IN_CLUSTER)), draw.choice(SPARSE_VALUES)),
        "Q10": interval(0.1),
        "Q11": interval(0.001),
        "update": (sparse_key(two, key), sparse_key(two, other_key), draw.choice(SPARSE_VALUES)),
    }


class Dialect:
    """How SQL reads documents. Expressions take the name that the table has in FROM; what is here fits most that keep a column `document`."""

    def text(self, key, table="nobench"):
        """The string at a key path, as a tuple of keys or one key."""
        raise NotImplementedError

    def number(self, key, table="nobench"):
        """The integer at a key path."""
        raise NotImplementedError

    def document(self, table="nobench"):
        return f"{table}.document"

    def is_text(self, key, value):
        return f"{self.text(key)} = '{value}'"

    def number_is_between(self, key, begin, end, *table):
        return f"{self.number(key, *table)} BETWEEN {begin} AND {end}"

    def any_is_between(self, key, begin, end):
        """For a key whose values are numbers and strings."""
        return self.number_is_between(key, begin, end)

    def has_word(self, word):
        """Whether nested_arr has the word."""
        raise NotImplementedError

    def assign(self, key, value):
        """SET of UPDATE."""
        raise NotImplementedError

    def query(self, name, of):
        """The SQL of a query with its parameters."""
        if name == "Q1":
            return f"SELECT {self.text('str1')} AS a, {self.number('num')} AS b FROM nobench"
        if name == "Q2":
            return f"SELECT {self.text(('nested_obj', 'str'))} AS a, {self.number(('nested_obj', 'num'))} AS b FROM nobench"
        if name in ("Q3", "Q4"):
            a, b = map(self.text, of[name])
            return f"SELECT {a} AS a, {b} AS b FROM nobench WHERE {a} IS NOT NULL OR {b} IS NOT NULL"
        if name == "Q10":
            return f"SELECT {self.number('thousandth')} AS a, count(*) AS b FROM nobench WHERE {self.number_is_between('num', *of[name])} GROUP BY 1"
        if name == "Q11":
            return (f"SELECT {self.document('l')} AS a, {self.document('r')} AS b FROM nobench AS l JOIN nobench AS r "
                    f"ON {self.text(('nested_obj', 'str'), 'l')} = {self.text('str1', 'r')} WHERE {self.number_is_between('num', *of[name], 'l')}")
        condition = {"Q5": lambda value: self.is_text("str1", value), "Q6": lambda value: self.number_is_between("num", *value),
                     "Q7": lambda value: self.any_is_between("dyn1", *value), "Q8": self.has_word, "Q9": lambda value: self.is_text(*value)}[name]
        return self.documents_where(condition(of[name]))

    def documents_where(self, condition):
        return f"SELECT {self.document()} AS a FROM nobench WHERE {condition}"

    def update(self, of):
        changed, asked, value = of["update"]
        return f"UPDATE nobench SET {self.assign(changed, DUMMY)} WHERE {self.is_text(asked, value)}"


def path_of(key):
    return ".".join(["$", *([key] if isinstance(key, str) else key)])


class Scaup(Dialect):
    """A collection."""

    def text(self, key, table=""):
        name = key if isinstance(key, str) else '"' + ".".join(key) + '"'
        return f"{table}.{name}" if table else name

    def number(self, key, table=""):
        return self.text(key, table)

    def document(self, table="nobench"):
        return table

    def has_word(self, word):
        return f"'{word}' = ANY(nested_arr)"

    def assign(self, key, value):
        return f"{key} = '{value}'"


class DuckdbInferred(Dialect):
    """Columns as read_json_auto infers them."""

    def text(self, key, table="nobench"):
        return ".".join([table, *([key] if isinstance(key, str) else key)])

    def number(self, key, table="nobench"):
        return self.text(key, table)

    def any_is_between(self, key, begin, end):
        return f"TRY_CAST({self.text(key)} AS BIGINT) BETWEEN {begin} AND {end}"

    def document(self, table="nobench"):
        return f"json_strip_nulls(to_json({table}))"

    def has_word(self, word):
        return f"list_contains(nested_arr, '{word}')"

    def assign(self, key, value):
        return f"{key} = '{value}'"


class DuckdbText(Dialect):
    """A column of type JSON."""

    def text(self, key, table="nobench"):
        return f"({table}.document->>'{path_of(key)}')"

    def number(self, key, table="nobench"):
        return f"{self.text(key, table)}::BIGINT"

    def any_is_between(self, key, begin, end):
        return f"TRY_CAST({self.text(key)} AS BIGINT) BETWEEN {begin} AND {end}"

    def has_word(self, word):
        return f"list_contains(document->>'$.nested_arr[*]', '{word}')"

    def assign(self, key, value):
        return f"document = json_merge_patch(document, '{{\"{key}\": \"{value}\"}}')"


class DuckdbVariant(DuckdbText):
    """A column of type VARIANT."""

    def text(self, key, table="nobench"):
        return ".".join([table, "document", *([key] if isinstance(key, str) else key)]) + "::VARCHAR"

    def any_is_between(self, key, begin, end):
        value = self.text(key).removesuffix("::VARCHAR")
        return f"TRY_CAST({value} AS BIGINT) BETWEEN {begin} AND {end}"

    def number(self, key, table="nobench"):
        return self.text(key, table).removesuffix("::VARCHAR") + "::BIGINT"

    def has_word(self, word):
        return f"list_contains(document.nested_arr::VARCHAR[], '{word}')"

    def assign(self, key, value):
        return f"document = json_merge_patch(document::JSON, '{{\"{key}\": \"{value}\"}}')::VARIANT"


class DuckdbHybrid(DuckdbText):
    """The keys that queries ask for and all objects have, as columns beside the document, which is JSON."""

    COLUMNS = {  # By key: the column, its type, and the expression that makes it from a document.
        "str1": ("str1", "VARCHAR", "json->>'$.str1'"),
        "num": ("num", "BIGINT", "(json->>'$.num')::BIGINT"),
        "dyn1": ("dyn1", "BIGINT", "TRY_CAST(json->>'$.dyn1' AS BIGINT)"),
        "nested_arr": ("nested_arr", "VARCHAR[]", "json->>'$.nested_arr[*]'"),
        ("nested_obj", "str"): ("nested_str", "VARCHAR", "json->>'$.nested_obj.str'"),
        ("nested_obj", "num"): ("nested_num", "BIGINT", "(json->>'$.nested_obj.num')::BIGINT"),
        "thousandth": ("thousandth", "BIGINT", "(json->>'$.thousandth')::BIGINT"),
    }

    def text(self, key, table="nobench"):
        return f"{table}.{self.COLUMNS[key][0]}" if key in self.COLUMNS else super().text(key, table)

    def number(self, key, table="nobench"):
        return self.text(key, table)

    def any_is_between(self, key, begin, end):
        return self.number_is_between(key, begin, end)

    def has_word(self, word):
        return f"list_contains(nested_arr, '{word}')"


class Sqlite(Dialect):
    """Text, read by SQLite's functions for JSON."""

    INDEXES = ["json_extract(document, '$.str1')", "json_extract(document, '$.num')", "json_extract(document, '$.dyn1')"]

    def text(self, key, table="nobench"):
        return f"json_extract({table}.document, '{path_of(key)}')"

    def number(self, key, table="nobench"):
        return self.text(key, table)

    def has_word(self, word):
        return f"EXISTS (SELECT 1 FROM json_each(document, '$.nested_arr') WHERE value = '{word}')"

    def assign(self, key, value):
        return f"document = json_set(document, '$.{key}', '{value}')"


class Postgresql(Dialect):
    """jsonb without an index."""

    def text(self, key, table="nobench"):
        *outer, last = [key] if isinstance(key, str) else key
        return "(" + "->".join([f"{table}.document", *(f"'{one}'" for one in outer)]) + f"->>'{last}')"

    def number(self, key, table="nobench"):
        return f"{self.text(key, table)}::bigint"

    def any_is_between(self, key, begin, end):
        """jsonb orders numbers among themselves, and all strings apart."""
        return f"document->'{key}' BETWEEN '{begin}' AND '{end}'"

    def has_word(self, word):
        return f"document->'nested_arr' ? '{word}'"

    def assign(self, key, value):
        return f"document = jsonb_set(document, '{{{key}}}', '\"{value}\"')"


class PostgresqlIndexed(Postgresql):
    """jsonb with indexes for all predicates."""

    INDEXES = ["((document->>'str1'))", "(((document->>'num')::bigint))", "((document->'dyn1'))", "USING gin (document jsonb_path_ops)"]

    def is_text(self, key, value):
        return super().is_text(key, value) if key == "str1" else f"""document @> '{{"{key}": "{value}"}}'"""

    def has_word(self, word):
        return f"""document @> '{{"nested_arr": ["{word}"]}}'"""
