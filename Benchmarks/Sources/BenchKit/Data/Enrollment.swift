/// The students, the courses and who takes which: the data of the many-to-many workloads, the same for the same count on
/// every machine. There is one student for ten rows of the other workloads; keys count from 1.
package enum Enrollment {
    package static let courseCount = 200
    package static let coursesPerStudent = 10

    package static func studentCount(for count: Int) -> Int { max(1, count / 10) }
    package static func studentName(id: Int64) -> String { "Student Number \(id)" }
    package static func courseTitle(id: Int64) -> String { "Introduction to Subject \(id)" }

    /// The key of the course in a place: places 0 to 9 are the courses that a student takes, those behind them courses that
    /// the student does not take yet.
    package static func course(_ place: Int, ofStudent id: Int64) -> Int64 {
        1 + (id * 7 + Int64(place) * 19) % Int64(courseCount)
    }

    /// The keys of the students that change: one in a hundred.
    package static func changedStudents(for count: Int) -> [Int64] {
        Array(stride(from: 1, through: Int64(studentCount(for: count)), by: 100))
    }
}
