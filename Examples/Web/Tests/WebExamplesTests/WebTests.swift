import Testing

/// The tests that start programs, one at a time: Foundation lets a program inherit the pipe by which it would hear of the
/// end of another one that is started at the same moment.
@Suite(.serialized) struct WebTests {}
