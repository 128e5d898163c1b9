import Foundation

/// **Value.** The time that one of many operations takes.
struct Cost: CustomStringConvertible {
    /// In seconds.
    let time: Double
    /// The time of all processors, in seconds.
    let processor: Double

    var description: String { "\(milliseconds(time)) (processor \(milliseconds(processor)))" }

    /// Measures `count` operations, and returns the cost of one.
    static func ofEach(of count: Int, _ work: () async throws -> Void) async rethrows -> Cost {
        let (start, processor) = (ContinuousClock.now, processTime())
        try await work()
        let time = Double((ContinuousClock.now - start) / .nanoseconds(1)) / 1e9
        return Cost(time: time / Double(count), processor: (processTime() - processor) / Double(count))
    }

    static func / (left: Cost, right: Cost) -> Cost {
        Cost(time: left.time / right.time, processor: left.processor / right.processor)
    }

    /// The medians of ratios.
    static func medianRatio(_ ratios: [Cost]) -> String {
        func median(_ values: [Double]) -> String { String(format: "%.2f", values.sorted()[values.count / 2]) }
        return "\(median(ratios.map(\.time))) times (processor \(median(ratios.map(\.processor))))"
    }
}
