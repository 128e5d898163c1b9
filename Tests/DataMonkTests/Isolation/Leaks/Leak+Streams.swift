extension Leak {
    /// Objects in streams, asynchronous sequences and observation.
    static let streams: [Leak] = [
        .program(
            "a stream across updates", .sent,
            """
            let (people, continuation) = AsyncStream<Person>.makeStream()
            try await World.update { update in
                let hero = try update.create(Person.self)
                continuation.yield(hero) // refused
            }
            for await person in people { person.age = 1 }
            """),
        .ofUpdate(
            "a stream of objects", .sent,
            """
            let (_, continuation) = AsyncStream<Person>.makeStream()
            continuation.yield(hero) // refused
            """),
        .ofUpdate(
            "a loop over an asynchronous sequence of objects", .silent(.swift, stoppedBy: .ownerCheck),
            declarations: """
                nonisolated struct Objects: AsyncSequence, AsyncIteratorProtocol {
                    var person: Person?
                    mutating func next() async -> Person? { person?.age += 1; defer { person = nil }; return person }
                    func makeAsyncIterator() -> Objects { self }
                }
                """,
            "for await person in Objects(person: hero) { person.age = 1 }"),
        .ofUpdate(
            "an asynchronous iterator of objects", .sent,
            declarations: """
                nonisolated struct Objects: AsyncSequence, AsyncIteratorProtocol {
                    var person: Person?
                    mutating func next() async -> Person? { defer { person = nil }; return person }
                    func makeAsyncIterator() -> Objects { self }
                }
                """,
            """
            var iterator = Objects(person: hero)
            _ = await iterator.next() // refused
            """),
        .program(
            "an asynchronous iterator that detaches its object", .taskCapture,
            declarations: """
                nonisolated struct Objects: AsyncIteratorProtocol {
                    var person: Person?
                    mutating func next() async -> Person? {
                        let next = person
                        Task.detached { next?.age = 7 } // refused
                        return next
                    }
                }
                """),
        .ofUpdate(
            "a stream, mapped over an object",
            .warned(.swift, ["non_sendable_capture"], group: "SendableClosureCaptures"),
            """
            let numbers = AsyncStream<Int> { $0.finish() }
            for await age in numbers.map({ hero.age + $0 }) { print(age) }
            """),
        .ofMain(
            "a stream, mapped over an object of the main context",
            .warned(.swift, ["non_sendable_capture"], group: "SendableClosureCaptures"),
            """
            let numbers = AsyncStream<Int> { $0.finish() }
            for await age in numbers.map({ hero.age + $0 }) { print(age) }
            """),
        .ofUpdate(
            "a stream's cancellation", .warned(.swift, ["non_sendable_capture"], group: "SendableClosureCaptures"),
            "_ = AsyncStream<Int>(unfolding: { nil }, onCancel: { hero.age = 1 })"),
        .ofUpdate(
            "a stream's termination", .capture,
            """
            let (_, continuation) = AsyncStream<Int>.makeStream()
            continuation.onTermination = { _ in hero.age = 1 } // refused
            """),
        .ofUpdate(
            "a change of observed properties", .capture,
            "withObservationTracking { _ = hero.age } onChange: { hero.age = 2 } // refused"),
        .ofUpdate(
            "a stream that is made with an object's closure", .harmless,
            """
            let ages = AsyncStream<Int> { continuation in continuation.yield(hero.age) }
            Task.detached { for await age in ages { print(age) } }
            """),
        .ofUpdate(
            "a stream of closures", .refused(.flow, ["regionbasedisolation_type_send_yields_race"]),
            """
            let (bodies, continuation) = AsyncStream<() -> Void>.makeStream()
            continuation.yield { hero.age = 1 } // refused
            Task.detached { for await body in bodies { body() } }
            """),
        .ofUpdate(
            "a throwing stream's termination", .capture,
            """
            let (_, continuation) = AsyncThrowingStream<Int, any Error>.makeStream()
            continuation.onTermination = { _ in hero.age = 1 } // refused
            """),
    ]
}
