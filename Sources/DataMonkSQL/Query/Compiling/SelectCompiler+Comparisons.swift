package import DataMonkCore
import Foundation

// Comparisons of values. Without options they compare the bare column, so that an index can serve them.

extension SelectCompiler {
    /// Appends a comparison.
    ///
    /// - Parameters:
    ///   - left: The SQL of the left side; `nil` for a constant.
    ///   - right: The SQL of the right side; `nil` for a constant.
    mutating func append(
        _ comparison: ResolvedComparison, left: SQLText?, right: SQLText?, to text: inout SQLText
    ) throws(FetchError) {
        let operation = comparison.operation
        if operation == .containsWords, try append(searched: comparison, left: left, to: &text) { return }
        if operation.isTextual { return append(textual: comparison, left: left, right: right, to: &text) }
        guard let left else { preconditionFailure("Resolution moves constants to the right") }
        if comparison.isOfData, !comparison.options.isEmpty {
            // Collations are for text. Data is folded on both sides and then compared as it is.
            let options = comparison.options
            return try append(
                comparison.foldingConstants(), left: folded(left, by: options),
                right: right.map { folded($0, by: options) }, to: &text)
        }
        let collation = SQLCollation(comparison.options).map { " COLLATE \($0.name)" } ?? ""
        if let right {
            return append(left: left, operation: operation, right: right, collation: collation, to: &text)
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
            // Piece by piece, which takes less than an interpolation: of most queries, this is all.
            text.append(compiled: collation)
            text.append(" ")
            text.append(compiled: operation.sqlBeforeConstant)
            text.append(" ")
            text.bind(SQLBinding(value))
        }
    }

    private func append(
        left: SQLText, operation: Condition.Comparison.Operator, right: SQLText, collation: String,
        to text: inout SQLText
    ) {
        if operation.isTrueOfNulls { text.append("(") }
        text.append(left)
        text.append(compiled: "\(collation) \(operation.sqlBeforeExpression) ")
        text.append(right)
        guard operation.isTrueOfNulls else { return }
        // `nil` is neither less nor greater than `nil`, but equal to it.
        text.append(" OR ")
        text.append(left)
        text.append(" IS NULL AND ")
        text.append(right)
        text.append(" IS NULL)")
    }

    /// Appends `x IN (…)`, padded to a power of two with its last constant so that lists of many lengths share a statement.
    /// More than `maximumParameters` integers or strings are passed as one JSON text.
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

    /// Lists with more constants are passed as JSON if possible.
    private static let maximumParameters = 256
    /// Longer lists are not padded. Padding at most doubles the number of parameters.
    private static let maximumFilled = 8_192

    /// Returns the constants as a JSON array, or `nil` if one of them would not survive the conversion: doubles may lose a
    /// digit, blobs have no JSON form, and some parsers end a string at NUL.
    private static func json(_ values: [SQLBinding]) -> String? {
        let encoder = JSONEncoder()
        var elements: [String] = []
        elements.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .integer(let number): elements.append(String(number))
            case .text(let text):
                // Reason for try?: a string that cannot be encoded is bound as it is.
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
        textual comparison: ResolvedComparison, left: SQLText?, right: SQLText?, to text: inout SQLText
    ) {
        let options = comparison.options
        if comparison.left.isNull || comparison.right.isNull {
            guard comparison.operation == .like else { return text.append("0") }
            // `nil` is LIKE `nil`.
            text.append(left ?? right ?? SQLText(compiled: "NULL"))
            return text.append(" IS NULL")
        }
        if options.isEmpty, let left, case .constant(.string(let pattern)) = comparison.right {
            // No string contains or starts with the empty string; instr() would return a match.
            if pattern.isEmpty, comparison.operation == .contains || comparison.operation == .beginsWith {
                return text.append("0")
            }
            // instr() restarts at each position, so it takes linear time only for a short string.
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
        append(comparison.left, sql: left, foldedBy: [], to: &text)
        text.append(", ")
        // MATCHES folds by itself: folding the pattern would change the expression. Words are always folded.
        let isFolded = comparison.operation != .matches && comparison.operation != .containsWords
        append(comparison.right, sql: right, foldedBy: isFolded ? options : [], to: &text)
        text.append(compiled: ", \(options.rawValue))")
    }

    /// The maximum length of a string that is searched for with instr().
    private static let maximumSearched = 64

    private func append(
        _ side: ResolvedExpression, sql: SQLText?, foldedBy options: Condition.Comparison.Options,
        to text: inout SQLText
    ) {
        if case .constant(let constant) = side {
            text.bind(SQLBinding(options.isEmpty ? constant : constant.folded(options)))
        } else if let sql {
            text.append(options.isEmpty ? sql : folded(sql, by: options))
        }
    }

    private func folded(_ sql: SQLText, by options: Condition.Comparison.Options) -> SQLText {
        var text = SQLText(compiled: "\(SQLFunction.fold.name)(")
        text.append(sql)
        text.append(compiled: ", \(options.rawValue))")
        return text
    }

    /// Appends BEGINSWITH as a range, which an index can serve: from the prefix up to the next string of its length.
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
    /// Creates the form in which the database compares a constant with a column of its kind.
    package init(_ value: ManagedValue) {
        switch value {
        case .null, .list, .dictionary, .object: self = .null
        case .bool, .decimal: self.init(value.storageForm)
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

    /// Returns the comparison of folded data, without options.
    fileprivate func foldingConstants() -> ResolvedComparison {
        var right = right
        if case .constant(let constant) = right { right = .constant(constant.folded(options)) }
        return withoutOptions(right)
    }
}

extension ManagedValue {
    /// Returns a constant for comparison with folded text or data.
    fileprivate func folded(_ options: Condition.Comparison.Options) -> ManagedValue {
        switch self {
        case .string(let text): .string(TextFolding.foldForSearch(text, options: options))
        case .data(let data): .data(TextFolding.fold(data: data, options: options))
        case .list(let values): .list(values.map { $0.folded(options) })
        default: self
        }
    }
}

extension ResolvedExpression {
    fileprivate var isNull: Bool { if case .constant(.null) = self { true } else { false } }
}

extension Condition.Comparison.Operator {
    /// The operator before a constant that is not null. A column equals it or is NULL, so `=` suffices; `!=` must not yield
    /// NULL for NULL.
    fileprivate var sqlBeforeConstant: String {
        switch self {
        case .equal: "="
        case .notEqual: "IS NOT"
        default: symbol
        }
    }

    /// The operator between two expressions that may both be NULL.
    fileprivate var sqlBeforeExpression: String {
        switch self {
        case .equal: "IS"
        case .notEqual: "IS NOT"
        default: symbol
        }
    }

    fileprivate var isTrueOfNulls: Bool { self == .lessThanOrEqual || self == .greaterThanOrEqual }

    /// The function for a string operator.
    fileprivate var function: SQLFunction {
        switch self {
        case .contains: .contains
        case .beginsWith: .beginsWith
        case .endsWith: .endsWith
        case .matches: .matches
        case .containsWords: .containsWords
        default: .like
        }
    }
}

extension Int {
    fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}

extension String {
    /// The smallest string, in the order of scalars, above every string that starts with this one; `nil` if there is none.
    fileprivate var next: String? {
        var scalars = Array(unicodeScalars)
        while let last = scalars.popLast() {
            // The scalars just below and just above the surrogates are consecutive.
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
