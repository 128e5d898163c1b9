import Hummingbird
import Logging

/// **Value.** Makes an answer of each error: a status, and a ``Problem`` as JSON.
struct RequestErrors<Context: RequestContext>: RouterMiddleware {
    @concurrent func handle(
        _ request: Request, context: Context, next: @concurrent (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch is RequestLimit<Context>.Reached {
            return try answer(.busy).response(from: request, context: context)
        } catch let error as any HTTPResponseError {
            let problem = Problem(
                error.status == .notFound ? .notFound : .badRequest,
                (error as? HTTPError)?.body ?? error.status.reasonPhrase)
            return try EditedResponse(status: error.status, response: problem)
                .response(from: request, context: context)
        } catch {
            let problem = Problem(error)
            // The message may name files, which are no business of a client's.
            if problem.isOfServer { context.logger.error("\(error)") }
            return try answer(problem).response(from: request, context: context)
        }
    }

    private func answer(_ problem: Problem) -> EditedResponse<Problem> {
        EditedResponse(
            status: problem.status, headers: problem.status == .serviceUnavailable ? [.retryAfter: "1"] : [:],
            response: problem)
    }
}
