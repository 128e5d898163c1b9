import ArgumentParser
import PackageCatalog

/// The program. All of it is in the library, where tests reach it.
@main
struct Packages {
    static func main() async {
        await PackagesCommand.main()
    }
}
