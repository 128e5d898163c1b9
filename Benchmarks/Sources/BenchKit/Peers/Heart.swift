import Foundation

/// **Value.** What a heart that beats on the main actor has noticed.
package struct Pulse: Sendable {
    package var beats = 0
    /// The longest time between two beats, in seconds.
    package var longestGap = 0.0
    /// Processor time of the main thread, in seconds.
    package var processor = 0.0
    /// The most processor time that it took between two beats, in seconds.
    package var longestWork = 0.0
}

/// Beats in the main run loop: once a millisecond, and after each turn of the main actor. A gap is the time for which a
/// frame would have waited.
@MainActor
package enum Heart {
    /// Beats for so many seconds.
    package static func beat(seconds: Double) -> Pulse {
        let end = now() + UInt64(seconds * 1e9)
        return beat { now() >= end }
    }

    /// Beats until `isOver` says so; it is asked at each beat.
    package static func beat(until isOver: () -> Bool) -> Pulse {
        // A run loop without anything to wait for would not wait.
        let reason = Timer(timeInterval: 3_600, repeats: true) { _ in }
        RunLoop.main.add(reason, forMode: .default)
        defer { reason.invalidate() }

        var pulse = Pulse()
        let start = mainThreadTime()
        var (lastBeat, lastTime) = (now(), start)
        while !isOver() {
            _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.001))
            let time = now()
            pulse.longestGap = max(pulse.longestGap, Double(time - lastBeat) / 1e9)
            pulse.beats += 1
            lastBeat = time
            let processorTime = mainThreadTime()
            pulse.longestWork = max(pulse.longestWork, processorTime - lastTime)
            lastTime = processorTime
        }
        pulse.processor = mainThreadTime() - start
        return pulse
    }

    private static func mainThreadTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
