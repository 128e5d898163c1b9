#if Macros
    import DataMonk

    @Entity final class Person: ManagedObject {
        var name: String = ""
        var age: Int = 0
        var location: String?
        @Relationship(inverse: \Person.friends) var friend: Person?
        var friends: Set<Person>
    }

    @Entity final class Visit: ManagedObject {
        var text: String = ""
    }
#endif
