#if Postgres
    import DataMonkCore

    extension StoreError {
        static func unexpectedEntity(_ number: Int32) -> StoreError {
            StoreError(
                .corrupt,
                "A row has or refers to the entity number \(number), which cannot be there. Correct or delete the row.")
        }

        static func unusableKey(_ primaryKey: Int64) -> StoreError {
            StoreError(
                .corrupt, "A row has or refers to the id \(primaryKey), which no object has. Correct or delete the row."
            )
        }

        static func unreadableValue(_ error: PostgresValueError, of entity: Entity, at slot: Int) -> StoreError {
            StoreError(
                .corrupt,
                "A value of \(entity.name).\(entity.properties[slot].name) cannot be read. \(error.description)",
                entityName: entity.name, underlyingError: error)
        }

        static func unwritableValue(_ error: PostgresValueError, column: String, of plan: ServerRowPlan) -> StoreError {
            let entity = plan.entities.values.first?.place.table.root
            return StoreError(
                .writeFailed, "A value of the column \(column) cannot be stored. \(error.description)",
                entityName: entity?.name, underlyingError: error)
        }

        static func indexedValueTooLong(
            at position: Int, of fields: ServerRowPlan.EntityFields, maximum: Int
        ) -> StoreError {
            let entity = fields.place.entity
            let field = fields.fields.first { ($0.position..<$0.position + $0.columns.count).contains(position) }
            let name = field.map { entity.properties[$0.slot].name } ?? ""
            return StoreError(
                .writeFailed,
                """
                A value of \(entity.name).\(name) is too long for an index, whose entries have at most \(maximum) bytes. Shorten \
                it, or remove the attribute from the model's indexes and uniqueness constraints.
                """, entityName: entity.name)
        }

        static func rowTooLarge(_ entity: Entity) -> StoreError {
            StoreError(
                .readFailed,
                "A row of \(entity.name) is longer than 2 GB, which no object can hold. Shorten its values on the server.",
                entityName: entity.name)
        }
    }
#endif
