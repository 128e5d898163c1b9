public import Foundation

// Results are addressed by Foundation's own type: it is what tables and collection views speak, `[0, 1]` is one, and two
// indexes lie in it without an allocation.
extension IndexPath {
    /// The place of an object: its section's, and its own in there.
    init(_ position: ResultPosition) { self = [position.section, position.item] }
}

#if !canImport(UIKit) && !canImport(AppKit)
    extension IndexPath {
        /// The place of an object in a section. UIKit and AppKit bring the same.
        public init(item: Int, section: Int) { self = [section, item] }

        /// The section's place, the first index.
        public var section: Int { self[0] }

        /// The object's place in its section, the second index.
        public var item: Int { self[1] }
    }
#endif

/// **Value.** Where an object stands in a list.
struct ResultPosition: Hashable, Comparable, Sendable {
    let section: Int
    let item: Int

    static func < (left: ResultPosition, right: ResultPosition) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}
