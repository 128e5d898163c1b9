/// **Value.** The rows every peer works on: the same count gives the same rows on every machine.
package struct Dataset: Sendable {
    package static let departmentCount = 1_000
    package static let queriedLocation = "Taipei"
    package static let queriedMinimumAge = 18

    package let people: [PersonInput]
    package let count: Int
    /// Every primary key once, in a fixed random order.
    package let shuffledIDs: [Int64]
    /// Every tenth primary key.
    package let tenthIDs: [Int64]

    package init(count: Int) {
        self.count = count
        var random = SplitMix64(seed: 0x9E37_79B9_7F4A_7C15)
        people = (1...Int64(count)).map { Self.person(id: $0, count: count, random: &random) }
        shuffledIDs = people.map(\.id).shuffled(using: &random)
        tenthIDs = people.lazy.map(\.id).filter { $0 % 10 == 0 }
    }

    /// The employee with this key: works in the department that `departmentID(ofEmployee:)` says.
    package static func employee(id: Int64) -> (name: String, title: String?, salary: Double) {
        ("Employee Number \(id)", id % 3 == 0 ? nil : "Engineer", Double(id) * 1.25)
    }

    package static func departmentID(ofEmployee id: Int64) -> Int64 { 1 + (id * 7_919) % Int64(departmentCount) }

    package static func departmentName(id: Int64) -> String { "Department of Affairs \(id)" }

    /// People that are not in the data set, their keys behind it: what the small transactions insert.
    func newPeople(count newCount: Int) -> [PersonInput] {
        var random = SplitMix64(seed: 42)
        return (0..<newCount).map { Self.person(id: Int64(count + 1 + $0), count: count, random: &random) }
    }

    private static func person(id: Int64, count: Int, random: inout SplitMix64) -> PersonInput {
        let first = firstNames[Int(random.next() % UInt64(firstNames.count))]
        let last = lastNames[Int(random.next() % UInt64(lastNames.count))]
        let draw = Int(random.next() % 1_000)
        // 12.2 % in Taipei, 82 % of them old enough: the condition of W3 selects 10 %.
        let location: String? = draw < 122 ? queriedLocation : draw < 322 ? nil : cities[draw % cities.count]
        return PersonInput(
            id: id,
            name: "\(first) \(last) \(id)",
            age: Int(random.next() % 100),
            location: location,
            salary: Double(random.next() % 10_000_000) / 100,
            created: 1_600_000_000 + Double(random.next() % 100_000_000_000) / 1_000,
            friendID: random.next() % 10 < 3 ? nil : Int64(random.next() % UInt64(count)) + 1)
    }

    private static let firstNames = [
        "Ada", "Bo", "Chen", "Dolores", "Emil", "Fatima", "Gunnar", "Hsiao-wei", "Ines", "Jo",
        "Kwame", "Li", "Maximiliane", "Noor", "Oskar", "Priya", "Quentin", "Rosalind", "Sun", "Tomas",
    ]
    private static let lastNames = [
        "Lovelace", "Ng", "Okonkwo", "Petersen", "Li", "Wang", "Garcia", "Ek", "Featherstone", "Ito",
        "Smith", "Tran", "Ueda", "Vargas", "Wu", "Xu", "Yamamoto", "Zola", "Andersson", "Brown",
    ]
    private static let cities = [
        "Berlin", "Tokyo", "Lima", "Nairobi", "Oslo", "San Francisco", "Kaohsiung", "Pune", "Paris",
    ]
}
