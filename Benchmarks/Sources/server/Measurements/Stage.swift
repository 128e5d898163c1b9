#if Postgres
    import Foundation

    /// **Confined.** The server of all measurements, and the ways to it.
    final class Stage {
        /// The times of a round trip, in seconds.
        static let roundTrips = [0, 0.000_2, 0.001, 0.005]

        let server: TemporaryServer
        /// A connection by the Unix socket.
        let direct: LibpqConnection
        /// The seconds of each measurement of a rate.
        let seconds: Double
        private var shopCount = 0
        /// The proxies by the times of a round trip.
        private var proxies: [Double: DelayingProxy] = [:]

        init(seconds: Double) throws {
            server = try TemporaryServer()
            direct = try LibpqConnection(server.url)
            self.seconds = seconds
        }

        /// Returns a way to the server: without a proxy if a round trip takes no time.
        func way(roundTrip: Double) throws -> Way {
            if roundTrip == 0 { return Way(url: server.url) }
            let proxy =
                try proxies[roundTrip] ?? DelayingProxy(before: server.socketPath, roundTrip: roundTrip)
            proxies[roundTrip] = proxy
            return Way(url: proxy.url, proxy: proxy)
        }

        /// Returns a new store, by a way.
        func shop(_ way: Way) -> Shop {
            shopCount += 1
            return Shop(url: way.url, schemaName: "shop_\(shopCount)")
        }
    }

    /// **Value.** A way to the server.
    struct Way {
        let url: String
        var proxy: DelayingProxy?
    }
#endif
