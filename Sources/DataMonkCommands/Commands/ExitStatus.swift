import DataMonk
import DataMonkCore

/// **Value.** The exit status of the program; above 1 as in BSD's `sysexits.h`.
package struct ExitStatus: RawRepresentable, Hashable, Sendable {
    package var rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    package static let success = ExitStatus(rawValue: 0)
    /// The store was written with a different model than the given one.
    package static let incompatible = ExitStatus(rawValue: 1)
    /// The store has damage, or not all of it could be saved.
    package static let findings = ExitStatus(rawValue: 1)
    /// The store cannot be migrated, or only with a loss that nobody has permitted.
    package static let refused = ExitStatus(rawValue: 1)
    /// The store to examine cannot be read.
    package static let unreadable = ExitStatus(rawValue: 2)
    /// An argument is invalid.
    package static let usage = ExitStatus(rawValue: 64)
    /// A file is damaged, or of an unexpected kind.
    package static let data = ExitStatus(rawValue: 65)
    /// A file is missing or cannot be read.
    package static let noInput = ExitStatus(rawValue: 66)
    /// The program failed.
    package static let software = ExitStatus(rawValue: 70)
    /// A file cannot be written.
    package static let cannotWrite = ExitStatus(rawValue: 73)
}

extension ExitStatus {
    init(_ error: any Error) {
        switch error {
        case let error as StoreError:
            let isMissing: Set<StoreError.Code> = [
                .fileNotFound, .noReadPermission, .readFailed, .openFailed, .locked, .timeout,
            ]
            self = isMissing.contains(error.code) ? .noInput : .data
        case let error as ModelError: self = error.code == .unreadableFile ? .noInput : .data
        case is MigrationError: self = .refused
        case is FetchError: self = .usage
        case let error as CommandError: self = error.status
        case let error as FormatError: self = error.code == .unreadableFile ? .noInput : .data
        case let error as ImportError: self = error.exitStatus
        case is CancellationError: self = Interruption.status
        default: self = .software
        }
    }

    /// The status for an error of a command that writes a file.
    init(writing error: any Error) {
        let isOfTarget: Set<StoreError.Code> = [
            .fileExists, .outOfSpace, .noWritePermission, .readOnly, .writeFailed, .outcomeUnknown,
        ]
        if (error as? ModelError)?.code == .unwritableFile {
            self = .cannotWrite
            return
        }
        let code = (error as? StoreError)?.code
        let isOfFile = [.fileExists, .unwritableFile].contains((error as? FormatError)?.code)
        self = code.map(isOfTarget.contains) == true || isOfFile ? .cannotWrite : ExitStatus(error)
    }
}

extension ImportError {
    /// The status of what has ended an import, where that is an error of the input or the store.
    fileprivate var exitStatus: ExitStatus {
        switch code {
        case .inputFailed, .commitFailed, .outcomeUnknown: underlyingError.map { ExitStatus(writing: $0) } ?? .data
        case .rowFailed: .findings
        default: .data
        }
    }
}
