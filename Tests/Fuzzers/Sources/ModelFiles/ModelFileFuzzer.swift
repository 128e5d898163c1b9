import DataMonk
import Foundation
import FuzzStage

@main enum ModelFileFuzzer {
    static func main() { FuzzDriver.run(fuzzModelFile) }
}

private let folder = FuzzFolder("models")

/// A model file is refused, or is a model of which a store can be made.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModelFile(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FuzzInput(bytes, count).run { input in
        let file = try folder.write(input.data, to: "Notes.xcdatamodel/contents")
        let model = try ManagedObjectModel.load(contentsOf: file.deletingLastPathComponent())
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: folder.url.appending(path: "Notes.sqlite"), synchronous: .normal)
        try stack.close()
    }
}
