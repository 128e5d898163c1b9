/// Rows of 40 columns, one for five rows of the other workloads, the same for the same count on every machine. Keys count
/// from 1.
package enum WideRows {
    /// The columns behind name, number and ratio.
    package static let furtherColumns = (1...37).map { "column\($0)" }

    package static func count(for count: Int) -> Int { max(1, count / 5) }
    package static func name(id: Int64) -> String { "Measurement Number \(id)" }
    package static func number(id: Int64) -> Int { Int(id) * 7 }
    package static func ratio(id: Int64) -> Double { Double(id) * 1.25 }

    /// The value in one of the further columns.
    package static func value(ofColumn index: Int, id: Int64) -> String? {
        (id + Int64(index)) % 5 == 0 ? nil : "Value \(id)"
    }
}
