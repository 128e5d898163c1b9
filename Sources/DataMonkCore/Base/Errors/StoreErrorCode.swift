extension StoreError {
    /// **Value.** The code of a ``StoreError``: Foundation's or Core Data's number if they have one.
    ///
    /// Open, so that a new code breaks no `switch`: compare with `==`, and keep a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number, in Foundation's and Core Data's numbering.
        public var rawValue: Int

        /// Creates a code with a number of your own.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
}

extension StoreError.Code {
    // MARK: Files

    /// There is no file at the store's location.
    public static let fileNotFound = Self(rawValue: 4)
    /// Another connection or process holds the store's lock.
    public static let locked = Self(rawValue: 255)
    /// The file or its directory is not readable.
    public static let noReadPermission = Self(rawValue: 257)
    /// The store is damaged.
    public static let corrupt = Self(rawValue: 259)
    /// The file is not a database.
    public static let notADatabase = Self(rawValue: 134_010)
    /// The system failed to read.
    public static let readFailed = Self(rawValue: 256)
    /// The system failed to write.
    public static let writeFailed = Self(rawValue: 512)
    /// The file or its directory is not writable.
    public static let noWritePermission = Self(rawValue: 513)
    /// A file already exists where one would be created.
    public static let fileExists = Self(rawValue: 516)
    /// The disk is full.
    public static let outOfSpace = Self(rawValue: 640)
    /// The store or its volume is read-only.
    public static let readOnly = Self(rawValue: 642)
    /// The file, or its log, was moved, deleted or replaced while the store was open.
    public static let fileMoved = Self(rawValue: 1_000_001)
    /// The call was made inside a commit of the same stack, and would wait for itself.
    public static let wouldDeadlock = Self(rawValue: 1_000_002)
    /// A commit has no answer, and nobody could be asked in time, or it may be in the log of a disk that fails: its changes may
    /// have been saved.
    public static let outcomeUnknown = Self(rawValue: 1_000_003)
    /// The changes belong to several stores, and some of these could not be committed after others had been.
    public static let savedInPart = Self(rawValue: 1_000_004)
    /// The store was migrated, while it was open, to a version of the model that this process must not use, or the server has
    /// lost the migration to the version of this process.
    public static let schemaChanged = Self(rawValue: 1_000_005)
    /// The store has lost commits that had been read: its server crashed, was replaced or was restored.
    public static let commitsLost = Self(rawValue: 1_000_006)
    /// The caller cancelled the operation.
    public static let cancelled = Self(rawValue: 3072)

    // MARK: Store

    /// The type of store is unknown.
    public static let invalidType = Self(rawValue: 134_000)
    /// The store's schema does not match: a table is missing, or there is an unexpected one.
    public static let incompatibleSchema = Self(rawValue: 134_020)
    /// The store refused a save.
    public static let saveFailed = Self(rawValue: 134_030)
    /// The store could not complete an operation.
    public static let operationFailed = Self(rawValue: 134_070)
    /// The store could not be opened.
    public static let openFailed = Self(rawValue: 134_080)
    /// A deadline passed before the store answered.
    public static let timeout = Self(rawValue: 134_090)
    /// This kind of store does not support this kind of request.
    public static let unsupportedRequest = Self(rawValue: 134_091)
    /// The store was written with another version of the model.
    public static let incompatibleVersionHash = Self(rawValue: 134_100)
    /// The store does not contain the model that it was written with.
    public static let missingModel = Self(rawValue: 134_130)
    /// The store refused a value that must be unique or must not be NULL.
    public static let constraintViolation = Self(rawValue: 133_021)
    /// SQLite reported an error that has no code here; see the underlying error.
    public static let sqlite = Self(rawValue: 134_180)
    /// The history before this token was deleted.
    public static let historyTokenExpired = Self(rawValue: 134_301)
}

extension StoreError.Code: CustomStringConvertible {
    /// The number, and its name if it has one here.
    public var description: String {
        Self.names[self].map { "\(rawValue) (\($0))" } ?? "\(rawValue)"
    }

    private static let names: [Self: String] = [
        .fileNotFound: "fileNotFound", .locked: "locked", .noReadPermission: "noReadPermission", .corrupt: "corrupt",
        .notADatabase: "notADatabase", .readFailed: "readFailed", .writeFailed: "writeFailed",
        .noWritePermission: "noWritePermission", .fileExists: "fileExists", .outOfSpace: "outOfSpace",
        .readOnly: "readOnly", .fileMoved: "fileMoved",
        .wouldDeadlock: "wouldDeadlock", .outcomeUnknown: "outcomeUnknown", .savedInPart: "savedInPart",
        .schemaChanged: "schemaChanged", .commitsLost: "commitsLost", .cancelled: "cancelled",
        .invalidType: "invalidType",
        .incompatibleSchema: "incompatibleSchema", .saveFailed: "saveFailed", .operationFailed: "operationFailed",
        .openFailed: "openFailed", .timeout: "timeout", .unsupportedRequest: "unsupportedRequest",
        .incompatibleVersionHash: "incompatibleVersionHash", .constraintViolation: "constraintViolation",
        .missingModel: "missingModel", .sqlite: "sqlite", .historyTokenExpired: "historyTokenExpired",
    ]
}
