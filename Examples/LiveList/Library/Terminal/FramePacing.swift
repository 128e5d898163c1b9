/// **Value.** The times at which frames may be drawn: at most one in each interval.
struct FramePacing: Sendable {
    private let interval: Duration
    private var last: ContinuousClock.Instant?

    init(framesPerSecond: Int) { interval = .seconds(1) / framesPerSecond }

    /// Returns the earliest time for a frame that is wanted at another.
    func time(forFrameAt wanted: ContinuousClock.Instant) -> ContinuousClock.Instant {
        last.map { max(wanted, $0 + interval) } ?? wanted
    }

    /// Notes that a frame was drawn.
    mutating func drew(at time: ContinuousClock.Instant) { last = time }
}
