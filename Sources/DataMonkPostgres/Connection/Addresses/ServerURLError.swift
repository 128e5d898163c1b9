#if Postgres
    /// **Value.** The reason why a text is not the URL of a PostgreSQL server.
    ///
    /// It never repeats any part of the text, since a mistake in a URL may put the password anywhere. Only names from
    /// PostgreSQL's own list of parameters are repeated.
    package enum ServerURLError: Error, Sendable, Hashable {
        /// The parts of a URL.
        package enum Part: String, Sendable, Hashable {
            case user, password, host, port, database, parameter
        }

        /// The text does not begin with `postgresql://` or `postgres://`.
        case otherScheme
        /// A space, a control character, a second `@`, or one of `#`, `@`, `?`, `[` and `]` where it has no meaning.
        case unencodedCharacter
        /// A `%` without two hexadecimal digits, an encoded NUL, or bytes that are not UTF-8.
        case invalidPercentEncoding(Part)
        /// The port is no number from 1 to 65535.
        case invalidPort
        /// The host is empty where it must not be, or an address in brackets is incomplete.
        case invalidHost
        /// There are several hosts, and neither one port nor as many ports.
        case portsDoNotMatchHosts
        /// The parameter at this place, from 1, is not one of PostgreSQL's.
        case unknownParameter(number: Int)
        /// The parameter is PostgreSQL's, but a store cannot work with it.
        case unsupportedParameter(String)
        case repeatedParameter(String)
        case invalidValue(parameter: String)
    }

    extension ServerURLError: CustomStringConvertible {
        package var description: String {
            switch self {
            case .otherScheme:
                "Expected the URL of a PostgreSQL server. Begin it with postgresql://."
            case .unencodedCharacter:
                "The URL contains a character that has another meaning there. Percent-encode special characters in user, "
                    + "password and database: @ is %40, / is %2F, : is %3A, ? is %3F, # is %23."
            case .invalidPercentEncoding(let part):
                "The \(part.rawValue) in the URL is not percent-encoded UTF-8 without NUL. Write a % itself as %25."
            case .invalidPort:
                "The port in the URL is no number from 1 to 65535. Correct it; if it is a part of the password, "
                    + "percent-encode the password."
            case .invalidHost:
                "A host in the URL is incomplete. Write a name, an address, [an IPv6 address], or a percent-encoded folder."
            case .portsDoNotMatchHosts:
                "The numbers of hosts and ports in the URL differ. Give one port, or one for each host."
            case .unknownParameter(let number):
                "Parameter \(number) of the URL is unknown to PostgreSQL. Correct its name."
            case .unsupportedParameter(let name):
                "The URL sets \(name), which a store does not support. Remove it."
            case .repeatedParameter(let name):
                "The URL sets \(name) more than once. Keep one."
            case .invalidValue(let name):
                "The value of \(name) in the URL is not valid. Use one that PostgreSQL's manual lists."
            }
        }
    }
#endif
