import DataMonkCore

extension ImportFailure {
    init(at place: ImportPlace, because error: any Error) {
        let key = (error as? ImportError)?.key ?? (error as? SaveError)?.validationProblems.first?.key
        self.init(at: place, key: key, error: error)
    }
}

extension Error {
    /// Indicates whether the error is not one row's: the store failed, or others have deleted what the chunk has read.
    var endsChunk: Bool { isOfReading || isOfDeletedObject }

    /// Indicates whether the store failed, or a value could not be read.
    var isOfReading: Bool {
        self is StoreError || (self as? FetchError)?.code == .unreadValues
            || (self as? SaveError)?.failedAccesses.contains { $0.kind == .read } == true
    }

    /// Indicates whether others have deleted an object that was read.
    var isOfDeletedObject: Bool {
        guard let error = self as? FetchError else { return false }
        return error.code == .objectNotFound || error.code == .objectIsDeleted
    }
}
