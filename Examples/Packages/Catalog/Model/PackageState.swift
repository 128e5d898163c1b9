import DataMonk
import DebianPackages

/// **Value.** How a package came to be known.
enum PackageState: String, CaseIterable, ManagedAttribute {
    /// It is on the machine.
    case installed
    /// The list has a paragraph of it, but it is not installed.
    case listed
    /// It has no paragraph, but others provide it.
    case virtual
    /// It has no paragraph and nobody provides it; it is only named.
    case unknown

    init(_ node: PackageGraph.Node) {
        if let record = node.record {
            self = record.isInstalled ? .installed : .listed
        } else {
            self = node.isProvided ? .virtual : .unknown
        }
    }
}
