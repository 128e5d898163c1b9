import Hummingbird

/// **Value.** The requests that there are.
///
/// All of them may be repeated, by the client or by a load balancer that lost the instance it had asked: `PUT` names what is to
/// be there afterwards, by an owner or by a key that the client makes up. There is no `POST`, which could count twice.
struct Routes: Sendable {
    let bank: Bank
    let limit: RequestLimit<Context>

    /// **Value.** A request, whose body is a small one.
    struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        var maxUploadSize: Int { 16_384 }

        init(source: ApplicationRequestContextSource) { coreContext = .init(source: source) }
    }

    private struct Deposit: Decodable {
        let payee: String
        let amount: Int
    }
    private struct Order: Decodable {
        let payer: String
        let payee: String
        let amount: Int
    }
    private struct Health: ResponseEncodable {
        /// The number of requests that are being answered, without those for this.
        let requests: Int
    }

    func router() -> Router<Context> {
        let router = Router(context: Context.self)
        router.middlewares.add(RequestErrors<Context>())
        router.get("/health") { [bank, limit] _, _ in
            _ = try await bank.total()
            return Health(requests: limit.count)
        }
        let routes = router.group().add(middleware: limit)
        addAccounts(to: routes)
        addTransfers(to: routes)
        return router
    }

    private func addAccounts(to routes: RouterGroup<Context>) {
        let bank = bank
        routes.put("/accounts/{owner}") { _, context in try await bank.open(context.parameters.require("owner")) }
        routes.get("/accounts/{owner}") { _, context in
            try await bank.account(of: context.parameters.require("owner"))
        }
        routes.get("/accounts") { request, _ in
            guard let count = Int(request.uri.queryParameters["richest"] ?? "10"), (1...100).contains(count) else {
                throw HTTPError(.badRequest, message: "Ask for the richest 1 to 100.")
            }
            return try await bank.richest(count)
        }
        routes.get("/total") { _, _ in try await bank.total() }
    }

    private func addTransfers(to routes: RouterGroup<Context>) {
        let bank = bank
        routes.put("/deposits/{key}") { request, context in
            let deposit = try await request.decode(as: Deposit.self, context: context)
            let key = try context.parameters.require("key")
            return try await make(TransferInfo(key: key, payee: deposit.payee, amount: deposit.amount))
        }
        routes.put("/transfers/{key}") { request, context in
            let order = try await request.decode(as: Order.self, context: context)
            let key = try context.parameters.require("key")
            return try await make(
                TransferInfo(key: key, payer: order.payer, payee: order.payee, amount: order.amount))
        }
        routes.get("/transfers/{key}") { _, context in
            try await bank.transfer(context.parameters.require("key"))
        }
    }

    /// Answers `201` if the transfer is new, and `200` if it was made before.
    private func make(_ order: TransferInfo) async throws -> EditedResponse<TransferInfo> {
        EditedResponse(status: try await bank.make(order) ? .created : .ok, response: order)
    }
}

extension AccountInfo: ResponseEncodable {}
extension Total: ResponseEncodable {}
extension TransferInfo: ResponseEncodable {}
