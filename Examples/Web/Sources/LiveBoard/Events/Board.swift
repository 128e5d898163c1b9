public import DataMonk
import Foundation

/// **Shared**, on the main actor. The list as a stream of events for any number of browsers.
///
/// A browser has a queue of messages. One whose queue is full has stopped reading: it is dropped, and nobody waits for it.
/// When it reads on, it finds the end of its stream, and comes again with the number of the last event that it knows. It gets
/// the events since then, or everything if they are not kept any more.
@MainActor
public final class Board {
    /// **Confined.** The messages for a browser, until it goes or is dropped.
    public struct Subscription: Sendable {
        /// The messages.
        public let messages: AsyncStream<String>
        /// Ends when the browser is dropped, even if nobody reads its messages.
        public let end: AsyncStream<Never>
        fileprivate let number: Int
    }

    private struct Browser {
        let messages: AsyncStream<String>.Continuation
        let end: AsyncStream<Never>.Continuation
    }

    private let provider: ListDataProvider<Job, JobInfo>
    private let view: BoardView
    private let queueLength: Int
    private let onError: @Sendable (any Error) -> Void
    /// A number that no other run of the program has: events of an earlier one are not those of this one.
    private let run = String(UInt32.random(in: .min ... .max), radix: 36)
    private var log: EventLog
    private var browsers: [Int: Browser] = [:]
    private var lastBrowser = 0
    /// A browser that was cut off waits for a second before it comes again.
    private static let retry = "retry: 1000\n\n"

    /// Creates the board of a context's jobs.
    ///
    /// - Parameters:
    ///   - queueLength: The number of messages that wait for a browser before it is dropped.
    ///   - kept: The number of events that are kept for browsers that come again.
    ///   - keptBytes: The number of bytes that these events have at most.
    ///   - onError: Called with an error of an event.
    /// - Throws: The errors of a fetch.
    public init(
        World: MainContext, queueLength: Int = 64, kept: Int = 256, keptBytes: Int = 4 << 20,
        onError: @escaping @Sendable (any Error) -> Void
    ) throws {
        (self.queueLength, self.onError) = (queueLength, onError)
        log = EventLog(capacity: kept, byteLimit: keptBytes)
        provider = ListDataProvider(context: World)
        view = BoardView(of: provider)
        provider.onGetSectionTitle = { name, _ in Int(name).flatMap(Stage.init)?.title ?? name }
        provider.bind(view) { job, _ in JobInfo(job) }
        try provider.load(
            orderBy: .Ascending("stage") | .Descending("urgency") | .Ascending("title"), sectionBy: %"stage")
        provider.onDataChanged = { [weak self] in self?.publish() }
        _ = view.takeChange()
    }

    /// The number of browsers that follow.
    public var browserCount: Int { browsers.count }

    /// The number of the last event.
    public var lastEvent: Int { log.last }

    /// Adds a browser.
    ///
    /// - Parameter lastEventID: The last event that it knows, as the stream named it.
    public func subscribe(after lastEventID: String?) throws -> Subscription {
        let (messages, send) = AsyncStream.makeStream(
            of: String.self, bufferingPolicy: .bufferingOldest(queueLength))
        let (end, finish) = AsyncStream.makeStream(of: Never.self)
        let known = lastEventID.flatMap { id in
            id.hasSuffix("-" + run) ? id.split(separator: "-").first.flatMap { Int($0) } : nil
        }
        // One message, however many events it is: the queue is for what comes.
        if let known, let missed = log.messages(after: known) {
            send.yield(Self.retry + missed.joined())
        } else {
            send.yield(Self.retry + (try message(of: view.everything, id: log.last)))
        }
        lastBrowser += 1
        browsers[lastBrowser] = Browser(messages: send, end: finish)
        return Subscription(messages: messages, end: end, number: lastBrowser)
    }

    /// Removes a browser.
    public func unsubscribe(_ subscription: Subscription) { drop(subscription.number) }

    /// Sends a line that says nothing, by which both sides learn of a broken connection.
    public func sendSignOfLife() { send(": still here\n\n") }

    private func publish() {
        do {
            let event = view.takeChange()
            send(try log.append { try message(of: event, id: $0) })
        } catch {
            // Its changes come with the next event.
            view.reloadData()
            onError(error)
        }
    }

    private func message(of event: BoardEvent, id: Int) throws -> String { try event.message(id: "\(id)-\(run)") }

    private func send(_ message: String) {
        for (number, browser) in browsers {
            if case .enqueued = browser.messages.yield(message) { continue }
            drop(number)
        }
    }

    private func drop(_ number: Int) {
        guard let browser = browsers.removeValue(forKey: number) else { return }
        browser.messages.finish()
        browser.end.finish()
    }
}
