import Foundation

extension Derivation {
    /// Writes the value into a row that is about to be saved. Not for derivations from related objects.
    func write(to draft: DraftRow, savedAt date: Date) {
        var editor = RowEditor(draft)
        switch source {
        case .now: put(.date(date), into: &editor)
        case .own(let attribute, let form): put(form.of(attribute.value(in: draft.row)), into: &editor)
        case .related: preconditionFailure("This derivation depends on other objects, which the row does not contain")
        }
    }

    /// Returns the value derived from other objects, in the attribute's type.
    ///
    /// - Throws: ``FetchError`` if a condition cannot be evaluated.
    func value(of object: any PropertyReader) throws(FetchError) -> ManagedValue {
        guard case .related(let path) = source else { return .null }
        guard let filter else { return fitting(path.value(of: object)) }
        return fitting(try filter.value(at: path, of: object))
    }

    /// Writes a value that `value(of:)` returned.
    func put(_ value: ManagedValue, into row: inout RowEditor) { attribute.write(fitting(value), to: &row) }

    /// Returns the value in the attribute's type, or `.null` if it cannot be represented. Triggers have the same rule.
    func fitting(_ value: ManagedValue) -> ManagedValue {
        var value = value
        // A decimal's fraction is one of a double in the database. A sum of integers that is a double has left their range.
        if attribute.type.isInteger, case .double(let number) = value.storageForm {
            value = abs(number) < 0x1p63 ? .int(Int64(number)) : .null
        }
        value = ValueKind(attribute).coerce(value) ?? value
        return attribute.accepts(value) ? value : .null
    }
}

extension Derivation.Form {
    func of(_ value: ManagedValue) -> ManagedValue {
        guard case .string(let text) = value else { return value }
        return switch self {
        case .itself: value
        case .canonical: .string(TextFolding.fold(text, options: [.caseInsensitive, .diacriticInsensitive]))
        case .uppercase: .string(text.uppercased())
        case .lowercase: .string(text.lowercased())
        }
    }
}
