extension Leak {
    /// Types that may not be Sendable, whatever stands around them.
    static var ofTypes: [Leak] {
        [
            "Person", "ManagedObject", "ManagedObjectContext", "Update", "Reader", "Editor", "BatchedArray<Person>",
            "FetchedResultsController<Person>", "FetchedResultsSection<Person>", "ObjectChanges", "ContextObservation",
            "SaveNotice", "RowReader", "RowEditor", "ObjectSeed",
        ].flatMap { type in
            [
                Leak(
                    name: "\(type) as a Sendable type", pass: .types,
                    diagnostics: ["conformance_availability_unavailable"], place: .offMain,
                    declarations: "nonisolated static func share<T: Sendable>(_ type: T.Type) {}",
                    statements: "share(\(type).self) // refused"),
                Leak(
                    name: "\(type) in a Sendable struct", pass: .types, diagnostics: ["non_concurrent_type_member"],
                    place: .offMain,
                    declarations: """
                        nonisolated struct Box: Sendable {
                        let content: \(type)? // refused
                        }
                        """,
                    statements: ""),
            ]
        }
    }
}
