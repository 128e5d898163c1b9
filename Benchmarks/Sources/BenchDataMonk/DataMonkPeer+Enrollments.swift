import BenchKit
import DataMonk

/// Students and courses. Unordered objects come in the order of their keys.
extension DataMonkPeer {
    func readEnrollments() throws -> Digest {
        var digest = Digest()
        let students = try world.fetchAll(Student.self, options: .Prefetch(["courses"]))
        for student in students {
            digest.add(student.name)
            for course in student.courses {
                digest.row()
                digest.add(course.title)
            }
        }
        for course in try world.fetchAll(Course.self, options: .Prefetch(["students"])) {
            digest.add(course.title)
            for student in course.students {
                digest.row()
                digest.add(student.name)
            }
        }
        shown = students
        return digest
    }

    func exchangeCourses(ofStudents ids: [Int64]) throws {
        try updater.beginUpdateAndWait { update in
            let courses = try update.fetchAll(Course.self)
            let students = try update.fetchAll(Student.self, options: .Prefetch(["courses"]))
            for id in ids {
                let student = students[Int(id) - 1]
                student.remove(courses.course(0, of: id), from: \.courses)
                student.add(courses.course(11, of: id), to: \.courses)
            }
            try update.commit()
        }
    }

    func addCourseToEachStudent() throws {
        try updater.beginUpdateAndWait { update in
            let courses = try update.fetchAll(Course.self)
            let students = try update.fetchAll(Student.self, options: .Prefetch(["courses"]))
            for (index, student) in students.enumerated() {
                student.add(courses.course(10, of: Int64(index) + 1), to: \.courses)
            }
            try update.commit()
        }
    }

    func addStudentsOneByOne() throws -> [String: Double] {
        try updater.beginUpdateAndWait { update in
            let students = try update.fetchAll(Student.self)
            /// Nanoseconds for one of the students, in a course that has `count` others already: the best of five goes, as
            /// one interruption is longer than all additions of a go.
            func time(count: Int, additions: Int, _ add: (Student, Course) -> Void) throws -> Double {
                var best = Double.infinity
                for _ in 0..<5 {
                    let course = try update.create(Course.self)
                    course.students = Set(students.dropFirst(additions).prefix(count))
                    let start = now()
                    for student in students.prefix(additions) { add(student, course) }
                    best = min(best, Double(now() - start) / Double(additions))
                }
                return best
            }
            let (few, many) = (students.count / 20, students.count)
            let first = try time(count: few, additions: 100) { $1.add($0, to: \.students) }
            let second = try time(count: many, additions: 100) { $1.add($0, to: \.students) }
            return [
                "few": first, "many": second, "growth": second / first,
                "fewInSet": try time(count: few, additions: 10) { $1.students.insert($0) },
                "manyInSet": try time(count: many, additions: 10) { $1.students.insert($0) },
            ]
        }
    }
}

extension [Course] {
    fileprivate func course(_ place: Int, of student: Int64) -> Course {
        self[Int(Enrollment.course(place, ofStudent: student)) - 1]
    }
}
