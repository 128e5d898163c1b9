#if Postgres
    import Foundation
    import SystemPostgres

    /// **Confined.** A connection by libpq, without DataMonk.
    final class LibpqConnection {
        /// **Value.** A part of a pipeline.
        enum Step {
            /// A statement, with the types of its parameters and their values as text.
            case statement(String, [(type: Oid, value: String)] = [])
            /// A statement that was prepared, with the values of its parameters.
            case prepared(String, [String])
            /// The end of a part that fails as a whole.
            case synchronization
        }

        private let handle: OpaquePointer

        init(_ url: String) throws {
            guard let handle = PQconnectdb(url) else { throw Failure("No memory.") }
            self.handle = handle
            guard PQstatus(handle) == CONNECTION_OK else { throw failure }
        }

        deinit { PQfinish(handle) }

        private var failure: Failure { Failure(String(cString: PQerrorMessage(handle))) }

        /// Runs a statement. Returns the values of the first column.
        @discardableResult
        func column(_ sql: String) throws -> [String] {
            let result = PQexec(handle, sql)
            defer { PQclear(result) }
            try check(result)
            return (0..<PQntuples(result)).map { String(cString: PQgetvalue(result, $0, 0)) }
        }

        /// Runs a statement. Returns its first value as a number.
        func number(_ sql: String) throws -> Int {
            guard let number = try column(sql).first.flatMap({ Int($0) }) else { throw Failure("No number: \(sql)") }
            return number
        }

        func prepare(_ name: String, _ sql: String, _ types: [Oid]) throws {
            let result = PQprepare(handle, name, sql, Int32(types.count), types)
            defer { PQclear(result) }
            try check(result)
        }

        // MARK: Pipelines

        /// Runs statements in one round trip.
        func run(_ pipeline: [Step]) throws {
            guard PQenterPipelineMode(handle) == 1 else { throw failure }
            for step in pipeline where !send(step) { throw failure }
            for step in pipeline {
                if case .synchronization = step {
                    try take { $0 == PGRES_PIPELINE_SYNC }
                } else {
                    try take { $0 == PGRES_TUPLES_OK || $0 == PGRES_COMMAND_OK }
                    // The end of the statement's results.
                    guard PQgetResult(handle) == nil else { throw failure }
                }
            }
            guard PQexitPipelineMode(handle) == 1 else { throw failure }
        }

        private func send(_ step: Step) -> Bool {
            switch step {
            case .statement(let sql, let parameters):
                Self.withPointers(to: parameters.map(\.value)) { values in
                    PQsendQueryParams(
                        handle, sql, Int32(values.count), parameters.map(\.type), values, nil, nil, 0) == 1
                }
            case .prepared(let name, let values):
                Self.withPointers(to: values) { values in
                    PQsendQueryPrepared(handle, name, Int32(values.count), values, nil, nil, 0) == 1
                }
            case .synchronization: PQpipelineSync(handle) == 1
            }
        }

        /// Calls a closure with the addresses of texts, which are gone afterwards.
        private static func withPointers<Result>(
            to texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
        ) -> Result {
            let copies = texts.map { strdup($0) }
            defer { for copy in copies { free(copy) } }
            return body(copies.map { UnsafePointer($0) })
        }

        private func take(_ isExpected: (ExecStatusType) -> Bool) throws {
            let result = PQgetResult(handle)
            defer { PQclear(result) }
            if !isExpected(PQresultStatus(result)) { throw failure }
        }

        private func check(_ result: OpaquePointer?) throws {
            let status = PQresultStatus(result)
            if status != PGRES_TUPLES_OK, status != PGRES_COMMAND_OK { throw failure }
        }
    }
#endif
