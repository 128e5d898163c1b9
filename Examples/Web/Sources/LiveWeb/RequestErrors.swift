import DataMonk
import Hummingbird
import LiveBoard
import Logging

/// **Value.** The answer to a browser whose edit was not carried out.
struct RequestProblem: ResponseCodable {
    let message: String
    /// The job as it is now, if that is the problem.
    var job: JobInfo?
}

/// **Value.** Makes an answer of each error.
struct RequestErrors<Context: RequestContext>: RouterMiddleware {
    @concurrent func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as EditError {
            return try Self.answer(to: error).response(from: request, context: context)
        } catch let error as UpdateError where error.code == .deadlinePassed {
            return try answer(.serviceUnavailable, error.message).response(from: request, context: context)
        } catch let error as any HTTPResponseError {
            throw error  // Hummingbird has an answer to these.
        } catch {
            // A fault of the program or of its disk, which is no business of a browser's.
            context.logger.error("\(error)")
            return try answer(.internalServerError, "The server could not do that. Its log says why.")
                .response(from: request, context: context)
        }
    }

    private static func answer(to error: EditError) -> EditedResponse<RequestProblem> {
        switch error {
        case .conflict(let job):
            EditedResponse(
                status: .conflict, response: RequestProblem(message: "Somebody else has changed this job.", job: job))
        case .gone:
            EditedResponse(status: .gone, response: RequestProblem(message: "Somebody else has deleted this job."))
        case .invalid(let message):
            EditedResponse(status: .unprocessableContent, response: RequestProblem(message: message))
        }
    }

    private func answer(_ status: HTTPResponse.Status, _ message: String) -> EditedResponse<RequestProblem> {
        EditedResponse(status: status, response: RequestProblem(message: message))
    }
}
