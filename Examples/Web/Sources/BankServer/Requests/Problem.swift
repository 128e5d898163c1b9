import DataMonk
import Hummingbird

/// **Value.** The answer to a request that was not granted: for programs by a code, for people by a reason.
struct Problem: ResponseCodable, Equatable {
    enum Code: String, Codable {
        case badRequest, notFound, notEnough, keyTaken, conflict, invalid, unavailable, outcomeUnknown, fault
    }

    let code: Code
    let reason: String

    init(_ code: Code, _ reason: String) { (self.code, self.reason) = (code, reason) }

    var status: HTTPResponse.Status {
        switch code {
        case .badRequest: .badRequest
        case .notFound: .notFound
        case .notEnough, .keyTaken, .conflict: .conflict
        case .invalid: .unprocessableContent
        case .unavailable, .outcomeUnknown: .serviceUnavailable
        case .fault: .internalServerError
        }
    }

    /// A Boolean value indicating whether an operator should know of it.
    var isOfServer: Bool { [.unavailable, .outcomeUnknown, .fault].contains(code) }

    static let busy = Problem(.unavailable, "Too many requests at the same time. Repeat this one later.")
}

// MARK: Errors

extension Problem {
    init(_ error: any Error) {
        switch error {
        case let refusal as Refusal: self.init(refusal)
        case let error as StoreError: self.init(error)
        case let error as SaveError: self.init(error)
        case let error as FetchError where [.deadlinePassed, .unreadValues].contains(error.code): self = .late
        case let error as UpdateError where error.code == .deadlinePassed: self = .late
        case is CancellationError: self = .late
        default: self = .unexpected
        }
    }

    private static let late = Problem(.unavailable, "The accounts could not be read in time. Repeat the request later.")
    private static let unexpected = Problem(.fault, "The server could not do that. Its log says why.")

    private init(_ refusal: Refusal) {
        switch refusal {
        case .noAccount(let owner): self.init(.notFound, "\(owner) has no account.")
        case .noTransfer: self.init(.notFound, "No transfer has this key.")
        case .notEnough(let balance): self.init(.notEnough, "There are only \(balance).")
        case .keyIsTaken: self.init(.keyTaken, "Another transfer has this key. Give each transfer one of its own.")
        case .amountIsNotPositive: self.init(.invalid, "An amount is 1 at least.")
        case .amountIsTooLarge: self.init(.invalid, "The account cannot hold that much.")
        }
    }

    private init(_ error: SaveError) {
        if !error.validationProblems.isEmpty {
            self.init(.invalid, error.validationProblems.map(\.message).joined(separator: "\n"))
        } else if [.mergeConflict, .constraintConflict].contains(error.code) {
            self.init(.conflict, "Others have changed it again and again. Repeat the request.")
        } else if [.deadlinePassed, .unreadValues].contains(error.code) {
            self = .late
        } else {
            self = .unexpected
        }
    }

    /// The store's message is for the log. Of the outcome of a commit it may say that nobody knows it: the request may be
    /// repeated without harm, because of its key, and the answer to that tells.
    private init(_ error: StoreError) {
        let temporary: [StoreError.Code] = [
            .locked, .outOfSpace, .readFailed, .readOnly, .timeout, .writeFailed,
        ]
        if error.code == .outcomeUnknown {
            self.init(.outcomeUnknown, "It may have been done. Repeat the same request to know: it is not done twice.")
        } else if temporary.contains(error.code) {
            self.init(.unavailable, "The accounts cannot be reached. Repeat the request later.")
        } else {
            self = .unexpected
        }
    }
}
