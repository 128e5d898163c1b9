import Foundation
import StressWorkloads

/// **Value.** A report for people.
enum StressText {
    static func text(of report: StressReport) -> String {
        let percentiles = [("median", 0.5), ("99 %", 0.99), ("99.9 %", 0.999), ("longest", 1)]
            .map { "\($0) \(milliseconds(report.latency($1)))" }
        var lines = [
            "  \(report.committed) transactions in \(seconds(report.duration)), \(Int(report.throughput)) a second",
            "  latency: \(percentiles.joined(separator: ", "))",
            "  \(report.conflicts) conflicts tried again, \(report.reads) reads checked",
        ]
        if report.longestPause > .zero {
            lines.append("  longest pause of the main actor: \(milliseconds(report.longestPause))")
        }
        if report.anomalies.isEmpty {
            lines.append("  no anomaly")
        } else {
            lines.append("  \(report.anomalies.count) anomalies:")
            lines += report.anomalies.prefix(20).map { "    \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    private static func milliseconds(_ duration: Duration) -> String {
        duration.formatted(.units(allowed: [.milliseconds], fractionalPart: .show(length: 1)))
    }

    private static func seconds(_ duration: Duration) -> String {
        duration.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1)))
    }
}
