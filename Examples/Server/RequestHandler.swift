import DataMonk

/// **Shared.** Answers requests, and makes a status of each error.
struct RequestHandler: Sendable {
    let bank: Bank
    let door: Door

    func respond(to request: Request) async -> Response {
        guard await door.enter() else { return Response(status: 503, reason: "Try again later.") }
        let response: Response
        do {
            response = Response(status: 200, accounts: try await answer(request))
        } catch {
            response = Self.response(for: error)
        }
        await door.leave()
        return response
    }

    private func answer(_ request: Request) async throws -> [AccountInfo] {
        switch request {
        case .open(let owner): [try await bank.open(owner)]
        case .deposit(let amount, let owner): [try await bank.deposit(amount, to: owner)]
        case .transfer(let amount, let payer, let payee): [try await bank.transfer(amount, from: payer, to: payee)]
        case .richest(let count): try await bank.richest(count)
        }
    }

    private static func response(for error: any Error) -> Response {
        switch error {
        case Refusal.notEnough(let balance): Response(status: 409, reason: "There are only \(balance).")
        case let error as FetchError where error.code == .objectNotFound: Response(status: 404, reason: error.message)
        case let error as SaveError where !error.validationProblems.isEmpty:
            Response(status: 422, reason: error.message)
        case let error as SaveError where [.mergeConflict, .constraintConflict].contains(error.code):
            Response(status: 409, reason: "Others have changed it. Try again.")
        case let error as SaveError where error.code == .deadlinePassed: Response(status: 503, reason: error.message)
        case let error as FetchError where error.code == .deadlinePassed: Response(status: 503, reason: error.message)
        case let error as UpdateError where error.code == .deadlinePassed:
            Response(status: 503, reason: error.message)
        case is CancellationError: Response(status: 503, reason: "The server is busy.")
        case let error as StoreError where [.outOfSpace, .writeFailed, .locked].contains(error.code):
            logged(error, Response(status: 503, reason: "Try again later."))
        default: logged(error, Response(status: 500, reason: "Something is wrong here."))
        }
    }

    /// Keeps the reason for the log: messages of stores name files, which are not for clients.
    private static func logged(_ error: any Error, _ response: Response) -> Response {
        print("error:", error)
        return response
    }
}
