import DataMonkCore

extension QueryKey {
    /// Matches text that has all the given words: `%"body"%.contains(words: "swift act* \"new york\"")`. `CONTAINSWORDS`
    ///
    ///     try World.fetchAll(Post.self, %"body"%.contains(words: searchField))
    ///     // SELECT … FROM ZPOST t0 WHERE t0.Z_PK IN (SELECT rowid FROM "DATAMONK_WORDS$ZPOST$ZBODY" WHERE … MATCH ?1)
    ///
    /// Words are runs of letters and numbers; case and diacritical marks are ignored. A word that ends with `*` finds those
    /// that begin with it, and words in quotation marks have to follow each other. No text is an error; one without a word
    /// matches nothing. <doc:SQLAndTextSearch> has the details.
    ///
    /// The attribute's option ``/DataMonkCore/AttributeOption/textSearch`` makes the search fast, and changes nothing else.
    public func contains(words: String) -> Query { compare(.containsWords, to: .value(.string(words))) }
}

extension TypedKey where Value == String {
    /// Matches strings that have all the given words: `$0.body.contains(words: "swift act*")`. `CONTAINSWORDS`
    ///
    /// See ``QueryKey/contains(words:)``.
    public func contains(words: String) -> Query { compare(.containsWords, to: words.constant) }
}
