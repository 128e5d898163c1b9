package import DataMonkCore
package import Foundation

/// **Value.** The model inside a store: the contents of `Z_MODELCACHE`, an archive compressed with raw DEFLATE.
///
/// It makes a store self-describing: tools open it without a model file, and a migration always has its source model.
package enum ModelCache {
    /// Reads the bytes of `Z_CONTENT`.
    ///
    /// - Throws: ``RawDeflate/Failure``, ``PropertyListError``, ``KeyedArchiveError`` for damaged bytes.
    package static func read(_ data: Data) throws -> ArchivedModel {
        try ModelArchiveReader.read(RawDeflate.inflate(data, limit: ArchivedModel.maximumByteCount))
    }

    /// Returns the bytes for `Z_CONTENT`.
    package static func data(for model: ManagedObjectModel) throws -> Data {
        try RawDeflate.deflate(ModelArchiveWriter.archive(of: model))
    }
}
