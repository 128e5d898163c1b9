import Foundation

/// Nanoseconds since some moment.
package func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Seconds of processor time that the process has used, in all its threads.
func processorTime() -> Double {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// **Value.** Adds up what it has timed, in seconds.
package struct Stopwatch: Sendable {
    package private(set) var wall = 0.0
    package private(set) var processor = 0.0

    package init() {}

    package mutating func time<Result>(_ body: () throws -> Result) rethrows -> Result {
        let processorStart = processorTime()
        let start = now()
        let result = try body()
        wall += Double(now() - start) / 1e9
        processor += processorTime() - processorStart
        return result
    }

    package mutating func time<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        let processorStart = processorTime()
        let start = now()
        let result = try await body()
        wall += Double(now() - start) / 1e9
        processor += processorTime() - processorStart
        return result
    }
}
