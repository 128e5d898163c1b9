package import DataMonkCore
package import Foundation

/// **Value.** The model inside a store: what `Z_MODELCACHE` holds, an archive compressed by raw DEFLATE.
///
/// It makes a store self-describing: a tool opens it without a model file, and a migration never misses its source.
package enum ModelCache {
    /// Reads the bytes of `Z_CONTENT`.
    ///
    /// - Throws: ``RawDeflate/Failure``, ``PropertyListError``, ``KeyedArchiveError`` for damaged bytes.
    package static func read(_ data: Data) throws -> ArchivedModel {
        try ModelArchiveReader.read(RawDeflate.inflate(data, limit: ArchivedModel.maximumByteCount))
    }

    /// The bytes for `Z_CONTENT`.
    package static func data(for model: ManagedObjectModel) throws -> Data {
        try RawDeflate.deflate(ModelArchiveWriter.archive(of: model))
    }
}
