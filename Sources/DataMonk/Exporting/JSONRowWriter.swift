import DataMonkCore
import Foundation

/// **Confined.** Writes objects as JSON.
struct JSONRowWriter: RowWriting {
    /// **Value.** The place of objects without a key: a relationship of an object, or the rows.
    private struct Place: Hashable {
        var owner: AnyObjectID?
        var relationship: String?
    }

    private let plan: ExportPlan
    private let isArray: Bool
    /// The names of each form's properties as they are written, with their quotation marks and colons.
    private let names: [[[UInt8]]]
    private var isFirst = true
    private let formsOfSharedObjects: Set<Int>
    /// The places of the objects that several could have.
    private var places: [AnyObjectID: Place] = [:]
    private let formsOfRepeatedObjects: Set<Int>
    /// The to-manys of such objects whose members, which have no key, were written, with the number of levels that there was
    /// room for below them; the largest number if nothing was left out.
    private var writtenMembers: [Place: Int] = [:]
    /// The number of relationships that were left out, inside of such members, for want of room.
    private var omissions = 0
    /// The number of to-manys of such members that are being written.
    private var openMembers = 0
    /// The objects inside of which one is written.
    private var outer: [ManagedObject] = []
    /// The number of arrays and objects of the row that are open.
    private var depth = 0

    init(_ plan: ExportPlan, isArray: Bool) {
        self.plan = plan
        self.isArray = isArray
        formsOfSharedObjects = plan.formsOfSharedObjects
        formsOfRepeatedObjects = plan.formsOfRepeatedObjects
        names = plan.forms.map { form in
            form.properties.map { property in
                var bytes: [UInt8] = []
                JSONText.append(property.name, to: &bytes)
                return bytes + [UInt8(ascii: ":")]
            }
        }
    }

    func begin(_ bytes: inout [UInt8]) {
        if isArray { bytes.append(UInt8(ascii: "[")) }
    }

    mutating func append(_ object: ManagedObject, to bytes: inout [UInt8]) throws {
        if isArray {
            bytes.append(contentsOf: (isFirst ? "\n" : ",\n").utf8)
            isFirst = false
        }
        if formsOfSharedObjects.contains(0) { try requireOnePlace(of: object, Place()) }
        try append(object, as: plan.rowForm, without: nil, to: &bytes)
        if !isArray { bytes.append(UInt8(ascii: "\n")) }
    }

    func end(_ bytes: inout [UInt8]) {
        if isArray { bytes.append(contentsOf: (isFirst ? "]\n" : "\n]\n").utf8) }
    }

    // MARK: Objects

    /// - Parameter implied: The relationship that leads back to the object around this one, which the nesting itself says.
    private mutating func append(
        _ object: ManagedObject, as position: Int, without implied: Entity.Relationship?, to bytes: inout [UInt8]
    ) throws {
        let level = outer.count
        outer.append(object)
        depth += 1
        defer {
            outer.removeLast()
            depth -= 1
        }
        var separator = UInt8(ascii: "{")
        for (number, property) in plan.forms[position].properties.enumerated() {
            switch property {
            case .attribute(let imported):
                bytes.append(separator)
                bytes.append(contentsOf: names[position][number])
                try append(try object.assigned(imported.attribute), of: imported, in: object, to: &bytes)
            case .relationship(let imported):
                if imported.relationship == implied { continue }
                guard plan.writes(imported, atLevel: level) else {
                    try noteOmission(of: imported, of: object)
                    continue
                }
                let once = isWrittenOnce(imported, as: position)
                if once, try !beginsMembers(of: imported, of: object) { continue }
                bytes.append(separator)
                bytes.append(contentsOf: names[position][number])
                try append(imported, of: object, once: once, to: &bytes)
            }
            separator = UInt8(ascii: ",")
        }
        if separator == UInt8(ascii: "{") { bytes.append(separator) }
        bytes.append(UInt8(ascii: "}"))
    }

    // MARK: Members that are written once

    /// Returns `true` if the members of a to-many have no key, and their owner may be met several times. An import takes such
    /// members for new ones each time; without them, it leaves those alone that are there.
    private func isWrittenOnce(_ imported: ImportedRelationship, as position: Int) -> Bool {
        let form = position == plan.rowForm ? 0 : position
        return imported.relationship.isToMany && plan.forms[imported.mapping].keys == nil
            && formsOfRepeatedObjects.contains(form)
    }

    /// Returns `false` if the members were written where the object was met before.
    ///
    /// - Throws: ``FormatError`` if something was left out there that has room here.
    private func beginsMembers(of imported: ImportedRelationship, of object: ManagedObject) throws -> Bool {
        let place = Place(owner: object.anyObjectID, relationship: imported.relationship.name)
        guard let room = writtenMembers[place] else { return true }
        if plan.depth - outer.count <= room { return false }
        throw FormatError(
            .unsupportedExport,
            """
            \(object.objectDescription) is written several times. Where it came first, the depth left out objects inside of its \
            \(imported.relationship.name), which have no key and are written once. Choose another depth, or name an attribute of \
            \(plan.forms[imported.mapping].mapping.entity.name) by relatedByAttribute in the user info.
            """, key: imported.relationship.name)
    }

    /// Notes that a relationship is left out for want of room, if it leads to something and this place is the only one.
    private mutating func noteOmission(of imported: ImportedRelationship, of object: ManagedObject) throws {
        guard openMembers > 0, plan.forms[imported.mapping].isNestable else { return }
        let leadsSomewhere =
            imported.relationship.isToMany
            ? try !object.objects(forKey: imported.relationship.name).isEmpty
            : try object.assigned(imported.relationship) != nil
        if leadsSomewhere { omissions += 1 }
    }

    private mutating func append(
        _ imported: ImportedRelationship, of object: ManagedObject, once: Bool, to bytes: inout [UInt8]
    ) throws {
        if !once { return try append(imported, of: object, to: &bytes) }
        let before = omissions
        openMembers += 1
        defer { openMembers -= 1 }
        try append(imported, of: object, to: &bytes)
        let place = Place(owner: object.anyObjectID, relationship: imported.relationship.name)
        writtenMembers[place] = omissions == before ? .max : plan.depth - outer.count
    }

    private mutating func append(
        _ imported: ImportedRelationship, of object: ManagedObject, to bytes: inout [UInt8]
    ) throws {
        guard imported.relationship.isToMany else {
            guard let destination = try object.assigned(imported.relationship) else {
                bytes.append(contentsOf: "null".utf8)
                return
            }
            try destination.requireKind(of: plan.forms[imported.mapping], for: imported.relationship)
            return try append(destination, by: imported, to: &bytes)
        }
        depth += 1
        defer { depth -= 1 }
        var separator = UInt8(ascii: "[")
        for destination in try object.exportedObjects(of: imported.relationship, plan.forms[imported.mapping]) {
            bytes.append(separator)
            try append(destination, by: imported, to: &bytes)
            separator = UInt8(ascii: ",")
        }
        if separator == UInt8(ascii: "[") { bytes.append(separator) }
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes an object of a relationship, nested or by its key.
    private mutating func append(
        _ destination: ManagedObject, by imported: ImportedRelationship, to bytes: inout [UInt8]
    ) throws {
        let form = plan.forms[imported.mapping]
        // An import would make an object of a sub-entity one of the destination.
        let isNested =
            outer.count <= plan.depth && form.isNestable && destination.entity === form.mapping.entity
            && !outer.contains { $0 === destination }
        if isNested {
            _ = try destination.exportedKey(in: form.mapping)
            try destination.requireSoleKey(in: form, for: imported.relationship)
            if formsOfSharedObjects.contains(imported.mapping) {
                let place = Place(owner: outer.last?.anyObjectID, relationship: imported.relationship.name)
                try requireOnePlace(of: destination, place)
            }
            return try append(
                destination, as: imported.mapping, without: imported.impliedRelationship, to: &bytes)
        }
        let keys = try destination.exportedKeys(of: form, for: imported.relationship)
        if keys.count == 1 { return try append(keys[0].value, of: keys[0].attribute, in: destination, to: &bytes) }
        var separator = UInt8(ascii: "{")
        for (attribute, value) in keys {
            bytes.append(separator)
            JSONText.append(attribute.path.description, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            try append(value, of: attribute, in: destination, to: &bytes)
            separator = UInt8(ascii: ",")
        }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func requireOnePlace(of object: ManagedObject, _ place: Place) throws {
        guard let known = places.updateValue(place, forKey: object.anyObjectID), known != place else { return }
        let entity = object.entity.name
        throw FormatError(
            .unsupportedExport,
            """
            \(object.objectDescription) is in several places, and has no key, so an import would make one \(entity) for each. \
            Name an attribute of \(entity) by relatedByAttribute in the user info, or leave the relationship out.
            """, key: place.relationship)
    }

    /// Writes the value of an object's attribute.
    private func append(
        _ value: ManagedValue, of imported: ImportedAttribute, in object: ManagedObject, to bytes: inout [UInt8]
    ) throws {
        do throws(RowProblem) {
            try JSONText.append(value, of: imported, inside: depth, to: &bytes)
        } catch {
            let name = imported.attribute.name
            throw FormatError(
                .unsupportedExport,
                """
                \(name) of \(object.objectDescription) is JSON that no import reads. \(error.message) Or leave the property out.
                """, key: name)
        }
    }
}
