public import DataMonkCore

// `.caseInsensitive` ignores case, `.diacriticInsensitive` ignores diacritics.
extension TypedKey where Value == String {
    /// Options for comparing strings.
    public typealias Options = Condition.Comparison.Options

    /// Matches strings that are equal under the options: `$0.name.equals("MONK", .caseInsensitive)`. `==[c]`
    public func equals(_ text: String, options: Options) -> Query {
        compare(.equal, to: text.constant, options: options)
    }

    /// Matches strings that start with another string. No string starts with the empty string. `BEGINSWITH`
    public func begins(with text: String, options: Options = []) -> Query {
        compare(.beginsWith, to: text.constant, options: options)
    }

    /// Matches strings that start with another key's value. `BEGINSWITH`
    public func begins<Other>(with other: TypedKey<String, Other>, options: Options = []) -> Query {
        compare(.beginsWith, to: other.expression, options: options)
    }

    /// Matches strings that end with another string. No string ends with the empty string. `ENDSWITH`
    public func ends(with text: String, options: Options = []) -> Query {
        compare(.endsWith, to: text.constant, options: options)
    }

    /// Matches strings that end with another key's value. `ENDSWITH`
    public func ends<Other>(with other: TypedKey<String, Other>, options: Options = []) -> Query {
        compare(.endsWith, to: other.expression, options: options)
    }

    /// Matches strings that contain another string. No string contains the empty string. `CONTAINS`
    public func contains(_ text: String, options: Options = []) -> Query {
        compare(.contains, to: text.constant, options: options)
    }

    /// Matches strings that contain another key's value. `CONTAINS`
    public func contains<Other>(_ other: TypedKey<String, Other>, options: Options = []) -> Query {
        compare(.contains, to: other.expression, options: options)
    }

    /// Matches a pattern in which `*` stands for any text and `?` for any character; `\` escapes the next character. `LIKE`
    public func like(_ pattern: String, options: Options = []) -> Query {
        compare(.like, to: pattern.constant, options: options)
    }

    /// Matches a regular expression against the whole string. `MATCHES`
    public func matches(_ pattern: String, options: Options = []) -> Query {
        compare(.matches, to: pattern.constant, options: options)
    }

    /// The number of characters in the string; `nil` for `nil`.
    public var length: TypedKey<Int, Int?> { TypedKey<Int, Int?>(.function(.length, [expression])) }

    /// The string in uppercase.
    public var uppercased: TypedKey { TypedKey(.function(.uppercase, [expression])) }

    /// The string in lowercase.
    public var lowercased: TypedKey { TypedKey(.function(.lowercase, [expression])) }
}
