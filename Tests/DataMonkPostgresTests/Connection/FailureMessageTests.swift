#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Messages of servers, which must not repeat values.
    @Suite struct FailureMessageTests {
        @Test(arguments: [
            "invalid input syntax for type integer: \"secret\"", "date out of range: \"a \"secret\" b\"",
            "ungültige Eingabesyntax für Typ integer: »secret«", "syntaxe en entrée invalide : « secret »",
            "неверный синтаксис для типа integer: \"secret\"", "la sintaxis no es válida: «secret \"secret\"»",
        ])
        func `no language's message repeats a value`(message: String) {
            #expect(!PostgresFailure.withoutQuotes(message).contains("secret"))
        }

        @Test(arguments: [
            ("invalid input syntax for type integer: \"x\"", "invalid input syntax for type integer: \"…\""),
            ("division by zero", "division by zero"), ("value \"1\" is out of range", "value \"…\" is out of range"),
        ])
        func `what is said in English beside the value stays`(message: String, rest: String) {
            #expect(PostgresFailure.withoutQuotes(message) == rest)
        }

        @Test(arguments: [("Connection refused", "Connection refused."), ("Is it running?", "Is it running?")])
        func `is followed by a remedy only as a sentence`(message: String, sentence: String) {
            #expect(PostgresFailure(.opening, message: message).sentence == sentence)
        }

        @Test func `a report repeats the message of its reason alone`() {
            let namespace = ServerNamespace(name: "items")
            let failure = PostgresFailure(.connectionLost, message: "Connection reset")
            let reasons: [(any Error, String)] = [
                (StoreError(.fileMoved, "It moved.", underlyingError: failure), "\"items\": It moved. Check"),
                (POSIXError(.EMFILE), "\"items\": Too many open files. Check"),
                (failure, "\"items\": Connection reset. Check"),
            ]
            for (reason, text) in reasons {
                #expect(StoreError.failedListening(reason, in: namespace).message.contains(text))
            }
        }
    }
#endif
