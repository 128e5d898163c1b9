import Foundation

/// **Value.** libFuzzer, which is linked into each program that is compiled with `-sanitize=fuzzer`.
public enum FuzzDriver {
    /// A function that is called with each input.
    public typealias Body = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt

    /// Runs a fuzzer with the program's arguments, until one of them ends it or the fuzzer finds something.
    ///
    /// libFuzzer has a `main` of its own, which looks for a function named `LLVMFuzzerTestOneInput`. It is not used: the
    /// package manager gives the main function of each program another name.
    public static func run(_ body: Body) -> Never {
        var count = CommandLine.argc
        var arguments = CommandLine.unsafeArgv
        exit(runDriver(&count, &arguments, body))
    }
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>, _ body: FuzzDriver.Body
) -> CInt
