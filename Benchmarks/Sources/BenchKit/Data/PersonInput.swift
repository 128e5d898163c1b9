/// **Value.** One person, as plain input of the workloads that insert.
package struct PersonInput: Sendable {
    package var id: Int64
    package var name: String
    package var age: Int
    package var location: String?
    package var salary: Double
    /// Seconds since 1970.
    package var created: Double
    package var friendID: Int64?

    package init(
        id: Int64, name: String, age: Int, location: String?, salary: Double, created: Double, friendID: Int64?
    ) {
        self.id = id
        self.name = name
        self.age = age
        self.location = location
        self.salary = salary
        self.created = created
        self.friendID = friendID
    }
}
