extension Workload {
    /// W15: students, courses, and who takes which.
    static let enrollments = [
        Workload(
            id: "W15", title: "N / 10 students and 200 courses, read from either side", template: .enrolled,
            unit: "link", operations: links,
            run: { peer, _ in try cold(peer) { try peer.readEnrollments() } }),
        Workload(
            id: "W15c", title: "load them, exchange a course of 1 % of the students, save", template: .enrolled,
            unit: "link", operations: links,
            run: { peer, input in
                try peer.exchangeCourses(ofStudents: Enrollment.changedStudents(for: input.dataset.count))
                return .wrote(.enrollments)
            }),
        Workload(
            id: "W15a", title: "load them, a further course for each student, save", template: .enrolled,
            unit: "student", operations: { Enrollment.studentCount(for: $0.dataset.count) },
            run: { peer, _ in
                try peer.addCourseToEachStudent()
                return .wrote(.enrollments)
            }),
        Workload(
            id: "W15o", title: "one student into one course, again and again", template: .enrolled,
            unit: "addition", operations: { _ in 1 },
            figures: [
                Figure(id: "W15o1", key: "few", title: "add 1 to a course of N / 200", unit: "ns"),
                Figure(id: "W15o2", key: "many", title: "add 1 to a course of N / 10", unit: "ns"),
                Figure(id: "W15og", key: "growth", title: "the second by the first", unit: "times", target: 1.3),
                Figure(id: "W15s1", key: "fewInSet", title: "insert 1 into the property of N / 200", unit: "ns"),
                Figure(id: "W15s2", key: "manyInSet", title: "insert 1 into the property of N / 10", unit: "ns"),
            ],
            isTimed: false,
            run: { peer, _ in .measured(try peer.addStudentsOneByOne()) }),
    ]

    private static let links: @Sendable (WorkloadInput) -> Int = {
        Enrollment.studentCount(for: $0.dataset.count) * Enrollment.coursesPerStudent
    }

    /// W16: from a closed file to the first object.
    static let starts = [
        start("W16", "the first of N people, 3 entities", .full),
        start("W16c", "the first of N people, 3 entities, nothing in the page cache", .full, isCold: true),
        start("W16e", "the first of N people, 200 entities", .manyEntities, target: 2.5),
        start(
            "W16ec", "the first of N people, 200 entities, nothing in the page cache", .manyEntities, isCold: true,
            target: 1.6),
    ]

    private static func start(
        _ id: String, _ title: String, _ template: Template, isCold: Bool = false, target: Double = 3
    ) -> Workload {
        Workload(
            id: id, title: "open the file and read " + title, template: template, unit: "start",
            operations: { _ in 10 }, baseline: "raw+bookkeeping", target: target,
            openings: Openings(times: 10, isCold: isCold),
            run: { peer, _ in .read(try peer.fetchFirstPerson()) })
    }

    /// W17.
    static let accessors = Workload(
        id: "W17", title: "read and write every type of attribute of one object", template: .empty, unit: "pass",
        operations: { $0.dataset.count },
        run: { peer, input in
            try peer.accessAttributes(times: input.dataset.count)
            return .measured([:])
        })
}
