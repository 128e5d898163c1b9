#if Postgres
    extension PostgresFailure {
        static var deadlinePassedOpening: PostgresFailure {
            PostgresFailure(
                .deadlinePassed, message: "The server did not answer in time. Check that it runs and can be reached.")
        }

        static var interruptedOpening: PostgresFailure {
            PostgresFailure(.interrupted, message: "The connection was no longer wanted. Open it again when it is.")
        }

        /// A Boolean value indicating whether a host has answered, and refuses this user, this database or this library.
        ///
        /// Other hosts are tried all the same: a former primary is made to refuse everybody, or set up anew without the role or
        /// the database, and must not keep processes away from the one that has taken its place. That holds for a refused
        /// password, too. With SCRAM, it is the answer to a role that does not exist, and a former primary does not learn of a
        /// new password. The URL means the password for each of its hosts, so a wrong one is refused once by each.
        var isRefusal: Bool { kind == .unsuitableServer || isAuthenticationRefused || isUnknownDatabase }

        /// A Boolean value indicating whether the server is no standby, although one was asked for. libpq has no code for it.
        var isOtherThanStandby: Bool { kind == .opening && message.hasSuffix("server is not in hot standby mode") }

        /// Creates the failure of an opening from libpq's message, which has been asked to contain codes: libpq has no
        /// other way to tell them while a connection is being opened.
        ///
        ///     connection to server at "db", port 5432 failed: FATAL:  28P01: password authentication failed for user "app"
        ///     LOCATION:  auth_failed, auth.c:326
        ///
        /// The name of the severity is in the server's language. Two spaces and the code follow it always.
        init(openingMessage text: String, secrets: [String]) {
            let lines = text.split(whereSeparator: \.isNewline)
            self.init(.opening, message: lines.first.map(String.init) ?? "The connection could not be opened.")
            // The last one: libpq tries with and without encryption, and appends the second message.
            for line in lines {
                guard let match = line.firstMatch(of: /:  ([0-9A-Z]{5}): (.*)$/) else { continue }
                sqlState = String(match.1)
                message = String(match.2)
            }
            // "too many connections for role" names the user, too.
            if isAuthenticationRefused || sqlState == "53300" { message = Self.withoutQuotes(message) }
            // Not replaced in place: a short password would leave gaps that tell it.
            if secrets.contains(where: { !$0.isEmpty && message.contains($0) }) {
                message =
                    "The connection could not be opened. The server's reason repeats a password, so it is not shown."
            }
        }
    }
#endif
