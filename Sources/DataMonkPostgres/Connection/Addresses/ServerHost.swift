#if Postgres
    /// **Value.** A machine that may run the server, or the folder of a server's Unix socket.
    package struct ServerHost: Sendable, Hashable {
        /// A name, a numeric address without brackets, or the path of a folder that contains the server's Unix socket.
        /// `nil` for libpq's default, whatever the environment says: the socket in the folder that it was built with.
        package var name: String?
        /// `nil` for libpq's default, 5432.
        package var port: UInt16?

        /// Creates a host.
        package init(name: String?, port: UInt16? = nil) {
            self.name = name
            self.port = port
        }

        /// A Boolean value indicating whether the name is a folder on this machine, or an abstract socket.
        package var isUnixSocket: Bool { name?.hasPrefix("/") ?? false || name?.hasPrefix("@") ?? false }
    }

    extension ServerHost: CustomStringConvertible {
        package var description: String {
            let name = name ?? ""
            let isAddress = name.contains(":")
            return (isAddress ? "[\(name)]" : name) + (port.map { ":\($0)" } ?? "")
        }
    }
#endif
