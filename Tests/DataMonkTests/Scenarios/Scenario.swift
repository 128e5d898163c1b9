import Testing

/// The observed fact about Core Data that a test stands for: the id of its row among the conformance cases.
struct Scenario: TestTrait {
    let id: String

    var comments: [Comment] { ["\(id)"] }
}

extension Trait where Self == Scenario {
    static func scenario(_ id: String) -> Self { Scenario(id: id) }
}
