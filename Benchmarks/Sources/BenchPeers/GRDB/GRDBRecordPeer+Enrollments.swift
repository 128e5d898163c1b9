import BenchKit
import GRDB

/// Students and courses by GRDB's associations.
extension GRDBRecordPeer {
    struct Student: FetchableRecord, TableRecord {
        static let databaseTableName = "student"
        static let enrollments = hasMany(Enrolled.self)
        static let courses = hasMany(Course.self, through: enrollments, using: Enrolled.course)
        let name: String

        init(row: Row) { name = row[1] }
    }

    struct Course: FetchableRecord, TableRecord {
        static let databaseTableName = "course"
        static let enrollments = hasMany(Enrolled.self)
        static let students = hasMany(Student.self, through: enrollments, using: Enrolled.student)
        let title: String

        init(row: Row) { title = row[1] }
    }

    struct Enrolled: TableRecord {
        static let databaseTableName = "enrollment"
        static let student = belongsTo(Student.self)
        static let course = belongsTo(Course.self)
    }

    struct StudentOfCourses: FetchableRecord {
        let student: Student
        let courses: [Course]

        init(row: Row) {
            student = Student(row: row)
            courses = row["courses"]
        }
    }

    struct CourseOfStudents: FetchableRecord {
        let course: Course
        let students: [Student]

        init(row: Row) {
            course = Course(row: row)
            students = row["students"]
        }
    }

    func loadStudents() throws -> Int { try students().count }

    func readEnrollments() throws -> Digest {
        var digest = Digest()
        for row in try students() {
            digest.add(row.student.name)
            for course in row.courses {
                digest.row()
                digest.add(course.title)
            }
        }
        for row in try courses() {
            digest.add(row.course.title)
            for student in row.students {
                digest.row()
                digest.add(student.name)
            }
        }
        return digest
    }

    private func students() throws -> [StudentOfCourses] {
        try pool.read { database in
            try Student.including(all: Student.courses).asRequest(of: StudentOfCourses.self).fetchAll(database)
        }
    }

    private func courses() throws -> [CourseOfStudents] {
        try pool.read { database in
            try Course.including(all: Course.students).asRequest(of: CourseOfStudents.self).fetchAll(database)
        }
    }
}
