import SystemSQLite

/// Makes the templates of the plain schema.
enum PlainTemplate {
    static func make(_ template: Template, at path: String, dataset: Dataset) throws {
        let file = try SQLiteFile(path)
        defer { file.close() }
        try file.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF")
        try file.execute("BEGIN")
        try file.execute(tables(of: template))
        switch template {
        case .empty: break
        case .enrolled: try enroll(count: dataset.count, into: file)
        case .tree: try insertTree(count: dataset.count, into: file)
        case .tagged: try insertArticles(count: dataset.count, into: file)
        case .wide: try insertWideRows(count: dataset.count, into: file)
        case .notes: try insertNotes(count: dataset.count, into: file)
        case .smallPictures: try insertPictures(.small, count: dataset.count, into: file)
        case .largePictures: try insertPictures(.large, count: dataset.count, into: file)
        case .full, .indexed, .named, .manyEntities:
            try insertPeople(dataset.people, into: file)
            try insertStaff(count: dataset.count, into: file)
        }
        if template == .manyEntities { try file.execute(furtherTables) }
        try file.execute("COMMIT")
    }

    private static func tables(of template: Template) -> String {
        switch template {
        case .enrolled: enrollmentTables
        case .tree: treeTables
        case .tagged: tagTables
        case .wide: wideTables
        case .notes: noteTables
        case .smallPictures, .largePictures: pictureTables
        case .empty, .full, .indexed, .named, .manyEntities: peopleTables
        }
    }

    private static let peopleTables = """
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

    private static let enrollmentTables = """
        CREATE TABLE student(id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE course(id INTEGER PRIMARY KEY, title TEXT NOT NULL);
        CREATE TABLE enrollment(
          student_id INTEGER NOT NULL REFERENCES student(id), course_id INTEGER NOT NULL REFERENCES course(id),
          PRIMARY KEY(student_id, course_id));
        CREATE INDEX enrollment_course ON enrollment(course_id, student_id);
        """

    private static var furtherTables: String {
        let columns = Template.furtherAttributes.map { "\($0) TEXT" }.joined(separator: ", ")
        return Template.furtherEntities.map { "CREATE TABLE \($0)(id INTEGER PRIMARY KEY, \(columns));" }
            .joined(separator: "\n")
    }

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

    private static func enroll(count: Int, into file: SQLiteFile) throws {
        try file.insert("INSERT INTO course VALUES(?, ?)", 1...Int64(Enrollment.courseCount)) { id, row in
            row.bind(1, id)
            row.bind(2, Enrollment.courseTitle(id: id))
        }
        let students = 1...Int64(Enrollment.studentCount(for: count))
        try file.insert("INSERT INTO student VALUES(?, ?)", students) { id, row in
            row.bind(1, id)
            row.bind(2, Enrollment.studentName(id: id))
        }
        let enrollments = students.lazy.flatMap { id in
            (0..<Enrollment.coursesPerStudent).map { (student: id, course: Enrollment.course($0, ofStudent: id)) }
        }
        try file.insert("INSERT INTO enrollment VALUES(?, ?)", enrollments) { enrollment, row in
            row.bind(1, enrollment.student)
            row.bind(2, enrollment.course)
        }
    }
}
