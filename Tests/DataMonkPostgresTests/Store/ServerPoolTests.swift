#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Connections that are opened for one caller, and lent to others.
    @Suite struct ServerPoolTests {
        private let proxy: FaultyProxy

        // Opening takes longer than callers have.
        init() throws { proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(200)) }

        private func pool(timeout: Duration = .seconds(600)) -> ServerPool {
            ServerPool(ServerAddress(proxy.url), capacity: 1, timeout: timeout)
        }

        @Test func `a connection that takes longer to open than its caller has is there for the next one`() throws {
            let pool = pool()
            let failure = #expect(throws: PostgresFailure.self) { try pool.lease(until: .now + .milliseconds(10)) }
            #expect(failure?.isDeadlinePassed == true)
            let lease = try pool.lease(until: farDeadline)
            #expect(lease.wasIdle && lease.isNew && lease.isLast)
            #expect(try lease.connection.run(PostgresStatement("SELECT 1"), until: farDeadline).rowCount == 1)
            lease.end()
            let next = try pool.lease(until: farDeadline)
            #expect(next.wasIdle && !next.isNew)
        }

        @Test func `a connection that cannot be opened gives its place to the next one`() throws {
            let pool = pool()
            proxy.setFault(.init(direction: .toClient, byteCount: 0, effect: .close))
            for time in [Duration.milliseconds(10), .seconds(600)] {
                #expect(throws: PostgresFailure.self) { try pool.lease(until: .now + time) }
            }
            proxy.setFault(nil)
            #expect(try !pool.lease(until: farDeadline).wasIdle)
        }

        @Test func `why a connection could not be opened is told to a later caller if its own has left`() throws {
            let pool = pool()
            proxy.setFault(.init(direction: .toClient, byteCount: 0, effect: .close))
            let end = ContinuousClock.now + .seconds(120)
            var told: PostgresFailure?
            while told == nil, .now < end {
                do {
                    // The place is taken until the opening before has failed. Nobody waits for as long as its own takes.
                    _ = try pool.lease(until: .now + .milliseconds(1))
                } catch let failure as PostgresFailure where !failure.isDeadlinePassed {
                    told = failure
                } catch {
                    #expect(error is PostgresFailure || (error as? StoreError)?.code == .timeout, "\(error)")
                }
            }
            #expect(told != nil)
        }

        @Test func `the last failure of an opening is told to all who leave before the next one ends`() throws {
            let pool = pool()
            proxy.setFault(.init(direction: .toClient, byteCount: 0, effect: .close))
            let failure = #expect(throws: PostgresFailure.self) { try pool.lease(until: farDeadline) }
            let reason = try #require(failure?.message)
            proxy.setFault(.init(direction: .toClient, byteCount: 0, effect: .stall))
            // The first one opens a connection, and the others wait for its place.
            for _ in 0..<3 {
                let error = #expect(throws: (any Error).self) { try pool.lease(until: .now + .milliseconds(10)) }
                #expect("\(try #require(error))".contains(reason))
            }
        }

        @Test func `a connection that is open after its pool was closed is closed`() throws {
            let pool = pool()
            #expect(throws: PostgresFailure.self) { try pool.lease(until: .now + .milliseconds(10)) }
            pool.close()
            // Once the place is free.
            #expect(throws: StoreError.self) { try pool.lease(until: farDeadline) }
            while proxy.clientCount > 0 { sched_yield() }
        }
    }
#endif
