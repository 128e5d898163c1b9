import Foundation

extension ResolvedMember {
    /// Returns the value in an attribute's JSON.
    func value(in stored: ManagedValue) -> ManagedValue {
        guard let match = match(in: stored) else { return .null }
        switch form {
        case .value, .elements: return value(of: match.value)
        case .count: return .int(match.isArray ? Int64(match.elements.count) : 0)
        }
    }

    /// Returns the elements in an attribute's JSON.
    func elements(in stored: ManagedValue) -> [ManagedValue] {
        match(in: stored)?.elements.map(value) ?? []
    }

    private func match(in stored: ManagedValue) -> JSONMatch? {
        guard case .string(var text) = stored else { return nil }
        return text.withUTF8 { JSONScanner.find(names, in: UnsafeRawBufferPointer($0)) }
    }

    /// Returns a part as a value of the wanted kind; `nil` if it is of another kind.
    private func value(of part: JSONPart) -> ManagedValue {
        switch (wanted, part) {
        case (.json, .bool(let flag)): .int(flag ? 1 : 0)
        case (.json, .int(let number)), (.floating, .int(let number)): .int(number)
        case (.json, .double(let number)), (.floating, .double(let number)): .double(number)
        case (.json, .string(let text)), (.json, .container(let text)), (.string, .string(let text)): .string(text)
        case (.boolean, .bool(let flag)): .bool(flag)
        case (.date, .int(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        default: .null
        }
    }
}
