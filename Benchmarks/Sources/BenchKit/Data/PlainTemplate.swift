import SystemSQLite

/// Makes the templates of the plain schema.
enum PlainTemplate {
    static func make(_ template: Template, at path: String, dataset: Dataset) throws {
        let file = try SQLiteFile(path)
        defer { file.close() }
        try file.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
        try file.execute(tables)
        if template == .empty { return }
        try file.execute("BEGIN")
        try insertPeople(dataset.people, into: file)
        try insertStaff(count: dataset.count, into: file)
        try file.execute("COMMIT")
    }

    private static let tables = """
        CREATE TABLE person(
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, location TEXT,
          salary DOUBLE NOT NULL, created DOUBLE NOT NULL, friend_id INTEGER);
        CREATE INDEX person_friend ON person(friend_id);
        CREATE TABLE department(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE employee(
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, title TEXT, salary DOUBLE NOT NULL,
          department_id INTEGER NOT NULL);
        CREATE INDEX employee_department ON employee(department_id);
        """

    private static func insertPeople(_ people: [PersonInput], into file: SQLiteFile) throws {
        try file.insert("INSERT INTO person VALUES(?, ?, ?, ?, ?, ?, ?)", people) { person, row in
            row.bind(1, person.id)
            row.bind(2, person.name)
            row.bind(3, Int64(person.age))
            row.bind(4, person.location)
            row.bind(5, person.salary)
            row.bind(6, person.created)
            row.bind(7, person.friendID)
        }
    }

    private static func insertStaff(count: Int, into file: SQLiteFile) throws {
        try file.insert("INSERT INTO department VALUES(?, ?)", 1...Int64(Dataset.departmentCount)) { id, row in
            row.bind(1, id)
            row.bind(2, Dataset.departmentName(id: id))
        }
        try file.insert("INSERT INTO employee VALUES(?, ?, ?, ?, ?)", 1...Int64(count)) { id, row in
            let employee = Dataset.employee(id: id)
            row.bind(1, id)
            row.bind(2, employee.name)
            row.bind(3, employee.title)
            row.bind(4, employee.salary)
            row.bind(5, Dataset.departmentID(ofEmployee: id))
        }
    }
}
