extension ManagedObject {
    /// Returns the value of a transformable attribute, decoded from its bytes by its transformer.
    ///
    ///     let tags = try note.transformedValue(forKey: "tags")        // .list(["urgent", "paid"])
    ///
    /// Attributes without a transformer use Foundation's secure coding: see ``Transformable``. If the transformer is not
    /// registered, the value is the bytes, as `.data`.
    ///
    /// - Throws: ``TransformError`` for another kind of attribute, damaged bytes, or an object of a class that is not
    ///   Foundation's; the errors of a registered transformer; the errors of ``value(forKey:)``.
    public final nonisolated func transformedValue(forKey key: String) throws -> ManagedValue {
        guard case .data(let data) = try value(forKey: key) else {
            _ = try transformable(key)
            return .null
        }
        guard let transformer = try transformer(of: transformable(key)) else { return .data(data) }
        return try transformer.value(from: data)
    }

    /// Sets a transformable attribute to the bytes into which its transformer encodes a value, or to null for `.null`.
    ///
    /// If the transformer is not registered, the only accepted value is `.data`, which is stored unchanged.
    ///
    /// - Throws: ``TransformError`` for another kind of attribute, a transformer that is not registered, or a value that
    ///   cannot be archived; the errors of a registered transformer; the errors of ``setValue(_:forKey:)``.
    public final nonisolated func setTransformedValue(_ value: ManagedValue, forKey key: String) throws {
        let attribute = try transformable(key)
        if value.isNull { return try setValue(.null, forKey: key) }
        if let transformer = try transformer(of: attribute) {
            return try setValue(.data(transformer.data(from: value)), forKey: key)
        }
        guard case .data = value else {
            let name = attribute.description.valueTransformerName.map { " \($0)" } ?? ""
            throw TransformError(
                .unknownTransformer,
                """
                The transformer\(name) of \(entity.name).\(key) is not registered. Call register(_:forName:) of \
                the stack, or set the bytes as data.
                """)
        }
        try setValue(value, forKey: key)
    }

    private nonisolated func transformable(_ key: String) throws -> Entity.Attribute {
        // Throws the error for an unknown key.
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
