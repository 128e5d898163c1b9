import DataMonkCore
import Foundation
import Testing

struct AttributeValidationTests {
    private func kinds(_ attribute: AttributeDescription) -> [ModelError.Problem.Kind] {
        ModelProblem.found {
            EntityDescription("Person") {
                attribute
                AttributeDescription("name", .string)
            }
        }.map(\.kind)
    }

    @Test func `a stored attribute has a type`() {
        #expect(kinds(AttributeDescription("a", .undefined)) == [.invalidType])
        #expect(kinds(AttributeDescription("a", .undefined, isTransient: true)).isEmpty)
    }

    @Test func `a store keeps no object ids in attributes`() {
        #expect(kinds(AttributeDescription("a", .objectID)) == [.invalidType])
    }

    @Test func `a composite has elements, and nothing else has`() {
        #expect(kinds(AttributeDescription("a", .composite)) == [.invalidType])
        let element = AttributeDescription("street", .string)
        #expect(kinds(AttributeDescription("a", .string, elements: [element])) == [.invalidType])
        #expect(kinds(AttributeDescription("a", .composite, elements: [element])).isEmpty)
    }

    @Test func `an element is a plain stored attribute with a name of its own`() {
        let transient = AttributeDescription("x", .string, isTransient: true)
        #expect(kinds(AttributeDescription("a", .composite, elements: [transient])) == [.invalidType])
        let twice = [AttributeDescription("x", .string), AttributeDescription("X", .string)]
        #expect(kinds(AttributeDescription("a", .composite, elements: twice)) == [.duplicateName])
    }

    @Test(arguments: [
        AttributeDescription("a", .string, defaultValue: 1), AttributeDescription("a", .integer16, defaultValue: "1"),
        AttributeDescription("a", .integer16, defaultValue: 32_768),
        AttributeDescription("a", .boolean, defaultValue: 1),
        AttributeDescription("a", .integer32, defaultValue: .int(1 << 31)),
        AttributeDescription("a", .double, defaultValue: .double(.nan)),
        AttributeDescription("a", .float, defaultValue: .double(1e300)),
        AttributeDescription("a", .date, defaultValue: 0), AttributeDescription("a", .uri, defaultValue: "x:y"),
    ])
    func `a default of another type or out of range is refused`(attribute: AttributeDescription) {
        #expect(kinds(attribute) == [.invalidDefault])
    }

    @Test(arguments: [
        AttributeDescription("a", .string, defaultValue: "x"), AttributeDescription("a", .double, defaultValue: 1),
        AttributeDescription("a", .integer16, defaultValue: -32_768),
        AttributeDescription("a", .decimal, defaultValue: .decimal(Decimal(1))),
        AttributeDescription("a", .boolean, defaultValue: true),
        AttributeDescription("a", .uuid, defaultValue: .uuid(UUID())),
        AttributeDescription("a", .binary, defaultValue: .data(Data())),
        AttributeDescription("a", .date, defaultValue: .date(.distantPast)),
    ])
    func `a default of the right type is taken`(attribute: AttributeDescription) {
        #expect(kinds(attribute).isEmpty)
    }

    @Test func `bounds are of the attribute's type, lengths for strings, and in order`() {
        #expect(kinds(AttributeDescription("a", .string, minimum: "x")) == [.invalidBounds])
        #expect(kinds(AttributeDescription("a", .string, minimum: 1, maximum: 5)).isEmpty)
        #expect(kinds(AttributeDescription("a", .boolean, minimum: false)) == [.invalidBounds])
        #expect(kinds(AttributeDescription("a", .integer16, minimum: 5, maximum: 1)) == [.invalidBounds])
        #expect(kinds(AttributeDescription("a", .integer16, defaultValue: 0, minimum: 1)).isEmpty)
    }

    @Test func `a regular expression can be read, and is for strings`() {
        #expect(kinds(AttributeDescription("a", .string, regularExpression: "(")) == [.invalidRegularExpression])
        #expect(kinds(AttributeDescription("a", .integer16, regularExpression: "x")) == [.invalidOption])
    }

    @Test func `only bytes go to files of their own`() {
        #expect(kinds(AttributeDescription("a", .string, allowsExternalBinaryDataStorage: true)) == [.invalidOption])
        #expect(kinds(AttributeDescription("a", .binary, allowsExternalBinaryDataStorage: true)).isEmpty)
    }

    @Test func `a transient attribute is not indexed`() {
        #expect(kinds(AttributeDescription("a", .string, isTransient: true, isIndexed: true)) == [.invalidIndex])
    }

    @Test(arguments: ["name", "canonical:(name)", "now()", "name.length"])
    func `a derivation starts from a property`(expression: String) {
        #expect(kinds(AttributeDescription("a", .string, derivationExpression: expression)).isEmpty)
    }

    @Test func `a derivation from nothing, transient, or with a default is refused`() {
        #expect(kinds(AttributeDescription("a", .string, derivationExpression: "")) == [.invalidDerivation])
        #expect(kinds(AttributeDescription("a", .string, derivationExpression: "nam")) == [.invalidDerivation])
        #expect(
            kinds(AttributeDescription("a", .string, isTransient: true, derivationExpression: "name"))
                == [.invalidDerivation])
        #expect(
            kinds(AttributeDescription("a", .string, defaultValue: "x", derivationExpression: "name"))
                == [.invalidDerivation])
    }
}
