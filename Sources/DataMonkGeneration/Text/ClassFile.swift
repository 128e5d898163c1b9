/// **Value.** The file with an entity's class, which is written once and then yours.
struct ClassFile {
    let plan: GeneratedClass
    let names: SwiftNames
    let access: ClassAccess

    /// The text of the file.
    var text: String {
        var text = SwiftText()
        text.line("\(access.prefix)import DataMonk")
        text.line()
        write(to: &text)
        return text.text
    }

    /// Adds the class.
    func write(to text: inout SwiftText) {
        let name = SwiftNames.identifier(plan.name)
        let superclass = plan.superclass.map(SwiftNames.identifier) ?? names.type("ManagedObject")
        let type = names.type("EntityDeclaration")
        text.documentation(plan.documentation)
        text.block("\(access.prefix)\(plan.isLeaf ? "final " : "")class \(name): \(superclass)") { text in
            text.documentation("The declaration of the entity, which is generated with the properties.")
            text.block("\(access.prefix)override nonisolated class var entityDeclaration: \(type)?") { text in
                text.line("declareEntity(of: \(name).self)")
            }
            text.line()
            text.documentation("The names of the properties by key path, which are generated with them.")
            let names = "[\(names.type("AnyKeyPath")): \(names.type("String"))]"
            text.block("\(access.prefix)override nonisolated class var keyNames: \(names)") { text in
                text.line("collectKeyNames(of: \(name).self)")
            }
        }
    }
}
