extension StoreError {
    /// **Value.** A code of a ``StoreError``: Foundation's or Core Data's number wherever they have one.
    ///
    /// Open, so that a new code breaks no `switch`: compare with `==`, and keep a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The number, as Foundation and Core Data count.
        public var rawValue: Int

        /// A code with a number of your own.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }
}

extension StoreError.Code {
    // MARK: Files

    /// There is no file at the store's place.
    public static let fileNotFound = Self(rawValue: 4)
    /// Another connection or process holds the store's lock.
    public static let locked = Self(rawValue: 255)
    /// The file or its directory may not be read.
    public static let noReadPermission = Self(rawValue: 257)
    /// The store is damaged.
    public static let corrupt = Self(rawValue: 259)
    /// The file was written by something else: it is no database.
    public static let notADatabase = Self(rawValue: 134_010)
    /// The system failed to read.
    public static let readFailed = Self(rawValue: 256)
    /// The system failed to write.
    public static let writeFailed = Self(rawValue: 512)
    /// The file or its directory may not be written.
    public static let noWritePermission = Self(rawValue: 513)
    /// A file is in the way of one that would be created.
    public static let fileExists = Self(rawValue: 516)
    /// The disk is full.
    public static let outOfSpace = Self(rawValue: 640)
    /// The store, or what it lies on, is read-only.
    public static let readOnly = Self(rawValue: 642)
    /// The file, or its log, was moved, deleted or replaced while the store was open.
    public static let fileMoved = Self(rawValue: 1_000_001)
    /// The call was made by code that runs inside a commit of the same stack: it would wait for itself.
    public static let wouldDeadlock = Self(rawValue: 1_000_002)
    /// The caller cancelled.
    public static let cancelled = Self(rawValue: 3072)

    // MARK: Store

    /// No store is known by this type.
    public static let invalidType = Self(rawValue: 134_000)
    /// The store's schema does not fit: a table is missing, or there is one that has no business there.
    public static let incompatibleSchema = Self(rawValue: 134_020)
    /// The store refused a save.
    public static let saveFailed = Self(rawValue: 134_030)
    /// The store could not carry out an operation.
    public static let operationFailed = Self(rawValue: 134_070)
    /// The store could not be opened.
    public static let openFailed = Self(rawValue: 134_080)
    /// A deadline passed before the store answered.
    public static let timeout = Self(rawValue: 134_090)
    /// This kind of store does not know this kind of request.
    public static let unsupportedRequest = Self(rawValue: 134_091)
    /// The store was written with another version of the model.
    public static let incompatibleVersionHash = Self(rawValue: 134_100)
    /// A store does not hold the model that it was written with.
    public static let missingModel = Self(rawValue: 134_130)
    /// A unique or mandatory value was refused by the store.
    public static let constraintViolation = Self(rawValue: 133_021)
    /// SQLite reported something that has no code of its own here: see the underlying error.
    public static let sqlite = Self(rawValue: 134_180)
    /// History before this token was purged.
    public static let historyTokenExpired = Self(rawValue: 134_301)
}

extension StoreError.Code: CustomStringConvertible {
    /// The number, with its name where it has one here.
    public var description: String {
        Self.names[self].map { "\(rawValue) (\($0))" } ?? "\(rawValue)"
    }

    private static let names: [Self: String] = [
        .fileNotFound: "fileNotFound", .locked: "locked", .noReadPermission: "noReadPermission", .corrupt: "corrupt",
        .notADatabase: "notADatabase", .readFailed: "readFailed", .writeFailed: "writeFailed",
        .noWritePermission: "noWritePermission", .fileExists: "fileExists", .outOfSpace: "outOfSpace",
        .readOnly: "readOnly", .fileMoved: "fileMoved",
        .wouldDeadlock: "wouldDeadlock", .cancelled: "cancelled", .invalidType: "invalidType",
        .incompatibleSchema: "incompatibleSchema", .saveFailed: "saveFailed", .operationFailed: "operationFailed",
        .openFailed: "openFailed", .timeout: "timeout", .unsupportedRequest: "unsupportedRequest",
        .incompatibleVersionHash: "incompatibleVersionHash", .constraintViolation: "constraintViolation",
        .missingModel: "missingModel", .sqlite: "sqlite", .historyTokenExpired: "historyTokenExpired",
    ]
}
