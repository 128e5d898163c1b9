#if Postgres
    import DataMonkCore
    import DataMonkSQL

    extension StoreError {
        /// Creates the error of a store whose server refused something, or did not answer, while it was opened.
        init(_ failure: PostgresFailure, in namespace: ServerNamespace) {
            let code: Code =
                switch failure {
                case _ where failure.isDeadlinePassed || failure.isLockTimeout: .timeout
                case _ where failure.isCancelled: .cancelled
                case _ where failure.isPrivilegeMissing: .noWritePermission
                case _ where failure.isReadOnly: .readOnly
                case _ where failure.isDiskFull: .outOfSpace
                default: .openFailed
                }
            self.init(
                code,
                """
                The store in the schema "\(namespace.name)" could not be opened: \(failure.sentence) Check the server and the \
                privileges of its user.
                """, underlyingError: failure)
        }

        static func unusableName(of namespace: ServerNamespace, because reason: String) -> StoreError {
            StoreError(
                .openFailed,
                "The schema \(String(reflecting: namespace.name)) cannot have a store: its name \(reason). Use another name."
            )
        }

        static func missingPrivileges(in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .noWritePermission,
                """
                The server's user may not create tables in the schema "\(namespace.name)". Grant it USAGE and CREATE there, or \
                use another schema.
                """)
        }

        static func derivedAttribute(_ attribute: Entity.Attribute) -> StoreError {
            StoreError(
                .incompatibleSchema,
                """
                \(attribute.entity.name).\(attribute.name) is derived, which a store on a server does not compute yet. Make it an \
                ordinary attribute, or use a store in a file.
                """, entityName: attribute.entity.name)
        }

        static var readOnlyServer: StoreError {
            StoreError(
                .readOnly,
                """
                The server is a standby, or its user may only read, and there is no store yet. Create it on the primary, by \
                a user who may write.
                """)
        }

        static func takenNames(_ names: [String], in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .fileExists,
                """
                The schema "\(namespace.name)" has tables or indexes of these names that no store made: \
                \(names.joined(separator: ", ")). Nothing was changed. Use another schema or database.
                """)
        }

        static func foreignTable(in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .notADatabase,
                """
                The schema "\(namespace.name)" has a table "_store" that is no store's. Nothing was changed. Use another schema \
                or database.
                """)
        }

        static func unknownFormat(_ format: Int32, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .incompatibleSchema,
                """
                The store in the schema "\(namespace.name)" has the format \(format), which this version of the library does \
                not know. Use the version of the library that made it.
                """)
        }

        static func damagedMetadata(_ error: any Error, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .corrupt,
                """
                The metadata of the store in the schema "\(namespace.name)" cannot be read. Restore the database from a backup.
                """, underlyingError: error)
        }

        static func mismatch(_ mismatch: StoreMetadata.Mismatch, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .incompatibleVersionHash,
                """
                The store in the schema "\(namespace.name)" was written with another version of the model: \(mismatch.difference). Use \
                that version, or migrate the store by Stack.migrateServerStore or the command datamonk migrate.
                """)
        }

        static func changedColumns(_ names: [String], in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .corrupt,
                """
                In the schema "\(namespace.name)", columns of the store are missing, or have another type, collation or NOT NULL: \
                \(names.sorted().joined(separator: ", ")). Restore the database from a backup, or undo the change.
                """)
        }

        static func missingReference(_ reference: ServerForeignKey, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .incompatibleSchema,
                """
                In the schema "\(namespace.name)", the server does not check that what \(reference.tableName).\
                \(reference.column.name) refers to exists, but the model's delete rules require it. Correct the rows, and add \
                the check: \(reference.createStatement(in: namespace))
                """)
        }

        static func missingUniqueIndex(_ index: ServerIndex, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .incompatibleSchema,
                """
                In the schema "\(namespace.name)", the server does not check that values of \(index.tableName) \
                (\(index.columns.joined(separator: ", "))) are unique, but the model requires it. Drop an index of that name \
                that is not valid, correct the rows, and add the index: \(index.createStatement(in: namespace))
                """)
        }

        static func missingKey(
            ofTable table: String, _ columns: [String], in namespace: ServerNamespace
        ) -> StoreError {
            let columns = columns.joined(separator: ", ")
            return StoreError(
                .incompatibleSchema,
                """
                In the schema "\(namespace.name)", the server does not check that the rows of \(table) differ in \
                \(columns). Perhaps not everything was restored. Correct the rows, and add the index: \
                CREATE UNIQUE INDEX ON \(namespace.qualified(table)) (\(columns))
                """)
        }

        static func uniqueLargeValue(_ attribute: Entity.Attribute) -> StoreError {
            StoreError(
                .incompatibleSchema,
                """
                \(attribute.entity.name).\(attribute.name) is to be unique, but is too large for an index of the server: it \
                permits external storage. Take away one of the two, or use a store in a file.
                """, entityName: attribute.entity.name)
        }

        static func strictReference(_ name: String, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .incompatibleSchema,
                """
                In the schema "\(namespace.name)", the server checks that what \(name) refers to exists, but the model's delete \
                rules permit that it does not. Drop the constraint, or use the delete rules that the store was made with.
                """)
        }
    }

    extension MigrationError {
        static func newerServerStore(in namespace: ServerNamespace) -> MigrationError {
            MigrationError(
                .newerStore,
                """
                The store in the schema "\(namespace.name)" was migrated to a later version of the model. Use a program of \
                that version, or migrate the store back with discarding: .laterVersions.
                """)
        }
    }
#endif
