import Foundation
import HTTPTypes
public import Hummingbird
public import LiveBoard

/// **Value.** The requests of the page.
struct Routes: Sendable {
    let board: Board
    let editor: JobEditor

    /// **Value.** A request, whose body is a small one.
    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        var maxUploadSize: Int { 16_384 }

        init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
    }

    private struct Addition: Decodable { let title: String }
    private struct Deletion: Decodable {
        let id: String
        let title: String
    }
    private struct Status: ResponseEncodable {
        let browsers: Int
        let lastEvent: Int
    }

    /// The files of the page, and their types.
    private static let files = [
        ("/", "index.html", "text/html; charset=utf-8"), ("/style.css", "style.css", "text/css; charset=utf-8"),
        ("/script.js", "script.js", "text/javascript; charset=utf-8"),
        ("/rows.js", "rows.js", "text/javascript; charset=utf-8"),
    ]

    func router() throws -> Router<Context> {
        let router = Router(context: Context.self)
        router.middlewares.add(RequestErrors<Context>())
        for (path, name, type) in Self.files {
            let buffer = ByteBuffer(bytes: try Data(contentsOf: Self.page.appending(path: name)))
            router.get(RouterPath(path)) { _, _ in
                Response(status: .ok, headers: Self.headers(type), body: ResponseBody(byteBuffer: buffer))
            }
        }
        router.get("/favicon.ico") { _, _ in Response(status: .noContent) }
        router.get("/events") { request, _ in
            let last = HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] }
            return EventStream(board: board, subscription: try await board.subscribe(after: last)).response
        }
        router.get("/status") { _, _ in
            await Status(browsers: board.browserCount, lastEvent: board.lastEvent)
        }
        addEdits(to: router)
        return router
    }

    private func addEdits(to router: Router<Context>) {
        let editor = editor
        router.post("/add") { request, context in
            try await editor.add(title: Self.decode(Addition.self, request, context).title)
        }
        router.post("/change") { request, context in
            try await editor.change(Self.decode(JobEdit.self, request, context))
        }
        router.post("/delete") { request, context in
            let deletion = try await Self.decode(Deletion.self, request, context)
            try await editor.delete(id: deletion.id, title: deletion.title)
            return Response(status: .noContent)
        }
    }

    /// A page of another site can send forms and texts here, but no JSON without being asked first: nothing else is taken.
    private static func decode<Body: Decodable & Sendable>(
        _ type: Body.Type, _ request: Request, _ context: Context
    ) async throws -> Body {
        guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
            throw HTTPError(.unsupportedMediaType, message: "Edits are JSON. Send application/json.")
        }
        return try await request.decode(as: type, context: context)
    }

    private static func headers(_ type: String) -> HTTPFields {
        var headers: HTTPFields = [.contentType: type, .cacheControl: "no-cache"]
        // Whatever a value contained: no script but the page's own would run.
        headers[.contentSecurityPolicy] =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"
        headers[.xContentTypeOptions] = "nosniff"
        return headers
    }

    private static var page: URL { Bundle.module.bundleURL.appending(path: "Page") }
}

extension JobInfo: ResponseEncodable {}
