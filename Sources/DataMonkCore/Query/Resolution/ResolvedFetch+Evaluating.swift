extension ResolvedFetch {
    /// Whether unsaved changes take part.
    package var includesPendingChanges: Bool { request.includesPendingChanges }

    /// Whether objects of an entity can be results.
    package func includes(_ other: Entity) -> Bool {
        request.includesSubentities ? other.isKind(of: entity) : other === entity
    }

    /// Whether the condition is true of an object of the fetch's entities.
    package func matches(_ reader: any PropertyReader) throws(FetchError) -> Bool {
        try condition?.isTrue(of: reader) ?? true
    }

    /// The objects in the fetch's order.
    package func sorted<Reader: PropertyReader>(_ readers: [Reader]) -> [Reader] {
        ReaderSort(sortTerms).sorted(readers)
    }

    /// Two lists in the fetch's order as one.
    package func merged<Reader: PropertyReader>(_ first: [Reader], _ second: [Reader]) -> [Reader] {
        ReaderSort(sortTerms).merged(first, second)
    }

    /// What offset and limit leave of the whole result.
    package func page<Element>(_ all: [Element]) -> [Element] {
        if limit == nil, offset == 0 { return all }
        let rest = all.dropFirst(offset)
        return Array(limit.map { rest.prefix($0) } ?? rest)
    }

    /// The same fetch from the first result on, up to where the page ends if `extra` results fall away.
    package func widened(by extra: Int) -> ResolvedFetch {
        var widened = self
        widened.offset = 0
        if let limit {
            let (page, isTooFar) = limit.addingReportingOverflow(offset)
            let (end, isTooLarge) = page.addingReportingOverflow(extra)
            // A page that ends beyond the largest number has all results.
            widened.limit = isTooFar || isTooLarge ? nil : end
        }
        return widened
    }
}
