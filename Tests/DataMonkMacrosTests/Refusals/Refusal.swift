#if Macros
    import Testing

    /// **Value.** A declaration that cannot work, the problem it has, and the source after the fix-it.
    struct Refusal: CustomTestStringConvertible {
        let problem: String
        let source: String
        /// What the message must name: the thing and the remedy.
        let names: [String]
        let fixed: String?

        static var all: [Refusal] { classes + markers + properties + relationships + types + names }

        init(_ problem: String, _ source: String, names: [String], fixed: String? = nil) {
            self.problem = problem
            self.source = source
            self.names = names
            self.fixed = fixed
        }

        /// A property of the entity class `Person`.
        static func property(
            _ problem: String, _ source: String, names: [String], fixed: String? = nil
        ) -> Refusal {
            func inClass(_ text: String) -> String { "@Entity class Person: ManagedObject {\n    \(text)\n}" }
            return Refusal(problem, inClass(source), names: names, fixed: fixed.map(inClass))
        }

        var testDescription: String { "\(problem): \(source)" }
    }
#endif
