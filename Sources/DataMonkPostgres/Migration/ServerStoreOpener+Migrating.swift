#if Postgres
    package import DataMonkCore
    import Foundation

    extension ServerStoreOpener {
        /// Migrates the store in a schema of a database to a model.
        ///
        /// - Parameters:
        ///   - isPlan: Whether the migration is planned only, and nothing is changed.
        ///   - interrupt: Ends the migration, and undoes it, until it is committed.
        ///   - report: Is told of a migration that is done, but that no standby has confirmed.
        /// - Returns: The plan; an empty one if there is nothing to do.
        /// - Throws: A `StoreError` or a `MigrationError`, which repeats nothing of the URL. The store is unchanged then, unless
        ///   the code is `outcomeUnknown`.
        package static func migrate(
            _ url: String, schemaName: String, to model: ManagedObjectModel, configuration: String?,
            discarding: DiscardableData, settings: ServerStoreSettings, isPlan: Bool,
            interrupt: PostgresInterrupt? = nil, report: @escaping (StoreError) -> Void
        ) throws -> MigrationPlan {
            let namespace = ServerNamespace(name: schemaName)
            do {
                var url = try ServerURL(url)
                url.parameters["target_session_attrs"] = "primary"
                // Nobody else notices that the network was cut while a statement takes hours.
                let keepalives = ["keepalives_idle": "30", "keepalives_interval": "10", "keepalives_count": "3"]
                url.parameters.merge(keepalives) { given, _ in given }
                let call = MigrationCall(
                    url: url, namespace: namespace, model: model, configuration: configuration, discarding: discarding,
                    settings: settings, report: report, interrupt: interrupt)
                return try isPlan ? call.plan() : call.migrate()
            } catch let error as ServerURLError {
                throw StoreError(.openFailed, error.description)
            } catch let failure as PostgresFailure {
                throw StoreError(failure, in: namespace)
            }
        }
    }

    /// **Value.** A migration that is tried until nobody is in its way, or until a deadline.
    private struct MigrationCall {
        let url: ServerURL
        let namespace: ServerNamespace
        let model: ManagedObjectModel
        let configuration: String?
        let discarding: DiscardableData
        var settings: ServerStoreSettings
        let report: (StoreError) -> Void
        var interrupt: PostgresInterrupt?

        func plan() throws -> MigrationPlan { try repeating { try $0.plan() } }

        func migrate() throws -> MigrationPlan {
            do {
                return try repeating { try $0.migrate() }
            } catch let unknown as ServerMigrator.UnknownOutcome {
                return try lookUp(unknown)
            }
        }

        private func run<Result>(_ body: (ServerMigrator) throws -> Result) throws -> Result {
            let connection = try PostgresConnection(url, until: .now + settings.timeout, interrupt: interrupt)
            defer { connection.close() }
            let opening = ServerStoreOpening(
                connection: connection, model: model, configuration: configuration, namespace: namespace,
                // Statements over all rows take their time. Locks are limited on their own.
                deadline: .now + .seconds(86_400), report: report, interrupt: interrupt)
            return try body(
                ServerMigrator(
                    opening: opening, lockTimeout: settings.lockTimeout, commitTimeout: settings.timeout,
                    discarding: discarding))
        }

        /// Repeats what fails because of a lock. Others wait meanwhile for those who wait for it, so there is a pause in which
        /// they go on.
        private func repeating<Result>(_ body: (ServerMigrator) throws -> Result) throws -> Result {
            let deadline = ContinuousClock.now + settings.timeout
            while true {
                do {
                    return try run(body)
                } catch let error as StoreError {
                    guard let failure = error.underlyingError as? PostgresFailure, failure.isContention else {
                        throw error
                    }
                    let pause = Duration.seconds(Double.random(in: 0.5...1))
                    guard ContinuousClock.now + pause < deadline else {
                        throw StoreError.busyServerStore(failure, in: namespace)
                    }
                    // On a thread that the caller does not wait for.
                    Thread.sleep(forTimeInterval: pause / .seconds(1))
                }
            }
        }

        /// Finds out, on another connection, whether a migration was committed, and is on disk: the store has the version then.
        /// The lock of the schema waits for the original, if it lives.
        private func lookUp(_ unknown: ServerMigrator.UnknownOutcome) throws -> MigrationPlan {
            let deadline = ContinuousClock.now + settings.lookUpTimeout
            var (call, commit) = (self, unknown.commit)
            // An interrupt comes too late.
            call.interrupt = nil
            while true {
                call.settings.timeout = ContinuousClock.now.duration(to: deadline)
                do {
                    if try call.repeating({ try $0.isMigrated() }) { return unknown.plan }
                } catch {
                    if let found = (error as? ServerMigrator.UnknownOutcome)?.commit {
                        commit = .init(failure: found.failure, isThere: true)
                    }
                    guard ContinuousClock.now + .seconds(1) < deadline else {
                        throw StoreError.unknownMigration(commit, error, in: namespace)
                    }
                    // The server may be starting.
                    Thread.sleep(forTimeInterval: 1)
                    continue
                }
                throw StoreError(failedMigrating: unknown.commit.failure, in: namespace)
            }
        }
    }
#endif
