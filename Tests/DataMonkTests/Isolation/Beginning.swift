/// **Value.** A call that hands something confined to a closure.
struct Beginning: Sendable {
    let name: String
    /// The call up to the closure's parameter.
    let opening: String
    /// What the closure gets, the update first.
    let parameters: [String]
    /// A call in the closure that yields an object.
    let yielding: String
    /// Whether the closure's result is returned.
    let returnsResult: Bool
    /// Whether the call blocks its thread, so that its closure cannot await.
    var isWaiting = false
    /// What has to be there before the call.
    var preparation = ""

    var place: Leak.Place { isWaiting ? .mainWaiting : .main }

    /// The statements of a function that makes the call.
    func statements(before: String = "", inside: String, after: String = "") -> String {
        """
        \(before)
        \(preparation)
        \(opening) { \(parameters.joined(separator: ", ")) in
        \(inside)
        }
        \(after)
        """
    }

    /// The same with an object of the update to begin with, called `hero`.
    func statements(before: String = "", withHero inside: String, after: String = "") -> String {
        statements(before: before, inside: "let hero = \(yielding)\nhero.age = 3\n\(inside)", after: after)
    }

    private static func update(
        _ name: String, _ opening: String, returnsResult: Bool, isWaiting: Bool = false, preparation: String = ""
    ) -> Beginning {
        Beginning(
            name: name, opening: opening, parameters: ["update"], yielding: "try update.create(Person.self)",
            returnsResult: returnsResult, isWaiting: isWaiting, preparation: preparation)
    }

    static var all: [Beginning] {
        [
            update("update", "_ = try await World.update", returnsResult: true),
            update("beginUpdate", "World.beginUpdate", returnsResult: false),
            update("beginUpdateAndWait", "_ = try World.beginUpdateAndWait", returnsResult: true, isWaiting: true),
            update("perform", "_ = try await World.beginUpdateContext().perform", returnsResult: true),
            update(
                "beginPerform", "World.beginUpdateContext().beginPerform", returnsResult: false, isWaiting: true),
            update(
                "performAndWait", "_ = try World.beginUpdateContext().performAndWait", returnsResult: true,
                isWaiting: true),
            Beginning(
                name: "beginUpdate(using:)", opening: "World.beginUpdate(using: id)", parameters: ["update", "monk"],
                yielding: "monk", returnsResult: false,
                preparation: "let id = try World.fetch(Person.self, %\"name\" == \"Monk\").objectID"),
            Beginning(
                name: "read", opening: "_ = try await World.read", parameters: ["reader"],
                yielding: "try reader.fetch(Person.self, %\"name\" == \"Monk\")", returnsResult: true),
        ]
    }
}
