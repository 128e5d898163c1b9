import ArgumentParser
import DataMonkCommands

/// **Value.** The program. All of it is in the library, where tests reach it.
@main
struct DataMonkProgram {
    static func main() { DataMonkCommand.main() }
}
