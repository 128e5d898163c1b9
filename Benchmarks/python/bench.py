#!/usr/bin/env python3
"""The Python peers: sqlite3 (their limit) and SQLAlchemy's ORM session.

Same workloads, same template databases (databench makes them), same JSON as databench, per operation.
Usage: bench.py --n 20000 --rounds 1 --dir ../.work --json out.json [--peers a,b] [--workloads W2,W7]
"""
import argparse, gc, json, os, random, shutil, sqlite3, sys, time

COLS = "id, name, age, location, salary, created, friend_id"


class NotDone(Exception):
    pass


class Peer:
    """A new peer: subclass, implement what it does, add it to PEERS."""

    name = "?"

    def __init__(self, path, sync):
        raise NotDone

    def close(self):
        pass

    def __getattr__(self, item):
        if item.startswith("w"):
            raise NotDone
        raise AttributeError(item)


def touch(p):
    return (p.id, len(p.name), p.age, p.location, p.salary, p.created, p.friend_id)


class PySQLite(Peer):
    name = "py-sqlite3"

    def __init__(self, path, sync):
        self.db = sqlite3.connect(path, isolation_level=None)
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute(f"PRAGMA synchronous = {sync}")

    def close(self):
        self.db.close()

    def w1(self, c):
        self.db.execute("BEGIN IMMEDIATE")
        self.db.executemany("INSERT INTO person VALUES(?,?,?,?,?,?,?)", c.people)
        self.db.execute("COMMIT")

    def w2(self, c):
        rows = self.db.execute(f"SELECT {COLS} FROM person").fetchall()
        return sum(1 for r in rows if (r[0], len(r[1]), r[2], r[3], r[4], r[5], r[6]))

    w2w = w2

    def w3(self, c, times):
        for _ in range(times):
            rows = self.db.execute(
                f"SELECT {COLS} FROM person WHERE age >= ? AND location = ? ORDER BY name LIMIT 100", (18, "Taipei")
            ).fetchall()
            n = sum(1 for r in rows if (r[0], len(r[1]), r[2], r[3], r[4], r[5], r[6]))
        return n

    def w4(self, c):
        for _ in range(5):
            self.db.execute("SELECT count(*) FROM person WHERE age >= 18").fetchone()
            rows = self.db.execute("SELECT location, count(*), avg(salary) FROM person GROUP BY location").fetchall()
        return len(rows)

    def w5(self, c):
        rows = self.db.execute(f"SELECT {COLS} FROM person").fetchall()
        self.db.execute("BEGIN IMMEDIATE")
        self.db.executemany(
            "UPDATE person SET age = ? WHERE id = ?", [(r[2] + 1, r[0]) for r in rows if r[0] % 10 == 0]
        )
        self.db.execute("COMMIT")

    def w6(self, c):
        self.db.execute("BEGIN IMMEDIATE")
        self.db.executemany("DELETE FROM person WHERE id = ?", [(i,) for i in c.tenth])
        self.db.execute("COMMIT")

    def w7(self, c):
        self.db.execute("BEGIN")
        q = f"SELECT {COLS} FROM person WHERE id = ?"
        n = 0
        for i in c.shuffled:
            r = self.db.execute(q, (i,)).fetchone()
            n += 1 if (r[0], len(r[1]), r[2], r[3], r[4], r[5], r[6]) else 0
        self.db.execute("COMMIT")
        return n

    w7w = w7

    def w7s(self, c):
        q = f"SELECT {COLS} FROM person WHERE id = ?"
        n = 0
        for i in c.shuffled[: c.n // 5]:
            r = self.db.execute(q, (i,)).fetchone()
            n += 1 if (r[0], len(r[1]), r[2], r[3], r[4], r[5], r[6]) else 0
        return n

    def w8(self, c):
        rows = self.db.execute(
            "SELECT e.id, e.name, e.title, e.salary, d.name FROM employee e JOIN department d ON d.id = e.department_id"
        ).fetchall()
        return sum(1 for r in rows if (r[0], len(r[1]), r[2], r[3], len(r[4])))

    def w8L(self, c):
        names, n = {}, 0
        for r in self.db.execute("SELECT id, name, title, salary, department_id FROM employee").fetchall():
            name = names.get(r[4])
            if name is None:
                name = self.db.execute("SELECT name FROM department WHERE id = ?", (r[4],)).fetchone()[0]
                names[r[4]] = name
            n += 1 if len(name) else 0
        return n

    def w9(self, c):
        for p in c.new:
            self.db.execute("BEGIN IMMEDIATE")
            self.db.execute("INSERT INTO person VALUES(?,?,?,?,?,?,?)", p)
            self.db.execute("COMMIT")


def sqlalchemy_peer():
    from sqlalchemy import ForeignKey, create_engine, event, func, select
    from sqlalchemy.orm import DeclarativeBase, Mapped, Session, joinedload, mapped_column, relationship

    class Base(DeclarativeBase):
        pass

    class Person(Base):
        __tablename__ = "person"
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]
        age: Mapped[int]
        location: Mapped[str | None]
        salary: Mapped[float]
        created: Mapped[float]
        friend_id: Mapped[int | None]

    class Department(Base):
        __tablename__ = "department"
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]

    class Employee(Base):
        __tablename__ = "employee"
        id: Mapped[int] = mapped_column(primary_key=True)
        name: Mapped[str]
        title: Mapped[str | None]
        salary: Mapped[float]
        department_id: Mapped[int] = mapped_column(ForeignKey("department.id"))
        department: Mapped[Department] = relationship()

    def make(p):
        return Person(id=p[0], name=p[1], age=p[2], location=p[3], salary=p[4], created=p[5], friend_id=p[6])

    class SQLAlchemyORM(Peer):
        name = "sqlalchemy"

        def __init__(self, path, sync):
            self.engine = create_engine("sqlite:///" + path)

            @event.listens_for(self.engine, "connect")
            def on_connect(db, _):
                db.execute("PRAGMA journal_mode = WAL")
                db.execute(f"PRAGMA synchronous = {sync}")

            self.session = Session(self.engine)
            self.held = None

        def close(self):
            self.session.close()
            self.engine.dispose()

        def w1(self, c):
            self.session.add_all([make(p) for p in c.people])
            self.session.commit()

        def w2(self, c):
            self.held = self.session.scalars(select(Person)).all()
            return sum(1 for p in self.held if touch(p))

        w2w = w2

        def w3(self, c, times):
            for _ in range(times):
                rows = self.session.scalars(
                    select(Person).where(Person.age >= 18, Person.location == "Taipei").order_by(Person.name).limit(100)
                ).all()
                n = sum(1 for p in rows if touch(p))
            return n

        def w4(self, c):
            for _ in range(5):
                self.session.scalar(select(func.count()).select_from(Person).where(Person.age >= 18))
                rows = self.session.execute(
                    select(Person.location, func.count(Person.id), func.avg(Person.salary)).group_by(Person.location)
                ).all()
            return len(rows)

        def w5(self, c):
            people = self.session.scalars(select(Person)).all()
            for p in people:
                if p.id % 10 == 0:
                    p.age += 1
            self.session.commit()

        def w6(self, c):
            for p in self.session.scalars(select(Person).where(Person.id % 10 == 0)).all():
                self.session.delete(p)
            self.session.commit()

        def w7(self, c):
            self.held = [self.session.get(Person, i) for i in c.shuffled]
            return sum(1 for p in self.held if touch(p))

        w7w = w7

        def w7s(self, c):
            n = 0
            for i in c.shuffled[: c.n // 5]:
                with Session(self.engine) as s:
                    n += 1 if touch(s.get(Person, i)) else 0
            return n

        def w8(self, c):
            rows = self.session.scalars(select(Employee).options(joinedload(Employee.department))).all()
            return sum(1 for e in rows if (e.id, len(e.name), e.title, e.salary, len(e.department.name)))

        def w8L(self, c):
            rows = self.session.scalars(select(Employee)).all()
            return sum(1 for e in rows if (e.id, len(e.name), e.title, e.salary, len(e.department.name)))

        def w9(self, c):
            for p in c.new:
                self.session.add(make(p))
                self.session.commit()

    return SQLAlchemyORM


PEERS = {"py-sqlite3": lambda: PySQLite, "sqlalchemy": sqlalchemy_peer}

# id: (template, synchronous, operations of a context, expected count, method, arguments)
WORKLOADS = {
    "W1": ("empty", "NORMAL", lambda c: c.n, None, "w1", ()),
    "W5": ("full", "NORMAL", lambda c: c.n, None, "w5", ()),
    "W6": ("full", "NORMAL", lambda c: len(c.tenth), None, "w6", ()),
    "W9": ("full", "NORMAL", lambda c: len(c.new), None, "w9", ()),
    "W2": ("full", "NORMAL", lambda c: c.n, lambda c: c.n, "w2", ()),
    "W2w": ("full", "NORMAL", lambda c: c.n, lambda c: c.n, "w2w", ()),
    "W3": ("full", "NORMAL", lambda c: 20, lambda c: 100, "w3", (20,)),
    "W3i": ("indexed", "NORMAL", lambda c: 200, lambda c: 100, "w3", (200,)),
    "W4": ("full", "NORMAL", lambda c: 5, None, "w4", ()),
    "W7": ("full", "NORMAL", lambda c: c.n, lambda c: c.n, "w7", ()),
    "W7w": ("full", "NORMAL", lambda c: c.n, lambda c: c.n, "w7w", ()),
    "W7s": ("full", "NORMAL", lambda c: c.n // 5, lambda c: c.n // 5, "w7s", ()),
    "W8": ("full", "NORMAL", lambda c: c.n, lambda c: c.n, "w8", ()),
    "W8L": ("full", "NORMAL", lambda c: c.n, lambda c: c.n, "w8L", ()),
    "W9F": ("full", "FULL", lambda c: len(c.new), None, "w9", ()),
}


class Context:
    def __init__(self, directory, n):
        self.n = n
        db = sqlite3.connect(f"{directory}/plain-full-{n}.sqlite")
        self.people = db.execute(f"SELECT {COLS} FROM person ORDER BY id").fetchall()
        db.close()
        self.tenth = [p[0] for p in self.people if p[0] % 10 == 0]
        self.shuffled = [p[0] for p in self.people]
        random.Random(1).shuffle(self.shuffled)
        self.new = [(n + 1 + i,) + self.people[i][1:] for i in range(500)]


def remove(path):
    for s in ("", "-wal", "-shm", "-journal"):
        try:
            os.unlink(path + s)
        except FileNotFoundError:
            pass


def main():
    a = argparse.ArgumentParser()
    a.add_argument("--n", type=int, default=20_000)
    a.add_argument("--rounds", type=int, default=1)
    a.add_argument("--first-round", type=int, default=1)
    a.add_argument("--dir", required=True)
    a.add_argument("--json", required=True)
    a.add_argument("--peers", default=",".join(PEERS))
    a.add_argument("--workloads", default=",".join(WORKLOADS))
    o = a.parse_args()
    c = Context(o.dir, o.n)
    peers = [PEERS[p]() for p in o.peers.split(",")]
    samples = []
    path = f"{o.dir}/run-python.sqlite"
    for r in range(o.first_round, o.first_round + o.rounds):
        for w in o.workloads.split(","):
            template, sync, ops, expected, method, args = WORKLOADS[w]
            for i in range(len(peers)):
                peer = peers[(i + r) % len(peers)]
                remove(path)
                shutil.copyfile(f"{o.dir}/plain-{template}-{o.n}.sqlite", path)
                p = peer(path, sync)
                try:
                    f = getattr(p, method)
                    if w in ("W2w", "W7w"):
                        f(c, *args)
                    gc.collect()
                    cpu, wall = time.process_time(), time.perf_counter()
                    got = f(c, *args)
                    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
                except NotDone:
                    continue
                finally:
                    p.close()
                if expected and got != expected(c):
                    print(f"MISMATCH {w} {peer.name}: {got}", file=sys.stderr)
                samples.append(
                    dict(workload=w, peer=peer.name, count=o.n, round=r, operations=ops(c), wall=wall, processor=cpu)
                )
    remove(path)
    json.dump(samples, open(o.json, "w"))


if __name__ == "__main__":
    main()
