/// **Value.** What a statement's columns hold, in a table that is read without a check or a retain.
struct RowPlan {
    enum Kind: UInt8 { case int, nullableInt, double, text }

    let count: Int
    private let kinds: UnsafePointer<Kind>

    static let person = RowPlan([.int, .text, .int, .text, .double, .double, .nullableInt])
    static let employee = RowPlan([.int, .text, .text, .double, .int])
    static let department = RowPlan([.int, .text])

    private init(_ kinds: [Kind]) {
        let table = UnsafeMutablePointer<Kind>.allocate(capacity: kinds.count)
        table.initialize(from: kinds, count: kinds.count)
        self.kinds = UnsafePointer(table)
        count = kinds.count
    }

    @inline(__always)
    subscript(column: Int) -> Kind { kinds[column] }
}

// The table is written before the plan is handed out and never after; plans are constants and live as long as the
// process.
extension RowPlan: @unchecked Sendable {}
