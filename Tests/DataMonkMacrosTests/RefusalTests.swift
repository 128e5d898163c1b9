#if Macros
    import Testing

    @Suite struct `What the macros refuse` {
        @Test(arguments: Refusal.classes)
        func `a class that cannot be an entity's`(refusal: Refusal) { check(refusal) }

        @Test(arguments: Refusal.properties)
        func `a property that cannot be kept`(refusal: Refusal) { check(refusal) }

        @Test(arguments: Refusal.relationships)
        func `a relationship that cannot be`(refusal: Refusal) { check(refusal) }

        @Test(arguments: Refusal.types)
        func `a type or an option that no attribute has`(refusal: Refusal) { check(refusal) }

        @Test(arguments: Refusal.names)
        func `a name that nothing has`(refusal: Refusal) { check(refusal) }

        @Test func `regular expressions with brackets that are closed, or no brackets, are left alone`() {
            for pattern in [
                #"[(]\)"#, #"(a|[)])"#, #"\[x\("#, "[a-z]+", "[a[(]b]", "[a[(]&&[b(]]", #"\Q(\E"#, "[](]", "(?x) a # (",
            ] {
                let source =
                    "@Entity class A: ManagedObject { @Attribute(.regularExpression(#\"\(pattern)\"#)) var a: String? }"
                #expect(Expansion(source).problems == [], "\(pattern)")
            }
        }

        @Test(arguments: Refusal.markers)
        func `a macro in the wrong place`(refusal: Refusal) { check(refusal) }

        @Test func `one faulty property does not make the others faulty`() {
            let source = """
                @Entity class Person: ManagedObject {
                    let age: Int = 0
                    var name: String = ""
                }
                """
            let expansion = Expansion(source)
            #expect(expansion.problems == ["constant"])
            #expect(expansion.expanded.contains("property(at: 1)"))
        }

        @Test func `a class of the application's own that is named Object can be a superclass`() {
            #expect(Expansion("@Entity class Person: Object { var age: Int = 0 }").problems == [])
        }

        @Test func `a generic class without a superclass has no correction that leaves it generic`() {
            let expansion = Expansion("@Entity class Box<T> {}")
            #expect(expansion.problems == ["noSuperclass", "generic"])
            #expect(expansion.fixed == nil)
        }

        @Test func `an initializer that the engine requires is allowed`() {
            let source =
                "@Entity class Person: ManagedObject { required init(_ seed: ObjectSeed) { super.init(seed) } }"
            #expect(Expansion(source).problems == [])
        }

        private func check(_ refusal: Refusal) {
            let expansion = Expansion(refusal.source)
            #expect(expansion.problems == [refusal.problem])
            for name in refusal.names { #expect(expansion.message.contains(name)) }
            #expect(expansion.fixed == refusal.fixed)
            guard let fixed = expansion.fixed else { return }
            // What is left to complain of would be a fix-it that does not help.
            #expect(Expansion(fixed).problems == [], "\(fixed)")
        }
    }
#endif
