import Foundation

extension ManagedObject {
    // The accessors of attributes with the option `.codable`. A value is decoded at each access: an object keeps its row, not
    // what was made of it.

    /// Reads the codable attribute in a slot, which may be `nil`. Called by the accessors of `@Entity` classes.
    ///
    /// A value that cannot be decoded reads as `nil`, and is a failed read: it is reported, and the object's context does
    /// not save while it counts.
    ///
    /// - Complexity: The time of `JSONDecoder` for the value, at each access.
    public final nonisolated func codableProperty<Value: Codable & Sendable>(at slot: Int) -> Value? {
        checkOwner()
        let reader = RowReader(row ?? fulfill(at: slot), of: self)
        return reader.isNull(slot) ? nil : decoded(from: reader, slot: slot)
    }

    /// Reads the codable attribute in a slot, which has a default value. Called by the accessors of `@Entity` classes.
    ///
    /// A value that cannot be decoded reads as the default, and is a failed read: it is reported, and the object's context
    /// does not save while it counts.
    ///
    /// - Parameter fallback: The declared default, which also stands for a row without a value.
    /// - Complexity: The time of `JSONDecoder` for the value, at each access.
    public final nonisolated func codableProperty<Value: Codable & Sendable>(
        at slot: Int, default fallback: @autoclosure () -> Value
    ) -> Value {
        codableProperty(at: slot) ?? fallback()
    }

    /// Writes the codable attribute in a slot. Called by the accessors of `@Entity` classes.
    ///
    /// A value whose `encode(to:)` throws is not set. That is reported, and the object's context does not save until
    /// `rollback()`, `reset()` or `disregardFailedReads()`.
    ///
    /// - Precondition: The object's context is writable.
    public final nonisolated func setCodableProperty<Value: Codable & Sendable>(_ value: Value?, at slot: Int) {
        do {
            setProperty(try value.map { try CodableText.encode($0) }, at: slot)
        } catch {
            checkOwner()
            let failure = FetchError.unencodable(self, slot: slot, Value.self, error)
            guard let context = home.context else { return home.coordinator.report(failure) }
            context.faults.noteDroppedWrite(of: self, slot: slot, failure)
        }
    }

    private final nonisolated func decoded<Value: Codable>(from reader: RowReader, slot: Int) -> Value? {
        do {
            return try CodableText.decode(Value.self, from: reader.bytes(slot))
        } catch {
            let failure = StoreError.undecodable(self, slot: slot, Value.self, error)
            guard let context = home.context else { return reportLostValue(failure) }
            context.faults.noteFailedRead(of: self, slot: slot, failure)
            return nil
        }
    }
}

extension ManagedObject {
    /// Reports a value that cannot be read to the stack's error handler, for an object whose context has been released.
    private final nonisolated func reportLostValue<Value>(_ error: StoreError) -> Value? {
        home.coordinator.directory.reportIncompleteRead(error)
        return nil
    }
}

extension StoreError {
    /// Returns the error for a stored value that its type does not decode.
    fileprivate static func undecodable(
        _ object: ManagedObject, slot: Int, _ type: Any.Type, _ error: any Error
    ) -> StoreError {
        let name = "\(object.entity.name).\(object.entity.properties[slot].name)"
        return StoreError(
            .corrupt,
            """
            The store holds a value of \(name) that cannot be decoded as \(type)\(place(of: error)). Let init(from:) accept \
            the values of earlier versions too, or call disregardFailedReads() and set the attribute again.
            """, entityName: object.entity.name, objectURI: object.anyObjectID.uri.absoluteString,
            underlyingError: error)
    }

    /// The place in the value, in words; empty if the error has none. The values are not part of messages.
    private static func place(of error: any Error) -> String {
        let context: DecodingError.Context? =
            switch error as? DecodingError {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context
            default: nil
            }
        var path = context?.codingPath ?? []
        if case .keyNotFound(let key, _)? = error as? DecodingError { path.append(key) }
        return path.isEmpty ? "" : ", at \"\(path.map(\.stringValue).joined(separator: "."))\""
    }
}

extension FetchError {
    /// Returns the error for a value that its type does not encode.
    fileprivate static func unencodable(
        _ object: ManagedObject, slot: Int, _ type: Any.Type, _ error: any Error
    ) -> FetchError {
        let name = object.entity.properties[slot].name
        return FetchError(
            .typeMismatch,
            """
            \(object.entity.name).\(name) was not set, because \(type) failed to encode the value. Check the value before it \
            is set.
            """, entityName: object.entity.name, keyPath: name, underlyingError: error)
    }
}
