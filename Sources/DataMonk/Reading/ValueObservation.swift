import DataMonkCore

/// **Shared.** A value that is read from the stores, and read again after each commit that may have changed it.
///
///     for try await count in World.observeValue({ reader in try reader.count(Article.self, %"isRead" == false) }) {
///         badge.text = "\(count)"
///     }
///
/// Each loop over it begins with the present value. It then waits for a commit of this process or of another one that
/// concerns what was read: the entities of objects that were read; of counts and rows of values only the properties
/// that they use. Other commits cost no statement. Values are computed when they are asked for, so a slow loop gets the
/// newest value, and no others pile up.
///
/// The loop ends when its task is cancelled, and by the first error, which it throws: also once the stack is closed.
/// Reads of histories and metadata are not observed, nor is what a body reads through other contexts; a body that reads
/// nothing else is an error, since no commit would have it run again.
public struct ValueObservation<Value: Sendable>: AsyncSequence, Sendable {
    /// The values.
    public typealias Element = Value

    let settings: UpdateSettings
    let isSame: @Sendable (Value, Value) -> Bool
    let read: @Sendable (Reader) throws -> Value

    /// Begins with the present value.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// **Confined.** One loop over the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let observation: ValueObservation
        private let watch: RegionWatch
        private var last: Value?

        init(_ observation: ValueObservation) {
            self.observation = observation
            // Before the first value is read, so that no commit comes between them.
            watch = RegionWatch(observation.settings.stack)
        }

        /// Waits for a value that differs from the last one; `nil` once the task is cancelled.
        ///
        /// - Throws: The error of the body; ``/DataMonkCore/FetchError`` with the code `unreadValues` if a property that
        ///   the body has read could not be read from the store, and `invalidRequest` if the body has read nothing by its
        ///   reader.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Value? {
            while await watch.change(), !Task.isCancelled {
                let value: Value
                do {
                    let region: ReadRegion
                    (value, region) = try await ReadContext(observation.settings).recording(observation.read)
                    try watch.look(at: region, readBy: "observeValue")
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
}

extension Updating {
    /// Returns a sequence of the values that a body reads: the present one, and one after each commit that may have
    /// changed it.
    ///
    ///     let totals = World.observeValue { reader in
    ///         try reader.queryValue(Order.self, .Sum("price"), as: Decimal.self)
    ///     }
    ///     for try await total in totals { show(total) }
    ///
    /// The body runs off the main actor, over objects of its own, and returns plain values or ids. Each of its fetches
    /// shows the newest commit; a commit between two of them has the body run once more.
    ///
    /// - Complexity: A commit compares its changes with what was read, on the committing thread.
    public nonisolated func observeValue<Value: Sendable>(
        _ read: @escaping @Sendable (Reader) throws -> Value
    ) -> ValueObservation<Value> {
        ValueObservation(settings: updater.settings, isSame: { _, _ in false }, read: read)
    }

    /// Returns a sequence of the values that a body reads. A value that equals the one before it is left out, which
    /// values that are not `Equatable` cannot be.
    public nonisolated func observeValue<Value: Sendable & Equatable>(
        _ read: @escaping @Sendable (Reader) throws -> Value
    ) -> ValueObservation<Value> {
        ValueObservation(settings: updater.settings, isSame: { $0 == $1 }, read: read)
    }
}
