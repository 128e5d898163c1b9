/// **Value.** The reason why a property list is not an acceptable keyed archive.
package struct KeyedArchiveError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// A part that every archive has is missing.
        case notAnArchive
        /// The version is one that no archiver has written so far.
        case unknownVersion
        /// A reference leads to an object that does not exist.
        case danglingReference
        /// An object does not name its class.
        case objectWithoutClass
        /// Reading takes more steps than ``KeyedArchive/maximumSteps``.
        case tooMuchWork
        /// Objects are nested more deeply than in any sensible archive.
        case tooDeep
        /// The archived object is of an unexpected class.
        case unexpectedRoot
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}
