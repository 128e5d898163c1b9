extension ManagedObject {
    /// The value of a transformable attribute, as its transformer reads the bytes.
    ///
    ///     let tags = try note.transformedValue(forKey: "tags")        // .list(["urgent", "paid"])
    ///
    /// Attributes without a transformer have Foundation's secure coding: see ``Transformable``. Where nobody has registered
    /// the transformer, the value is the bytes, as `.data`.
    ///
    /// - Throws: ``TransformError``: another kind of attribute, damaged bytes, an object of another class than Foundation's;
    ///   what a registered transformer throws; what ``value(forKey:)`` throws.
    public final nonisolated func transformedValue(forKey key: String) throws -> ManagedValue {
        guard case .data(let data) = try value(forKey: key) else {
            _ = try transformable(key)
            return .null
        }
        guard let transformer = try transformer(of: transformable(key)) else { return .data(data) }
        return try transformer.value(from: data)
    }

    /// Sets a transformable attribute to the bytes that its transformer makes of a value; to none for `.null`.
    ///
    /// Where nobody has registered the transformer, only `.data` is taken, and stored as it is.
    ///
    /// - Throws: ``TransformError``: another kind of attribute, a transformer that nobody has registered, a value that cannot
    ///   be archived; what a registered transformer throws; what ``setValue(_:forKey:)`` throws.
    public final nonisolated func setTransformedValue(_ value: ManagedValue, forKey key: String) throws {
        let attribute = try transformable(key)
        if value.isNull { return try setValue(.null, forKey: key) }
        if let transformer = try transformer(of: attribute) {
            return try setValue(.data(transformer.data(from: value)), forKey: key)
        }
        guard case .data = value else {
            throw TransformError(
                .unknownTransformer,
                """
                Nobody has registered \(attribute.description.valueTransformerName ?? "the transformer") of \
                \(entity.name).\(key). Call register(_:forName:) of the stack, or set the bytes as data.
                """)
        }
        try setValue(value, forKey: key)
    }

    private nonisolated func transformable(_ key: String) throws -> Entity.Attribute {
        // An unknown key has an error of its own.
        _ = try value(forKey: key)
        guard let attribute = entity.attribute(named: key), attribute.type == .transformable else {
            throw TransformError(
                .notTransformable, "\(entity.name).\(key) is not transformable. Read it with value(forKey:).")
        }
        return attribute
    }

    private nonisolated func transformer(of attribute: Entity.Attribute) throws -> (any AttributeTransformer)? {
        let name = attribute.description.valueTransformerName
        if let name, let own = try requireContext().coordinator.directory.transformer(named: name) { return own }
        return name.map(SecureCodingTransformer.names.contains) ?? true ? SecureCodingTransformer() : nil
    }
}
