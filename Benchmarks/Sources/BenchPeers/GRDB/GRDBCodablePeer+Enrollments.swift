import BenchKit
import GRDB

/// Students and courses by GRDB's associations.
extension GRDBCodablePeer {
    struct Student: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "student"
        static let enrollments = hasMany(Enrolled.self)
        static let courses = hasMany(Course.self, through: enrollments, using: Enrolled.course)
        let id: Int64
        let name: String
    }

    struct Course: Codable, FetchableRecord, TableRecord {
        static let databaseTableName = "course"
        static let enrollments = hasMany(Enrolled.self)
        static let students = hasMany(Student.self, through: enrollments, using: Enrolled.student)
        let id: Int64
        let title: String
    }

    struct Enrolled: TableRecord {
        static let databaseTableName = "enrollment"
        static let student = belongsTo(Student.self)
        static let course = belongsTo(Course.self)
    }

    struct StudentOfCourses: Decodable, FetchableRecord {
        let student: Student
        let courses: [Course]
    }

    struct CourseOfStudents: Decodable, FetchableRecord {
        let course: Course
        let students: [Student]
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
