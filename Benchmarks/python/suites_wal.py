"""Runs SQLAlchemy's examples/performance, from the sources' folder, with a write-ahead log and synchronous=NORMAL."""
import os, runpy, sys

from sqlalchemy import Engine, event


@event.listens_for(Engine, "do_connect")
def connect(dialect, record, arguments, options):
    """Makes every connection, also those that a test makes without the pool."""
    connection = dialect.connect(*arguments, **options)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    return connection


sys.path.insert(0, os.getcwd())
runpy.run_module("examples.performance", run_name="__main__", alter_sys=True)
