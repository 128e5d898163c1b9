import BenchKit
import GRDB

/// **Value.** That a student takes a course.
struct GRDBEnrollment: PersistableRecord {
    static let databaseTableName = "enrollment"
    let studentID: Int64
    let courseID: Int64

    init(student: Int64, place: Int) {
        studentID = student
        courseID = Enrollment.course(place, ofStudent: student)
    }

    func encode(to container: inout PersistenceContainer) {
        container["student_id"] = studentID
        container["course_id"] = courseID
    }
}

/// What the peers over GRDB's records do with them once everything is loaded.
extension GRDBVariant {
    func exchangeCourses(ofStudents ids: [Int64]) throws {
        _ = try loadStudents()
        try pool.write { database in
            for id in ids {
                try GRDBEnrollment(student: id, place: 0).delete(database)
                try GRDBEnrollment(student: id, place: 11).insert(database)
            }
        }
    }

    func addCourseToEachStudent() throws {
        let count = try loadStudents()
        try pool.write { database in
            for id in 1...Int64(count) { try GRDBEnrollment(student: id, place: 10).insert(database) }
        }
    }
}
