import DataMonk
import Foundation

/// **Confined.** A person with a key. Written as `@Entity` would expand it, which spares this package the build of
/// swift-syntax.
final class Villager: ManagedObject {
    var number: Int {
        get { property(at: 0) }
        set { setProperty(newValue, at: 0) }
    }
    var name: String {
        get { property(at: 1) }
        set { setProperty(newValue, at: 1) }
    }
    var age: Int {
        get { property(at: 2) }
        set { setProperty(newValue, at: 2) }
    }
    var location: String? {
        get { property(at: 3) }
        set { setProperty(newValue, at: 3) }
    }
    var salary: Double {
        get { property(at: 4) }
        set { setProperty(newValue, at: 4) }
    }
    var created: Date? {
        get { property(at: 5) }
        set { setProperty(newValue, at: 5) }
    }
    /// The first line of a file of CSV.
    static let header = "number,name,age,location,salary,created\n"

    override nonisolated class var entityDeclaration: EntityDeclaration? {
        EntityDeclaration(
            "Villager", class: Villager.self, validatesValues: false,
            properties: [
                .property("number", Int.self, default: 0, options: [.unique]),
                .property("name", String.self, default: ""), .property("age", Int.self, default: 0),
                .property("location", String?.self), .property("salary", Double.self, default: 0),
                .property("created", Date?.self),
            ])
    }
}

/// **Value.** A person as the inputs have it, and as GRDB takes it.
struct VillagerInput: Codable, Sendable {
    var number: Int
    var name: String
    var age: Int
    var location: String?
    var salary: Double
    var created: String

    init(_ number: Int) {
        self.number = number
        name = "Villager number \(number)"
        age = number % 90
        location = number % 3 == 0 ? nil : Self.locations[number % Self.locations.count]
        salary = Double(number % 10_000) + 0.5
        created = "2026-\(Self.two(number % 12 + 1))-\(Self.two(number % 28 + 1))T12:00:00Z"
    }

    static let locations = ["Taipei", "Bern", "Oslo", "Lima", "Kyoto"]
    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// The values of a row.
    var values: [String: ManagedValue] {
        [
            "number": .int(Int64(number)), "name": .string(name), "age": .int(Int64(age)),
            "location": location.map { .string($0) } ?? .null, "salary": .double(salary), "created": .string(created),
        ]
    }

    var line: String {
        let place = location.map { "\"\($0)\"" } ?? "null"
        return """
            {"number":\(number),"name":"\(name)","age":\(age),"location":\(place),"salary":\(salary),"created":"\(created)"}

            """
    }

    var cells: String { "\(number),\(name),\(age),\(location ?? ""),\(salary),\(created)\n" }
}
