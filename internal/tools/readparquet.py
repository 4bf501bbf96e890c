"""Read Parquet files with foreign readers and print what they saw, for the tests of package results.

Usage: readparquet.py FILE...

Prints one JSON object: file -> reader -> column -> list of values as text. Integers are in decimal, floats
are their 64 bits in hexadecimal, booleans true or false. The reader named "problems" lists statistics that
contradict the values, columns that are nullable, and filters that lose rows.
"""

import json
import math
import struct
import sys

import duckdb
import pandas
import polars
import pyarrow.parquet


def text(value):
    """The value in a form that JSON readers cannot change."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return value
    if type(value).__name__ in ("bool", "bool_"):
        return "true" if value else "false"
    if type(value).__name__ in ("float", "float64"):
        if math.isnan(value):
            return "NaN"
        return struct.pack(">d", value).hex()
    return str(int(value))


def table(columns):
    return {name: [text(v) for v in values] for name, values in columns.items()}


def read_duckdb(path):
    result = duckdb.execute("SELECT * FROM read_parquet(?)", [path])
    names = [d[0] for d in result.description]
    rows = result.fetchall()
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def read_pandas(path):
    frame = pandas.read_parquet(path, engine="pyarrow")
    return {name: frame[name].tolist() for name in frame.columns}


def read_polars(path):
    return polars.read_parquet(path).to_dict(as_series=False)


def statistics_problems(path):
    """Statistics of each row group against its values. NaN has no place in them."""
    problems = []
    file = pyarrow.parquet.ParquetFile(path)
    for i in range(file.schema.__len__()):
        if file.schema.column(i).max_definition_level != 0:
            problems.append(f"{file.schema.column(i).name}: nullable")
    for g in range(file.metadata.num_row_groups):
        values = file.read_row_group(g).to_pydict()
        for c in range(file.metadata.num_columns):
            chunk = file.metadata.row_group(g).column(c)
            name, stats = chunk.path_in_schema, chunk.statistics
            ordered = [v for v in values[name] if v == v]
            if stats is None:
                problems.append(f"{name}: row group {g} has no statistics")
                continue
            if stats.null_count != 0:
                problems.append(f"{name}: row group {g}: null count {stats.null_count}, expected 0")
            if stats.distinct_count not in (None, len(set(map(text, values[name])))):
                problems.append(f"{name}: row group {g}: distinct count {stats.distinct_count}")
            if stats.has_min_max and ordered and (stats.min > min(ordered) or stats.max < max(ordered)):
                problems.append(f"{name}: row group {g}: {stats.min}..{stats.max} leaves out {min(ordered)} or {max(ordered)}")
            if ordered and not stats.has_min_max and len(ordered) == len(values[name]):
                problems.append(f"{name}: row group {g} has no minimum and maximum")
    return problems


def filter_problems(path):
    """A filter on a value must find its rows, although it may skip row groups by their statistics."""
    problems = []
    for name, values in read_duckdb(path).items():
        ordered = sorted(set(v for v in values if v == v))
        for value in ordered[:4] + ordered[4:-4:50] + ordered[4:][-4:]:
            query = f'SELECT count(*) FROM read_parquet(?) WHERE "{name}" = ?'
            kind = {float: "DOUBLE", int: "HUGEINT"}.get(type(value))
            if kind:
                query += f"::{kind}"
            found = duckdb.execute(query, [path, value]).fetchone()[0]
            if found != values.count(value):
                problems.append(f"{name} = {value}: {found} rows, expected {values.count(value)}")
    return problems


def main(paths):
    report = {}
    for path in paths:
        report[path] = {
            "pandas": table(read_pandas(path)),
            "DuckDB": table(read_duckdb(path)),
            "polars": table(read_polars(path)),
            "problems": {"statistics": statistics_problems(path), "filters": filter_problems(path)},
        }
    json.dump(report, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1:])
