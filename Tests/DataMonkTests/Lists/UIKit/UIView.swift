// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// A stand-in of the parts of UIKit that DataMonk's providers use, with UIKit's declarations, in the files of this folder.
// Its views check each batch as UIKit's do, and stop the program where those would. `UIKitTests` compiles it as a module
// named UIKit.
@_exported import Foundation

@MainActor open class UIView: NSObject {}

@MainActor open class UITableViewCell: UIView {
    public enum EditingStyle: Int { case none, delete, insert }
    public let textLabel: UILabel? = UILabel()
}

@MainActor open class UILabel: UIView {
    open var text: String?
}
