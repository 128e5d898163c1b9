import BenchKit
import Foundation

/// Makes the templates of Core Data's schema by hand.
enum CoreDataTemplate {
    static func make(_ template: Template, at path: String, dataset: Dataset) throws {
        let file = try SQLiteFile(path)
        defer { file.close() }
        try file.execute("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
        try file.execute(tables)
        if template == .empty { return }
        try file.execute("BEGIN")
        try insertPeople(dataset.people, into: file)
        try insertStaff(count: dataset.count, into: file)
        try file.execute(
            """
            UPDATE Z_PRIMARYKEY SET Z_MAX = \(dataset.count) WHERE Z_ENT IN (2, 3);
            UPDATE Z_PRIMARYKEY SET Z_MAX = \(Dataset.departmentCount) WHERE Z_ENT = 1
            """)
        try file.execute("COMMIT")
    }

    private static let tables = """
        CREATE TABLE ZDEPARTMENT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
        CREATE TABLE ZEMPLOYEE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDEPARTMENT INTEGER,
          ZSALARY FLOAT, ZNAME VARCHAR, ZTITLE VARCHAR );
        CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAGE INTEGER, ZFRIENDID INTEGER,
          ZCREATED TIMESTAMP, ZSALARY FLOAT, ZLOCATION VARCHAR, ZNAME VARCHAR );
        CREATE INDEX ZEMPLOYEE_ZDEPARTMENT_INDEX ON ZEMPLOYEE (ZDEPARTMENT);
        CREATE INDEX ZPERSON_ZFRIENDID_INDEX ON ZPERSON (ZFRIENDID);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Department', 0, 0), (2, 'Employee', 0, 0), (3, 'Person', 0, 0);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        """

    private static func insertPeople(_ people: [PersonInput], into file: SQLiteFile) throws {
        try file.insert("INSERT INTO ZPERSON VALUES(?, 3, 1, ?, ?, ?, ?, ?, ?)", people) { person, row in
            row.bind(1, person.id)
            row.bind(2, Int64(person.age))
            row.bind(3, person.friendID)
            row.bind(4, person.created - CoreDataSQL.referenceDate)
            row.bind(5, person.salary)
            row.bind(6, person.location)
            row.bind(7, person.name)
        }
    }

    private static func insertStaff(count: Int, into file: SQLiteFile) throws {
        let departments = 1...Int64(Dataset.departmentCount)
        try file.insert("INSERT INTO ZDEPARTMENT VALUES(?, 1, 1, ?)", departments) { id, row in
            row.bind(1, id)
            row.bind(2, Dataset.departmentName(id: id))
        }
        try file.insert("INSERT INTO ZEMPLOYEE VALUES(?, 2, 1, ?, ?, ?, ?)", 1...Int64(count)) { id, row in
            let employee = Dataset.employee(id: id)
            row.bind(1, id)
            row.bind(2, Dataset.departmentID(ofEmployee: id))
            row.bind(3, employee.salary)
            row.bind(4, employee.name)
            row.bind(5, employee.title)
        }
    }
}
