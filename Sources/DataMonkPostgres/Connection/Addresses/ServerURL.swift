#if Postgres
    /// **Value.** The address of a PostgreSQL server, and the parameters of connections to it.
    ///
    /// ```swift
    /// let url = try ServerURL("postgresql://app:secret@db.example.com:5432/shop?sslmode=verify-full")
    /// ```
    /// It is parsed here because libpq's message about a malformed URL repeats the URL with its password. Descriptions,
    /// mirrors and errors contain neither user nor password nor values of parameters.
    package struct ServerURL: Sendable, Hashable {
        /// The hosts in the order in which they are tried. At least one.
        package var hosts: [ServerHost]
        /// `nil` for libpq's default: the database named as the user.
        package var database: String?
        /// `nil` for libpq's default: the user of this process.
        package var user: String?
        /// `nil` for libpq's default: the password file, or none.
        package var password: ServerPassword?
        /// The other parameters by libpq's names: `sslmode`, `application_name`, ….
        package var parameters: [String: String]

        /// Creates an address from its parts. The hosts must not be empty.
        package init(
            hosts: [ServerHost], database: String? = nil, user: String? = nil, password: ServerPassword? = nil,
            parameters: [String: String] = [:]
        ) {
            precondition(!hosts.isEmpty, "A server has a host")
            self.hosts = hosts
            self.database = database
            self.user = user
            self.password = password
            self.parameters = parameters
        }

        /// The values that must appear in no output.
        var secrets: [String] {
            [password?.text, parameters["sslpassword"]].compactMap { $0 }.filter { !$0.isEmpty }
        }
    }

    extension ServerURL: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        package var description: String {
            "postgresql://" + hosts.map(\.description).joined(separator: ",") + "/" + (database ?? "")
        }

        package var debugDescription: String { description }
        package var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
