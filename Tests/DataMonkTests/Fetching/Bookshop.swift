import DataMonk

/// Entities of the tests of fetches, known by name alone: books and novels on shelves in rooms.
enum Bookshop {
    /// The model, once: a model is never freed.
    static let model = Result {
        try ManagedObjectModel(fetchRequestTemplates: templates) {
            EntityDescription("Book", indexes: [FetchIndexDescription("byTitle", on: ["title"])]) {
                AttributeDescription("number", .integer64, isOptional: false, defaultValue: 0)
                AttributeDescription("title", .string)
                AttributeDescription("pages", .integer32)
                AttributeDescription("price", .decimal)
                AttributeDescription("weight", .double)
                AttributeDescription("issued", .date)
                AttributeDescription("code", .uuid)
                RelationshipDescription("shelf", to: "Shelf", inverse: "books")
                FetchedPropertyDescription(
                    "neighbours",
                    fetchRequest: FetchRequestTemplate(
                        "", entityName: "Book",
                        predicateFormat: "shelf == $FETCH_SOURCE.shelf AND self != $FETCH_SOURCE AND pages > 0"))
                FetchedPropertyDescription(
                    "namesakes",
                    fetchRequest: FetchRequestTemplate(
                        "", entityName: "Book", predicateFormat: "title == $FETCHED_PROPERTY.userInfo.title"),
                    userInfo: ["title": "b"])
                FetchedPropertyDescription(
                    "lost", fetchRequest: FetchRequestTemplate("", entityName: "Book", predicateFormat: "title == $X"))
            }
            EntityDescription("Novel", superentityName: "Book") { AttributeDescription("genre", .string) }
            EntityDescription("Shelf") {
                AttributeDescription("name", .string)
                RelationshipDescription("books", to: "Book", inverse: "shelf", isToMany: true)
                RelationshipDescription("room", to: "Room", inverse: "shelves")
            }
            EntityDescription("Room") {
                AttributeDescription("name", .string)
                RelationshipDescription("shelves", to: "Shelf", inverse: "room", isToMany: true)
            }
        }
    }

    private static let templates = [
        FetchRequestTemplate("allBooks", entityName: "Book", includesSubentities: false),
        FetchRequestTemplate("thickerThan", entityName: "Book", predicateFormat: "pages > $PAGES", fetchLimit: 3),
        FetchRequestTemplate("novels", entityName: "Novel", predicateFormat: "title IN $TITLES"),
        FetchRequestTemplate("onShelf", entityName: "Book", predicateFormat: "shelf == $SHELF"),
        FetchRequestTemplate(
            "withBig", entityName: "Shelf", predicateFormat: "SUBQUERY(books, $b, $b.pages > $PAGES).@count > 0"),
        FetchRequestTemplate("broken", entityName: "Book", predicateFormat: "pages > > 3"),
    ]
}
