public import DataMonkCore

// `.caseInsensitive` ignores case, `.diacriticInsensitive` ignores diacritics.
extension TypedKey where Value == String {
    /// Options for comparing strings.
    public typealias Options = Condition.Comparison.Options

    /// Matches strings that are equal under the options: `$0.name.equals("MONK", .caseInsensitive)`. `==[c]`
    public func equals(_ text: String, _ options: Options) -> Query { compare(.equal, text.constant, options) }

    /// Matches strings that start with another string. No string starts with the empty string. `BEGINSWITH`
    public func begins(with text: String, _ options: Options = []) -> Query {
        compare(.beginsWith, text.constant, options)
    }

    /// Matches strings that start with another key's value. `BEGINSWITH`
    public func begins<Other>(with other: TypedKey<String, Other>, _ options: Options = []) -> Query {
        compare(.beginsWith, other.expression, options)
    }

    /// Matches strings that end with another string. No string ends with the empty string. `ENDSWITH`
    public func ends(with text: String, _ options: Options = []) -> Query { compare(.endsWith, text.constant, options) }

    /// Matches strings that end with another key's value. `ENDSWITH`
    public func ends<Other>(with other: TypedKey<String, Other>, _ options: Options = []) -> Query {
        compare(.endsWith, other.expression, options)
    }

    /// Matches strings that contain another string. No string contains the empty string. `CONTAINS`
    public func contains(_ text: String, _ options: Options = []) -> Query {
        compare(.contains, text.constant, options)
    }

    /// Matches strings that contain another key's value. `CONTAINS`
    public func contains<Other>(_ other: TypedKey<String, Other>, _ options: Options = []) -> Query {
        compare(.contains, other.expression, options)
    }

    /// Matches a pattern in which `*` stands for any text and `?` for any character; `\` escapes the next character. `LIKE`
    public func like(_ pattern: String, _ options: Options = []) -> Query { compare(.like, pattern.constant, options) }

    /// Matches a regular expression against the whole string. `MATCHES`
    public func matches(_ pattern: String, _ options: Options = []) -> Query {
        compare(.matches, pattern.constant, options)
    }

    /// The number of characters in the string; `nil` for `nil`.
    public var length: TypedKey<Int, Int?> { TypedKey<Int, Int?>(.function(.length, [expression])) }

    /// The string in uppercase.
    public var uppercased: TypedKey { TypedKey(.function(.uppercase, [expression])) }

    /// The string in lowercase.
    public var lowercased: TypedKey { TypedKey(.function(.lowercase, [expression])) }
}
