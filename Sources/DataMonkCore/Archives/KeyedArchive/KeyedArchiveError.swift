/// **Value.** Why a property list is no keyed archive that we accept.
package struct KeyedArchiveError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// It lacks what every archive has.
        case notAnArchive
        /// A version that no archiver has written so far.
        case unknownVersion
        /// A reference to an object that is not there.
        case danglingReference
        /// An object that does not say of which class it is.
        case objectWithoutClass
        /// More steps than ``KeyedArchive/maximumSteps``.
        case tooMuchWork
        /// Objects inside objects, deeper than any sensible archive has them.
        case tooDeep
        /// The object that was archived is of another class than it should be.
        case unexpectedRoot
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}
