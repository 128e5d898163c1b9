/// **Value.** The model in a store or a compiled model file, as far as this library knows its parts.
package struct ArchivedModel: Sendable, Hashable {
    /// The maximum size of an archive, equal to that of a model file.
    package static let maximumByteCount = 16 << 20

    package var contents: ModelContents
    /// The parts of the archive that are not in `contents`.
    package var omissions: [Omission]

    package init(contents: ModelContents, omissions: [Omission] = []) {
        self.contents = contents
        self.omissions = omissions
    }

    /// **Value.** A part of an archive with a class or a value that this library does not know. Omissions never prevent a
    /// model from being read: whatever changes the stored form changes the version hashes.
    package struct Omission: Sendable, Hashable, CustomStringConvertible {
        /// The entity concerned, if any.
        package var entityName: String?
        /// The property concerned, if any.
        package var propertyName: String?
        /// A description of the part that was left out.
        package var subject: String

        package var description: String {
            let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
            return place.isEmpty ? subject : "\(place): \(subject)"
        }
    }
}
