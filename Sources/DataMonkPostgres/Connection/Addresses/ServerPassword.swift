#if Postgres
    /// **Value.** A password that is not printed: not by `print`, not by `dump`, not as part of another value.
    package struct ServerPassword: Sendable, Hashable {
        /// The password itself. For the server's eyes only.
        package let text: String

        /// Creates a password.
        package init(_ text: String) { self.text = text }
    }

    extension ServerPassword: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
        package var description: String { "•••" }
        package var debugDescription: String { description }
        package var customMirror: Mirror { Mirror(self, children: [:]) }
    }
#endif
