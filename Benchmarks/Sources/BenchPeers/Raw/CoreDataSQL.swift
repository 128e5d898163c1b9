/// The statements on Core Data's schema. The entities by name, hence their numbers: Department 1, Employee 2, Person
/// 3; only what inserts needs them.
enum CoreDataSQL {
    /// 2001, from which Core Data counts, in seconds since 1970.
    static let referenceDate = 978_307_200.0

    static let allPeople = """
        SELECT Z_PK, ZNAME, ZAGE, ZLOCATION, ZSALARY, ZCREATED, ZFRIENDID, Z_ENT, Z_OPT FROM ZPERSON
        """
    static let firstPerson = allPeople + " ORDER BY Z_PK LIMIT 1"
    static let insert = """
        INSERT INTO ZPERSON(Z_PK, Z_ENT, Z_OPT, ZAGE, ZFRIENDID, ZCREATED, ZSALARY, ZLOCATION, ZNAME)
        VALUES(?, 3, 1, ?, ?, ?, ?, ?, ?)
        """
    static let updateAge = "UPDATE ZPERSON SET ZAGE = ?, Z_OPT = ? WHERE Z_PK = ? AND Z_OPT = ?"
    static let delete = "DELETE FROM ZPERSON WHERE Z_PK = ? AND Z_OPT = 1"
    static let greatestKey = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 3"
    static let setGreatestKey = "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = 3 AND Z_MAX = ?"
}
