extension ResolvedFetch {
    /// Returns `true` if objects of an entity can be results.
    package func includes(_ other: Entity) -> Bool {
        request.includesSubentities ? other.isKind(of: entity) : other === entity
    }

    /// Returns `true` if an object of the fetch's entities satisfies the condition.
    package func matches(_ reader: any PropertyReader) throws(FetchError) -> Bool {
        try condition?.isTrue(of: reader) ?? true
    }

    /// Returns the objects in the fetch's order.
    package func sorted<Reader: PropertyReader>(_ readers: [Reader]) -> [Reader] {
        ReaderSort(sortTerms).sorted(readers)
    }

    /// Merges two lists that are in the fetch's order.
    package func merged<Reader: PropertyReader>(_ first: [Reader], with second: [Reader]) -> [Reader] {
        ReaderSort(sortTerms).merged(first, with: second)
    }

    /// Returns the results that remain after offset and limit.
    package func page<Element>(_ all: [Element]) -> [Element] {
        if limit == nil, offset == 0 { return all }
        let rest = all.dropFirst(offset)
        return Array(limit.map { rest.prefix($0) } ?? rest)
    }

    /// Returns the same fetch from the first result to the end of the page, extended by `extra` results in case that many
    /// are dropped.
    package func widened(by extra: Int) -> ResolvedFetch {
        var widened = self
        widened.offset = 0
        if let limit {
            let (page, isTooFar) = limit.addingReportingOverflow(offset)
            let (end, isTooLarge) = page.addingReportingOverflow(extra)
            // A page that ends beyond the largest integer has all results.
            widened.limit = isTooFar || isTooLarge ? nil : end
        }
        return widened
    }
}
