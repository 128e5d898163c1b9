#if Postgres
    /// **Value.** The tables of a store's history.
    ///
    /// ```
    /// _history           one row per save or batch request: its number, its identifier, author and context, time and program
    /// _history_changes   one row per changed object: 0 inserted, 1 updated, 2 deleted; entity number and id
    ///   properties       of an update: the names of the properties that were set; of a deletion, those of the tombstone
    ///   tombstone        of a deletion: each value as the number of its type in pg_type and the value in the binary format
    /// ```
    /// A table of its own beside the log: that has a row for each commit, of many saves or of none (a purge, metadata, a fence),
    /// and drops rows after some days by itself. The history has its own numbers, and drops nothing by itself.
    ///
    /// The history is kept if the tables exist. That is the store's setting, not a process's: a transaction asks for it behind
    /// the lock of `_store`, in the statement that asks for the state of the log, and the tables are created under the same
    /// lock, exclusive. So no transaction is open while they are created, and each later one knows of them.
    struct ServerHistoryTables: Sendable {
        let namespace: ServerNamespace

        /// The name of the table of transactions.
        var transactions: String { namespace.qualified("_history") }
        /// The name of the table of changes.
        var changes: String { namespace.qualified("_history_changes") }

        /// The statements that create the tables.
        var createStatements: [String] {
            [
                """
                CREATE TABLE \(transactions) (number bigint PRIMARY KEY, identifier uuid NOT NULL, \
                first_change bigint NOT NULL, change_count bigint NOT NULL, \
                written timestamptz NOT NULL DEFAULT clock_timestamp(), author text, context_name text, bundle_id text, \
                process_name text, is_deleted boolean NOT NULL DEFAULT false)
                """,
                """
                CREATE TABLE \(changes) (transaction_id uuid NOT NULL, place bigint NOT NULL, type smallint NOT NULL, \
                entity integer NOT NULL, object bigint NOT NULL, properties text[], tombstone bytea[], \
                PRIMARY KEY (transaction_id, place))
                """,
            ]
        }

        /// Selects the statements that give the rights on the log to those who have them: whoever may commit may record it.
        var grantsQuery: PostgresStatement {
            get throws(PostgresValueError) {
                var parameters = PostgresParameters()
                try parameters.append(namespace.qualified("_log"))
                try parameters.append(array: [transactions, changes])
                return PostgresStatement(
                    """
                    SELECT format('GRANT %s ON %s TO %s', privilege_type, name, \
                    CASE grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(grantee)) END) \
                    FROM pg_class, aclexplode(coalesce(relacl, acldefault('r', relowner))), unnest($2) AS name \
                    WHERE pg_class.oid = to_regclass($1) AND pg_get_userbyid(grantee) <> current_user
                    """, parameters)
            }
        }
    }
#endif
