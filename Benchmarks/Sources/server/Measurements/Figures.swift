#if Postgres
    import BenchMessages
    import Foundation

    /// Prints the head of a table in Markdown.
    func printHead(_ title: String, _ columns: String...) {
        print("\n### \(title)\n\n| \(columns.joined(separator: " | ")) |\n|\(columns.map { _ in "---:|" }.joined())")
    }

    /// Prints a row of the table.
    func printRow(_ cells: String...) {
        print("| \(cells.joined(separator: " | ")) |")
        fflush(nil)
    }

    func text(_ number: Double, digits: Int = 1) -> String { String(format: "%.\(digits)f", number) }

    func milliseconds(_ seconds: Double) -> String { String(format: "%.2f ms", seconds * 1_000) }

    /// The name of a round trip's time.
    func name(ofTrip seconds: Double) -> String { seconds == 0 ? "none" : "\(text(seconds * 1_000)) ms" }

    extension [Double] {
        /// Returns the number below which a share of all numbers is; 0 of none.
        func quantile(_ share: Double) -> Double {
            isEmpty ? 0 : sorted()[Swift.min(count - 1, Int(share * Double(count)))]
        }
    }

    /// Runs a closure so many times. Returns the seconds of each.
    func times(_ count: Int, _ body: () async throws -> Void) async rethrows -> [Double] {
        var times: [Double] = []
        for _ in 0..<count {
            let start = monotonicTime()
            try await body()
            times.append(monotonicTime() - start)
        }
        return times
    }
#endif
