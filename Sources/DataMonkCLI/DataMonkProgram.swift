import ArgumentParser
import DataMonkCommands

/// **Value.** The program. All of its code is in the library, where tests can reach it.
@main
struct DataMonkProgram {
    static func main() async {
        StandardStream.reserve()
        await Interruption.cancelling { await DataMonkCommand.main() }
    }
}
