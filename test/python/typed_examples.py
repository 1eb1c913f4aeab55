"""Uses of the package for a type checker: `mypy --strict` finds nothing wrong with this file."""

import asyncio
from typing import Any, Optional

import scaup
import scaup.adbc
import scaup.aio


def relations(con: scaup.Connection) -> list[dict[str, Any]]:
    relation: scaup.Relation = con.sql("SELECT $1 AS a", params=[1])
    step = relation.filter("a > 0").order("a DESC").select("a", "a + 1 AS b").limit(3, offset=1)
    joined = step.join(con.table("t"), ["a"], how="left").group_by("a").agg("count(*) AS n")
    names: list[str] = joined.columns
    text: Optional[str] = joined.to_csv(header=False)
    row: Optional[tuple[Any, ...]] = joined.sum("n", "a").fetchone()
    joined.to_table("u")
    joined.show(max_rows=5)
    print(names, text, row, len(joined), joined.shape, joined.explain(analyze=True))
    for values in joined:
        print(values)
    return joined.rename(a="x").drop("n").to_dicts()


def results(con: scaup.Connection) -> None:
    con.python_enable_replacements = False
    columns: scaup.Columns = con.execute("SELECT :a, %(b)s", {"a": 1, "b": [1.5]}).fetchnumpy()
    plain: dict[str, Any] = dict(con.sql("SELECT 1 AS a").fetchnumpy())
    con.executemany("INSERT INTO t VALUES ($i)", [{"i": 1}])
    print(columns["a"], plain, con.sql("SELECT 1").df(dtype_backend="pyarrow"), con.cursor().fetchdf(date_as_object=True))


def module() -> None:
    scaup.execute("CREATE TABLE t (i INTEGER)")
    print(scaup.sql("SELECT 1").fetchall(), scaup.values((1, "a")).fetchnumpy())
    scaup.set_default_connection(scaup.connect())


def by_adbc(con: scaup.Connection) -> str:
    scaup.adbc.write_manifest("drivers", driver=scaup.adbc.driver_path())
    with scaup.adbc.connect(con, autocommit=True) as other, scaup.adbc.connect("x.scaup", config={"threads": 2}) as third:
        print(other, third)
    return scaup.adbc.ENTRYPOINT


async def waiting() -> None:
    async with scaup.aio.connect() as con:
        async with con.transaction():
            await con.execute("SELECT 1")
        async for row in await con.execute("SELECT ?", [1]):
            print(row)
        result = await con.sql("SELECT 1")
        if result is not None:
            print(result.to_dicts(), result.columns)


if __name__ == "__main__":
    asyncio.run(waiting())
