/// Stops the program for a mistake of the code that calls the library, with an explanation.
package func stopProgram(_ explanation: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
    // No precondition: in optimized builds that stops without a word.
    fatalError(explanation, file: file, line: line)
}
