/// **Value.** The model that a store or a compiled model file holds, as far as this library knows its parts.
package struct ArchivedModel: Sendable, Hashable {
    /// How large an archive may be: as large as a model file.
    package static let maximumByteCount = 16 << 20

    /// What the model describes.
    package var contents: ModelContents
    /// What the archive holds beyond that.
    package var omissions: [Omission]

    package init(contents: ModelContents, omissions: [Omission] = []) {
        self.contents = contents
        self.omissions = omissions
    }

    /// **Value.** A part of an archive that is of a class or a value that this library does not know. It never keeps a
    /// model from being read: what changes the stored form shows in the version hashes.
    package struct Omission: Sendable, Hashable, CustomStringConvertible {
        /// The entity concerned, where one is.
        package var entityName: String?
        /// The property concerned, where one is.
        package var propertyName: String?
        /// What was left out, in words.
        package var subject: String

        package var description: String {
            let place = [entityName, propertyName].compactMap(\.self).joined(separator: ".")
            return place.isEmpty ? subject : "\(place): \(subject)"
        }
    }
}
