import DataMonkCore

/// **Confined.** A value that is read on the main actor, and read again after each commit that may have changed it.
///
///     for try await people in World.observeOnMain({ world in
///         try world.fetchAll(Person.self, orderBy: .ascending(\.name))
///     }) {
///         show(people)
///     }
///
/// It is what ``ValueObservation`` is off the main actor: each loop begins with the present value, other commits cost no
/// statement, and a slow loop gets the newest value. Its values may be objects of the context, and the loop is on the main
/// actor.
public struct MainValueObservation<Value> {
    let context: MainContext
    let isSame: @Sendable (Value, Value) -> Bool
    let read: @MainActor (MainContext) throws -> Value

    /// **Confined.** One loop over the values.
    public struct AsyncIterator {
        private let observation: MainValueObservation
        private let watch: RegionWatch
        private var last: Value?
        private var hasBegun = false

        init(_ observation: MainValueObservation) {
            self.observation = observation
            // Before the first value is read, so that no commit comes between them.
            watch = RegionWatch(observation.context.stack)
        }
    }
}

extension MainValueObservation: @MainActor AsyncSequence {
    /// The values.
    public typealias Element = Value
    /// The error of a value that cannot be read.
    public typealias Failure = any Error

    /// Begins with the present value.
    @MainActor public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }
}

extension MainValueObservation.AsyncIterator: @MainActor AsyncIteratorProtocol {
    /// The values.
    public typealias Element = Value
    /// The error of a value that cannot be read.
    public typealias Failure = any Error

    /// Waits for a value; `nil` once the task is cancelled.
    ///
    /// - Throws: The error of the body; that of the store if a property that the body has read could not be read, such as
    ///   ``/DataMonkCore/StoreError``; ``/DataMonkCore/FetchError`` with the code `invalidRequest` if the body has read nothing
    ///   through the context.
    @MainActor public mutating func next() async throws -> Value? {
        while await watch.change(), !Task.isCancelled {
            // Commits that come all the time would keep the main actor otherwise: nothing above has suspended.
            if hasBegun { await Task.yield() }
            hasBegun = true
            let value: Value
            do {
                let region: ReadRegion
                let context = observation.context
                (value, region) = try context.graph.recordingSteps { try observation.read(context) }
                try watch.look(at: region, readBy: "observeOnMain")
            } catch {
                watch.end()
                if Task.isCancelled { return nil }
                throw error
            }
            if Task.isCancelled { break }
            if let last, observation.isSame(last, value) { continue }
            last = value
            return value
        }
        watch.end()
        return nil
    }
}

extension MainContext {
    /// Returns a sequence of the values that a body reads on the main actor: the present one, and one after each commit that
    /// may have changed it.
    ///
    ///     for try await monk in World.observeOnMain({ world in try world.use(id) }) {
    ///         title.text = "\(monk.name), friend of \(monk.friend?.name ?? "nobody")"
    ///     }
    ///
    /// The values may be objects of this context. The body is run in a turn of the main actor, and shows the newest commit; it
    /// is to read what it returns and what is shown with it. Objects count from a fetch, an id or a relationship on. One that
    /// the body has from elsewhere does not: take it by `use(_:)`. Of an object every property counts, and of what is read
    /// after the body, nothing does. Reads of another context, of another stack, and of a ``FetchedResults`` do not count, and a
    /// body that makes no others is an error, since no commit would have it run again.
    /// ``Updating/observeValue(_:)-(_)`` reads plain values off the main actor.
    ///
    /// `reset()` takes the objects away and is no commit: begin a new loop after it.
    ///
    /// In a context whose update target does not follow commits, objects keep their values until `refreshAll()`, except for
    /// the commits of its own drafts; counts and rows are new there, too.
    ///
    /// - Complexity: A commit compares its changes with what was read, on the committing thread.
    public func observeOnMain<Value>(
        _ read: @escaping @MainActor (MainContext) throws -> Value
    ) -> MainValueObservation<Value> {
        MainValueObservation(context: self, isSame: { _, _ in false }, read: read)
    }

    /// Returns a sequence of the plain values that a body reads on the main actor. A value that equals the one before it is
    /// left out, which objects cannot be: they are the same with other values.
    public func observeOnMain<Value: Sendable & Equatable>(
        _ read: @escaping @MainActor (MainContext) throws -> Value
    ) -> MainValueObservation<Value> {
        MainValueObservation(context: self, isSame: { $0 == $1 }, read: read)
    }
}
