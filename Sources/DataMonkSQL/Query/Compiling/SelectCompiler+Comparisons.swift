package import DataMonkCore
import Foundation

// Comparisons of values. Without options they are plain and end at the column, so that an index serves them.

extension SelectCompiler {
    /// - Parameters:
    ///   - left: The SQL of the left side, nil for a constant.
    ///   - right: The SQL of the right side, nil for a constant.
    mutating func append(
        _ comparison: ResolvedComparison, _ left: SQLText?, _ right: SQLText?, to text: inout SQLText
    ) throws(FetchError) {
        let operation = comparison.operation
        if operation.isTextual { return append(textual: comparison, left, right, to: &text) }
        guard let left else { preconditionFailure("Resolution puts constants on the right.") }
        if comparison.isOfData, !comparison.options.isEmpty {
            // Collations are for text. Data is folded on both sides, and compared as it is then.
            let options = comparison.options
            return try append(
                comparison.foldingConstants(), folded(left, options), right.map { folded($0, options) }, to: &text)
        }
        let collation = SQLCollation(comparison.options).map { " COLLATE \($0.name)" } ?? ""
        if let right {
            return append(left, operation, right, collation: collation, to: &text)
        }
        guard case .constant(let value) = comparison.right else { return }
        if operation == .isIn, case .list(let values) = value {
            return append(oneOf: values.map(SQLBinding.init), left, collation: collation, to: &text)
        }
        if operation != .notEqual, operation != .equal, value.isNull, !operation.isTrueOfNulls {
            return text.append("0")
        }
        text.append(left)
        switch (operation, value) {
        case (.between, .list(let bounds)):
            text.append(compiled: "\(collation) BETWEEN ")
            text.bind(SQLBinding(bounds[0]))
            text.append(" AND ")
            text.bind(SQLBinding(bounds[1]))
        case (.notEqual, .null): text.append(" IS NOT NULL")
        case (_, .null): text.append(" IS NULL")
        default:
            text.append(compiled: "\(collation) \(operation.sqlBeforeConstant) ")
            text.bind(SQLBinding(value))
        }
    }

    private func append(
        _ left: SQLText, _ operation: Condition.Comparison.Operator, _ right: SQLText, collation: String,
        to text: inout SQLText
    ) {
        if operation.isTrueOfNulls { text.append("(") }
        text.append(left)
        text.append(compiled: "\(collation) \(operation.sqlBeforeExpression) ")
        text.append(right)
        guard operation.isTrueOfNulls else { return }
        // Nil is neither less nor greater than nil, but equal.
        text.append(" OR ")
        text.append(left)
        text.append(" IS NULL AND ")
        text.append(right)
        text.append(" IS NULL)")
    }

    /// `x IN (…)`, filled up to a power of two with its last constant so that lists of many lengths share a statement.
    /// Whole numbers and texts beyond `maximumParameters` travel as one JSON text.
    func append(oneOf bindings: [SQLBinding], _ left: SQLText, collation: String, to text: inout SQLText) {
        let values = bindings.filter { $0 != .null }
        let hasNull = values.count < bindings.count
        guard let last = values.last else {
            if hasNull { text.append(left) }
            text.append(hasNull ? " IS NULL" : "0")
            return
        }
        if hasNull { text.append("(") }
        text.append(left)
        text.append(compiled: "\(collation) IN (")
        if values.count > Self.maximumParameters, let json = Self.json(values) {
            text.append("SELECT value FROM json_each(")
            text.bind(.text(json))
            text.append(")")
        } else {
            var filled = values
            let size = filled.count <= Self.maximumFilled ? filled.count.nextPowerOfTwo : filled.count
            filled.append(contentsOf: repeatElement(last, count: size - filled.count))
            text.bind(filled)
        }
        text.append(")")
        guard hasNull else { return }
        text.append(" OR ")
        text.append(left)
        text.append(" IS NULL)")
    }

    /// More constants of one list than this go as JSON where they can.
    private static let maximumParameters = 256
    /// Longer lists are not filled up: a statement has no more than twice as many parameters.
    private static let maximumFilled = 8_192

    /// The constants as a JSON array; nil for those that would not come back as they are: doubles may lose a digit on
    /// the way, blobs have no form, and NUL ends a text for some.
    private static func json(_ values: [SQLBinding]) -> String? {
        let encoder = JSONEncoder()
        var elements: [String] = []
        elements.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .integer(let number): elements.append(String(number))
            case .text(let text):
                // A text that cannot be encoded is bound as it is.
                guard !text.utf8.contains(0), let json = try? encoder.encode(text) else { return nil }
                elements.append(String(decoding: json, as: UTF8.self))
            case .null, .real, .blob: return nil
            }
        }
        return "[\(elements.joined(separator: ","))]"
    }
}

extension SelectCompiler {
    private func append(
        textual comparison: ResolvedComparison, _ left: SQLText?, _ right: SQLText?, to text: inout SQLText
    ) {
        let options = comparison.options
        if comparison.left.isNull || comparison.right.isNull {
            guard comparison.operation == .like else { return text.append("0") }
            // Nil is like nil.
            text.append(left ?? right ?? SQLText(compiled: "NULL"))
            return text.append(" IS NULL")
        }
        if options.isEmpty, let left, case .constant(.string(let pattern)) = comparison.right {
            // No text contains or starts with the empty one; instr() would say otherwise.
            if pattern.isEmpty, comparison.operation == .contains || comparison.operation == .beginsWith {
                return text.append("0")
            }
            // instr() starts over at each place: only a short text is found in linear time.
            if comparison.operation == .contains, pattern.utf8.count <= Self.maximumSearched {
                text.append("instr(")
                text.append(left)
                text.append(", ")
                text.bind(.text(pattern))
                return text.append(") > 0")
            }
            if comparison.operation == .beginsWith { return append(left, startsWith: pattern, to: &text) }
        }
        text.append(compiled: "\(comparison.operation.function.name)(")
        append(comparison.left, left, foldedBy: [], to: &text)
        text.append(", ")
        // MATCHES folds by itself: folding would change the expression.
        append(comparison.right, right, foldedBy: comparison.operation == .matches ? [] : options, to: &text)
        text.append(compiled: ", \(options.rawValue))")
    }

    /// Longer texts are not looked for by instr().
    private static let maximumSearched = 64

    private func append(
        _ side: ResolvedExpression, _ sql: SQLText?, foldedBy options: Condition.Comparison.Options,
        to text: inout SQLText
    ) {
        if case .constant(let constant) = side {
            text.bind(SQLBinding(options.isEmpty ? constant : constant.folded(options)))
        } else if let sql {
            text.append(options.isEmpty ? sql : folded(sql, options))
        }
    }

    private func folded(_ sql: SQLText, _ options: Condition.Comparison.Options) -> SQLText {
        var text = SQLText(compiled: "\(SQLFunction.fold.name)(")
        text.append(sql)
        text.append(compiled: ", \(options.rawValue))")
        return text
    }

    /// BEGINSWITH as a range, which an index serves: from the start itself up to the next text of its length.
    private func append(_ left: SQLText, startsWith start: String, to text: inout SQLText) {
        let end = start.next
        if end != nil { text.append("(") }
        text.append(left)
        text.append(" >= ")
        text.bind(.text(start))
        guard let end else { return }
        text.append(" AND ")
        text.append(left)
        text.append(" < ")
        text.bind(.text(end))
        text.append(")")
    }
}

extension SQLBinding {
    /// A constant as the database compares it with a column of its kind.
    package init(_ value: ManagedValue) {
        switch value {
        case .null, .list, .dictionary, .object: self = .null
        case .bool, .decimal: self.init(value.carried)
        case .int(let number): self = .integer(number)
        case .double(let number): self = .real(number)
        case .string(let text): self = .text(text)
        case .date(let date): self = .real(date.timeIntervalSinceReferenceDate)
        case .data(let data): self = .blob(data)
        case .uuid(let uuid): self = .blob(withUnsafeBytes(of: uuid.uuid) { Data($0) })
        case .url(let url): self = .text(url.absoluteString)
        }
    }
}

extension ResolvedComparison {
    fileprivate var isOfData: Bool { left.kind == .data }

    /// The comparison of folded data, with no options left.
    fileprivate func foldingConstants() -> ResolvedComparison {
        var right = right
        if case .constant(let constant) = right { right = .constant(constant.folded(options)) }
        return withoutOptions(right)
    }
}

extension ManagedValue {
    /// A constant that is compared with folded text or data.
    fileprivate func folded(_ options: Condition.Comparison.Options) -> ManagedValue {
        switch self {
        case .string(let text): .string(TextFolding.foldForSearch(text, options))
        case .data(let data): .data(TextFolding.fold(data: data, options))
        case .list(let values): .list(values.map { $0.folded(options) })
        default: self
        }
    }
}

extension ResolvedExpression {
    fileprivate var isNull: Bool { if case .constant(.null) = self { true } else { false } }
}

extension Condition.Comparison.Operator {
    /// The operator before a constant that is not null. A column equals it or is null, so `=` says enough; `!=` must not
    /// be NULL for null.
    fileprivate var sqlBeforeConstant: String {
        switch self {
        case .equal: "="
        case .notEqual: "IS NOT"
        default: symbol
        }
    }

    /// The operator between two that may both be null.
    fileprivate var sqlBeforeExpression: String {
        switch self {
        case .equal: "IS"
        case .notEqual: "IS NOT"
        default: symbol
        }
    }

    fileprivate var isTrueOfNulls: Bool { self == .lessThanOrEqual || self == .greaterThanOrEqual }

    /// The function of a textual operator.
    fileprivate var function: SQLFunction {
        switch self {
        case .contains: .contains
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .matches: .matches
        default: .like
        }
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}

extension String {
    /// The smallest text, in the order of scalars, that is above every text starting with this one; nil where there is
    /// none.
    fileprivate var next: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // The scalars below the surrogates and above them follow each other.
            let following = last.value == 0xD7FF ? 0xE000 : last.value + 1
            if let scalar = Unicode.Scalar(following) {
                scalars.append(scalar)
                var next = String.UnicodeScalarView()
                next.append(contentsOf: scalars)
                return String(next)
            }
        }
        return nil
    }
}
