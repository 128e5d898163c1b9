package import Foundation

/// **Value.** A constant of a statement, in the form that a driver binds.
package enum SQLBinding: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}
