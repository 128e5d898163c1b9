/// **Confined**, to the main actor. Something that does the workloads. A new peer is a folder with a class that
/// implements as much of this as it has (what it does not implement is printed as `-`) and a line in `standardPeers`.
///
/// The runner opens a fresh copy of a template for every sample, calls one workload inside the clock, and closes the
/// peer outside it. A method does the whole workload, loops included, in the way that is idiomatic for the peer.
/// Everything runs on the main actor, whose turn ends after each sample, but for the writer of `readWhileWriting`.
@MainActor
package protocol Peer: AnyObject {
    /// The column's header, and the name that `--peers` takes.
    static var name: String { get }
    static var schema: Schema { get }

    /// Makes a file in the peer's schema. Called for the first peer of a schema that finds none; `plain` has a
    /// default.
    static func makeTemplate(_ template: Template, at path: String, dataset: Dataset) throws

    /// Opens the database at `path`, a copy of `template`. Everything but `synchronous` keeps the library's defaults.
    init(path: String, template: Template, durability: Durability) throws
    func close() throws

    /// Called before the clock starts by workloads that name keys: an engine with identities of its own finds them
    /// here.
    func prepare(_ dataset: Dataset) throws

    /// Forgets every object the peer keeps between calls. Called inside the clock by the workloads that start cold,
    /// so that those who keep objects pay for letting them go, as those who do not have paid.
    func reset() throws

    // MARK: Reading

    /// W2, W2w. All people as objects held at once, then every attribute read.
    func fetchAllPeople() throws -> Digest

    /// W3, W3i. The first people by name of an age and a location, in one query; every attribute read.
    func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest

    /// W4. How many people have the age; for each location how many people and their mean salary.
    func aggregate(minimumAge: Int) throws -> Digest

    /// W7, W7w. The person of each key in this order, every attribute read; one session.
    func lookUp(ids: [Int64]) throws -> Digest

    /// W7s. The same, each person an access of its own to the store.
    func lookUpSeparately(ids: [Int64]) throws -> Digest

    /// W8. All employees and the names of their departments, prefetched or joined.
    func readDepartmentNames() throws -> Digest

    /// W8L. The same, each department found when it is read.
    func readDepartmentNamesLazily() throws -> Digest

    /// W15. All students with their courses, and all courses with their students: two rows of the digest and a text for
    /// each link.
    func readEnrollments() throws -> Digest

    /// W16. The first person by key, every attribute read: the first call after `init`.
    func fetchFirstPerson() throws -> Digest

    /// W17. Reads and writes each attribute of one object so many times.
    func accessAttributes(times: Int) throws

    // MARK: Writing

    /// W1. One transaction.
    func insert(_ people: [PersonInput]) throws

    /// W5. Loads everybody, adds 1 to the age of those whose key ends in 0, saves: one transaction.
    func loadAndAgeTenth() throws

    /// W6. Deletes the people of these keys one by one, in one transaction.
    func delete(ids: [Int64]) throws

    /// W9. Each person in a transaction of their own.
    func insertSeparately(_ people: [PersonInput]) throws

    /// W11. The same by so many tasks at once, each of which commits one person at a time.
    func insertSeparately(_ people: [PersonInput], tasks: Int) throws

    /// W15c. Loads all students with their courses, gives these ones the course in place 11 for the one in place 0, saves.
    func exchangeCourses(ofStudents ids: [Int64]) throws

    /// W15a. Loads all students with their courses, adds the course in place 10 to each, saves.
    func addCourseToEachStudent() throws

    /// W15o. The time, in nanoseconds, that one student more in one course takes, by the number of those that are there:
    /// the figures `few`, `many`, `growth`, `fewInSet` and `manyInSet`.
    func addStudentsOneByOne() throws -> [String: Double]

    // MARK: Large updates

    /// W20. In one transaction, finds each person by name, and inserts those who are not there; the others get the age.
    func findOrCreate(_ people: [PersonInput]) throws

    /// W21. In one transaction, gives the people of these keys one of these friends each, in turn, and then, inside the
    /// clock, fetches the people of each friend; every attribute read. Takes everything back.
    func fetchPeople(friendIDs: [Int64], afterChanging ids: [Int64]) throws -> (Digest, Stopwatch)

    /// W22s. Each person in a transaction of their own by so many tasks at once, one transaction after the other in the
    /// order of the calls.
    func insertSerially(_ people: [PersonInput], tasks: Int) throws

    /// W25d. Fetches the people below an age and deletes them, in one transaction.
    func deletePeople(below age: Int) throws

    // MARK: Graphs

    /// W23, W24. All nodes of a tree as objects held until `dropTree`.
    func fetchTree() throws

    /// W23, W23w. Goes from the root to the children of each node, every attribute read.
    func walkTree() throws -> Digest

    /// W24. Lets go of all nodes.
    func dropTree() throws

    /// W24. The first node by key, every attribute read.
    func fetchFirstNode() throws -> Digest

    /// W25. Deletes the root of the tree and, by a cascade, everything below, in one transaction.
    func deleteTree() throws

    /// W25t. Removes each tag from all of its articles, a transaction each.
    func removeTags(named names: [String]) throws

    /// W28. The articles that have at least one of the tags, and their titles.
    func fetchArticles(taggedWithOneOf names: [String]) throws -> Digest

    /// W28p. All articles and the names of their tags, prefetched or joined: a row of the digest for each link.
    func readTags() throws -> Digest

    // MARK: Columns

    /// W26. Name, number and ratio of all wide rows, as values.
    func readThreeColumns() throws -> Digest

    /// W26o. The same, as objects if the peer has any.
    func readThreeColumnsOfObjects() throws -> Digest

    /// W27. How many texts satisfy the condition.
    func countNotes(_ search: TextSearch) throws -> Digest

    /// W31. One transaction.
    func insertPictures(_ size: PictureSize, count: Int, isExternal: Bool) throws

    /// W31n. All pictures as objects, and their names.
    func readPictureNames(isExternal: Bool) throws -> Digest

    // MARK: Orders and groups

    /// W29. All employees and their departments as objects held for `sortStaff`.
    func fetchStaff() throws

    /// W29. Sorts them in memory by the department's name and, within it, by falling salary; place and salary of each.
    func sortStaff() throws -> Digest

    /// W29m. For each location, the median of its people's salaries.
    func readMedianSalaries() throws -> Digest

    /// W29s. For each department's name, sum and mean of its employees' salaries.
    func readSalariesOfDepartments() throws -> Digest

    // MARK: Undo

    /// W30. Changes so many people, each a step that can be undone.
    func makeUndoSteps(_ count: Int) throws

    /// W30. Undoes them one by one.
    func undoSteps(_ count: Int) throws

    // MARK: Both

    /// W10. Inserts people one commit each on one thread and fetches 100 with consecutive keys at a time on the main
    /// one, by `runConcurrently`.
    func readWhileWriting(seconds: Double, people: [PersonInput], greatestID: Int64) throws -> ConcurrentResult

    /// W12. Shows people on the main actor while they are imported elsewhere, by `Heart`.
    func follow(_ plan: ImportPlan) throws -> ImportResult

    /// W13. Makes a list of all people by location and name, in sections by location.
    func openList() throws

    /// W13. Commits these people's new names and locations in one transaction, and finds out what moved in the list.
    ///
    /// - Returns: how many people the differences name.
    func changeList(_ people: [PersonInput]) throws -> Int
}

/// The peer does not do this workload.
package struct NotDone: Error {
    package init() {}
}

extension Peer {
    package static var schema: Schema { .plain }

    package static func makeTemplate(_ template: Template, at path: String, dataset: Dataset) throws {
        precondition(schema == .plain, "\(name) makes its own templates")
        try PlainTemplate.make(template, at: path, dataset: dataset)
    }

    package func prepare(_ dataset: Dataset) throws {}
    package func reset() throws {}
    package func fetchAllPeople() throws -> Digest { throw NotDone() }
    package func fetchPeople(minimumAge: Int, location: String, limit: Int) throws -> Digest { throw NotDone() }
    package func aggregate(minimumAge: Int) throws -> Digest { throw NotDone() }
    package func lookUp(ids: [Int64]) throws -> Digest { throw NotDone() }
    package func lookUpSeparately(ids: [Int64]) throws -> Digest { throw NotDone() }
    package func readDepartmentNames() throws -> Digest { throw NotDone() }
    package func readDepartmentNamesLazily() throws -> Digest { throw NotDone() }
    package func insert(_ people: [PersonInput]) throws { throw NotDone() }
    package func loadAndAgeTenth() throws { throw NotDone() }
    package func delete(ids: [Int64]) throws { throw NotDone() }
    package func insertSeparately(_ people: [PersonInput]) throws { throw NotDone() }
    package func readEnrollments() throws -> Digest { throw NotDone() }
    package func fetchFirstPerson() throws -> Digest { throw NotDone() }
    package func accessAttributes(times: Int) throws { throw NotDone() }
    package func insertSeparately(_ people: [PersonInput], tasks: Int) throws { throw NotDone() }
    package func exchangeCourses(ofStudents ids: [Int64]) throws { throw NotDone() }
    package func addCourseToEachStudent() throws { throw NotDone() }
    package func addStudentsOneByOne() throws -> [String: Double] { throw NotDone() }
    package func findOrCreate(_ people: [PersonInput]) throws { throw NotDone() }
    package func fetchPeople(friendIDs: [Int64], afterChanging ids: [Int64]) throws -> (Digest, Stopwatch) {
        throw NotDone()
    }
    /// With one writer, all transactions are in this order.
    package func insertSerially(_ people: [PersonInput], tasks: Int) throws {
        try insertSeparately(people, tasks: tasks)
    }
    package func deletePeople(below age: Int) throws { throw NotDone() }
    package func fetchTree() throws { throw NotDone() }
    package func walkTree() throws -> Digest { throw NotDone() }
    package func dropTree() throws { throw NotDone() }
    package func fetchFirstNode() throws -> Digest { throw NotDone() }
    package func deleteTree() throws { throw NotDone() }
    package func removeTags(named names: [String]) throws { throw NotDone() }
    package func fetchArticles(taggedWithOneOf names: [String]) throws -> Digest { throw NotDone() }
    package func readTags() throws -> Digest { throw NotDone() }
    package func readThreeColumns() throws -> Digest { throw NotDone() }
    package func readThreeColumnsOfObjects() throws -> Digest { throw NotDone() }
    package func countNotes(_ search: TextSearch) throws -> Digest { throw NotDone() }
    package func insertPictures(_ size: PictureSize, count: Int, isExternal: Bool) throws { throw NotDone() }
    package func readPictureNames(isExternal: Bool) throws -> Digest { throw NotDone() }
    package func fetchStaff() throws { throw NotDone() }
    package func sortStaff() throws -> Digest { throw NotDone() }
    package func readMedianSalaries() throws -> Digest { throw NotDone() }
    package func readSalariesOfDepartments() throws -> Digest { throw NotDone() }
    package func makeUndoSteps(_ count: Int) throws { throw NotDone() }
    package func undoSteps(_ count: Int) throws { throw NotDone() }
    package func follow(_ plan: ImportPlan) throws -> ImportResult { throw NotDone() }
    package func openList() throws { throw NotDone() }
    package func changeList(_ people: [PersonInput]) throws -> Int { throw NotDone() }
    package func readWhileWriting(seconds: Double, people: [PersonInput], greatestID: Int64) throws -> ConcurrentResult
    {
        throw NotDone()
    }
}
