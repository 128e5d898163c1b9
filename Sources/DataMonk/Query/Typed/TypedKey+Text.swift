public import DataMonkCore

// With `.caseInsensitive` capital and small letters are equal, with `.diacriticInsensitive` letters with and without marks.
extension TypedKey where Value == String {
    /// How texts are compared.
    public typealias Options = Condition.Comparison.Options

    /// Equal under the options: `$0.name.equals("MONK", .caseInsensitive)`. `==[c]`
    public func equals(_ text: String, _ options: Options) -> Query { compare(.equal, text.constant, options) }

    /// The text starts with another one; none starts with the empty one. `BEGINSWITH`
    public func begins(with text: String, _ options: Options = []) -> Query {
        compare(.beginsWith, text.constant, options)
    }

    /// The text starts with another key's. `BEGINSWITH`
    public func begins<Other>(with other: TypedKey<String, Other>, _ options: Options = []) -> Query {
        compare(.beginsWith, other.expression, options)
    }

    /// The text ends with another one; none ends with the empty one. `ENDSWITH`
    public func ends(with text: String, _ options: Options = []) -> Query { compare(.endsWith, text.constant, options) }

    /// The text ends with another key's. `ENDSWITH`
    public func ends<Other>(with other: TypedKey<String, Other>, _ options: Options = []) -> Query {
        compare(.endsWith, other.expression, options)
    }

    /// The text has another one in it; none has the empty one. `CONTAINS`
    public func contains(_ text: String, _ options: Options = []) -> Query {
        compare(.contains, text.constant, options)
    }

    /// The text has another key's in it. `CONTAINS`
    public func contains<Other>(_ other: TypedKey<String, Other>, _ options: Options = []) -> Query {
        compare(.contains, other.expression, options)
    }

    /// The text has a form in which `*` stands for any text and `?` for one character; `\` takes the next as it is. `LIKE`
    public func like(_ pattern: String, _ options: Options = []) -> Query { compare(.like, pattern.constant, options) }

    /// A regular expression takes the text as a whole. `MATCHES`
    public func matches(_ pattern: String, _ options: Options = []) -> Query {
        compare(.matches, pattern.constant, options)
    }

    /// How many characters the text has; nil for nil.
    public var length: TypedKey<Int, Int?> { TypedKey<Int, Int?>(.function(.length, [expression])) }

    /// The text in capital letters.
    public var uppercased: TypedKey { TypedKey(.function(.uppercase, [expression])) }

    /// The text in small letters.
    public var lowercased: TypedKey { TypedKey(.function(.lowercase, [expression])) }
}
