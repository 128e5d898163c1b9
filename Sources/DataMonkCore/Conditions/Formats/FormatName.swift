/// **Value.** Writes names and texts in a format string so that they are read back as the same names and texts.
enum FormatName {
    /// Returns a path of names, escaping names that could be read as something else.
    ///
    /// - Parameter isFirst: A Boolean value indicating whether nothing precedes the path, so that its first name could be
    ///   read as a keyword.
    static func keyPath(_ keyPath: String, isFirst: Bool = true) -> String {
        let names = keyPath.split(separator: ".", omittingEmptySubsequences: false)
        var written: [String] = []
        for (index, name) in names.enumerated() {
            if name.first == "@", isName(name.dropFirst()) {
                written.append(String(name))
            } else if !isName(name) {
                written.append("#\(quoted(String(name)))")
            } else {
                // After a point every name is a key.
                written.append(index == 0 && isFirst && isReserved(name) ? "#\(name)" : String(name))
            }
        }
        return written.joined(separator: ".")
    }

    /// Returns `$name`, quoted if the text is not a valid name.
    static func variable(_ name: String) -> String { isName(name[...]) ? "$\(name)" : "$\(quoted(name))" }

    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\0": quoted += "\\0"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }

    private static func isName(_ name: Substring) -> Bool {
        guard let first = name.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
        return name.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || $0 == "_" }
    }

    private static func isReserved(_ name: Substring) -> Bool { reserved.contains(name.uppercased()) }

    /// The words that are operators, or precede one, wherever they occur.
    static let operators: Set<String> = [
        "AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "MATCHES", "CONTAINS", "BEGINSWITH", "ENDSWITH", "ANY", "SOME",
        "ALL", "NONE", "UNION", "INTERSECT", "MINUS", "ANYKEY",
    ]

    private static let reserved = operators.union([
        "TRUE", "YES", "FALSE", "NO", "NIL", "NULL", "SELF", "TRUEPREDICATE", "FALSEPREDICATE", "SUBQUERY", "TERNARY",
        "CAST", "FUNCTION", "FIRST", "LAST", "SIZE",
    ])
}
