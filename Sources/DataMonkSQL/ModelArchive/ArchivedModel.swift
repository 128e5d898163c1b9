package import DataMonkCore
package import Foundation

/// **Value.** The model that a store or a compiled model file holds, as far as this library knows its parts.
package struct ArchivedModel: Sendable, Hashable {
    /// What the model describes.
    package var contents: ModelContents
    /// What the archive holds beyond that.
    package var omissions: [Omission]

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

/// **Value.** The model inside a store: what `Z_MODELCACHE` holds, an archive compressed by raw DEFLATE.
///
/// It makes a store self-describing: a tool opens it without a model file, and a migration never misses its source.
package enum ModelCache {
    /// How large an archive may be: as large as a model file.
    private static let maximumArchiveSize = 16 << 20

    /// Reads the bytes of `Z_CONTENT`.
    ///
    /// - Throws: ``RawDeflate/Failure``, ``PropertyListError``, ``KeyedArchiveError`` for damaged bytes.
    package static func read(_ data: Data) throws -> ArchivedModel {
        try ModelArchiveReader.read(RawDeflate.inflate(data, limit: maximumArchiveSize))
    }

    /// The bytes for `Z_CONTENT`.
    package static func data(for model: ManagedObjectModel) throws -> Data {
        try RawDeflate.deflate(ModelArchiveWriter.archive(of: model))
    }
}
