import BenchKit
import SystemSQLite

/// **Value.** All students, all courses and who takes which, by place.
private struct RawEnrollments {
    var students: [(name: String, courses: [Int])] = []
    var courses: [(title: String, students: [Int])] = []
}

/// Students and courses: three queries, joined by key in memory.
extension RawSession {
    func readEnrollments() throws -> Digest {
        let enrollments = try loadEnrollments()
        var digest = Digest()
        for student in enrollments.students {
            digest.add(student.name)
            for course in student.courses {
                digest.row()
                digest.add(enrollments.courses[course].title)
            }
        }
        for course in enrollments.courses {
            digest.add(course.title)
            for student in course.students {
                digest.row()
                digest.add(enrollments.students[student].name)
            }
        }
        return digest
    }

    func exchangeCourses(ofStudents ids: [Int64]) throws {
        _ = try loadEnrollments()
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let (leave, enroll) = (try connection.statement(RawSQL.leave), try connection.statement(RawSQL.enroll))
            for id in ids {
                sqlite3_bind_int64(leave, 1, id)
                sqlite3_bind_int64(leave, 2, Enrollment.course(0, ofStudent: id))
                try connection.run(leave)
                sqlite3_bind_int64(enroll, 1, id)
                sqlite3_bind_int64(enroll, 2, Enrollment.course(11, ofStudent: id))
                try connection.run(enroll)
            }
        }
    }

    func addCourseToEachStudent() throws {
        let count = try loadEnrollments().students.count
        try connection.inTransaction("BEGIN IMMEDIATE") {
            let enroll = try connection.statement(RawSQL.enroll)
            for id in 1...Int64(count) {
                sqlite3_bind_int64(enroll, 1, id)
                sqlite3_bind_int64(enroll, 2, Enrollment.course(10, ofStudent: id))
                try connection.run(enroll)
            }
        }
    }

    /// Keys count from 1 without gaps, so they are places.
    private func loadEnrollments() throws -> RawEnrollments {
        var enrollments = RawEnrollments()
        let students = try connection.statement(RawSQL.students)
        while try connection.step(students) { enrollments.students.append((columnString(students, 1), [])) }
        sqlite3_reset(students)
        let courses = try connection.statement(RawSQL.courses)
        while try connection.step(courses) { enrollments.courses.append((columnString(courses, 1), [])) }
        sqlite3_reset(courses)
        let links = try connection.statement(RawSQL.enrollments)
        while try connection.step(links) {
            let student = Int(sqlite3_column_int64(links, 0)) - 1
            let course = Int(sqlite3_column_int64(links, 1)) - 1
            enrollments.students[student].courses.append(course)
            enrollments.courses[course].students.append(student)
        }
        sqlite3_reset(links)
        return enrollments
    }
}
