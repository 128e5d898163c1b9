import DataMonkCore
import DataMonkSQL
import Foundation

extension MigrationError {
    static func cancelled(_ cause: any Error, in url: URL) -> MigrationError {
        MigrationError(
            .cancelled, "The migration of \(url.lastPathComponent) was cancelled, and the store was not changed.",
            storeURL: url, underlyingError: cause)
    }

    static func missingSource(_ mismatch: StoreMetadata.Mismatch, cause: (any Error)?, in url: URL) -> MigrationError {
        var names: [String] = []
        if case .entities(_, let removed, let changed) = mismatch { names = (removed + changed).sorted() }
        return MigrationError(
            .missingSourceModel,
            """
            \(url.lastPathComponent) was written with a version of the model that neither the store nor the \
            application contains (it differs in \(names.isEmpty ? "its entities" : names.joined(separator: ", "))). \
            Pass that version in earlierModels, or add it to the .xcdatamodeld that the stack is made of.
            """, storeURL: url, underlyingError: cause)
    }

    static func wouldDiscard(_ problems: [Problem], in url: URL, cause: (any Error)?) -> MigrationError {
        var error = MigrationError(.wouldDiscard, problems: problems, storeURL: url)
        let list = problems.map { "\n- \($0)" }.joined()
        error.message =
            "\(url.lastPathComponent) was not migrated, because the migration would discard stored data:\(list)"
        error.underlyingError = cause
        return error
    }

    /// The error for a value that a mapping by hand does not produce. Never contains the value.
    static func unconvertible(
        _ propertyName: String, of entityName: String, key: Int64, cause: (any Error)?
    ) -> MigrationError {
        let problem = Problem(
            kind: .unconvertibleValue, entityName: entityName, propertyName: propertyName, count: 1,
            message: """
                The mapping has no value for it in the object \(entityName)/p\(key): none that has the attribute's type \
                and is not missing where one is required. Let the mapping give a value for such objects.
                """)
        var error = MigrationError(.constraintViolation, problems: [problem])
        error.underlyingError = cause
        return error
    }

    /// Reported rather than thrown, because the migration has succeeded.
    static func discarded(_ problems: [Problem], in url: URL) -> MigrationError {
        var error = MigrationError(.discarded, problems: problems, storeURL: url)
        let list = problems.map { "\n- \($0)" }.joined()
        error.message = "\(url.lastPathComponent) was migrated, and data was discarded:\(list)"
        return error
    }

    static func missingMapping(_ url: URL, because error: (any Error)?) -> MigrationError {
        MigrationError(
            .missingMapping,
            """
            \(url.lastPathComponent) has another version of the model, and the store was added with infersMapping: \
            false. Add it with infersMapping: true to have it migrated. A way back to an earlier version is always inferred.
            """, storeURL: url, underlyingError: error)
    }

    static func unlistedVersion(_ url: URL) -> MigrationError {
        MigrationError(
            .missingMapping,
            """
            \(url.lastPathComponent) is of a version of the model that is not among the stages of the migration. Add \
            stages that begin with that version.
            """, storeURL: url)
    }

    static func newerStore(_ url: URL) -> MigrationError {
        MigrationError(
            .newerStore,
            """
            \(url.lastPathComponent) was migrated to a later version of the model by a newer program. Use that \
            program, or pass discarding: .laterVersions to migrate the store back.
            """, storeURL: url)
    }

    /// The error for code of a stage that has thrown one.
    static func failedStage(because error: any Error, in url: URL) -> MigrationError {
        MigrationError(
            .failedStage,
            """
            The application's code in a stage of the migration of \(url.lastPathComponent) failed, and the store was not \
            changed. See the underlying error, and correct the code.
            """, storeURL: url, underlyingError: error)
    }

    /// The error for code of a stage that has not seen all of the store's objects and values.
    static func unreadStage(because error: any Error, in url: URL) -> MigrationError {
        MigrationError(
            .failedStage,
            """
            The application's code in a stage of the migration of \(url.lastPathComponent) could not read all objects and \
            values, and the store was not changed: what the code has left out could be lost. See the underlying error, and \
            repair the store with its present version before it is migrated.
            """, storeURL: url, underlyingError: error)
    }

    /// The error for a fault in our own planning, detected before it did harm.
    static func unfaithful(_ subject: String, in url: URL) -> MigrationError {
        MigrationError(
            .failed,
            """
            The migration of \(url.lastPathComponent) did not preserve \(subject), and was rolled back. Please report \
            this with both versions of the model.
            """, storeURL: url)
    }
}

extension StoreMetadata {
    /// Returns the error for a store that is not of a schema's version, or `nil` if it is.
    func versionError(for schema: StoreSchema, in url: URL) -> (any Error)? {
        guard let mismatch = mismatch(with: schema) else { return nil }
        return isLater(than: schema) ? MigrationError.newerStore(url) : StoreError.mismatch(mismatch, in: url)
    }
}
