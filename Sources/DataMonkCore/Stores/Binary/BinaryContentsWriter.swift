import Foundation

/// **Value.** The body of a binary store in the making.
///
/// ```
/// body     UUID: 16 bytes | last id: Int64 | has hashes: UInt8 | hashes: list of (text, data)
///          | metadata: list of (text, value) | objects: list of object
/// object   entity: text | id: Int64 | version: Int64 | values: list of (text, value) | relationships: list of (text, ids)
/// list     number of elements: UInt32 | elements
/// text     number of bytes: UInt32 | UTF-8                 data alike; ids: number: UInt32 | Int64 each
/// value    tag: UInt8 | payload                            see `BinaryTag`
/// ```
/// Names come in ascending order, so that equal contents make equal files.
struct BinaryContentsWriter {
    private(set) var bytes = Data()

    /// - Throws: ``StoreError`` for a value that is no attribute's: an object or a list of them in the metadata.
    mutating func add(_ contents: AtomicContents, of url: URL) throws {
        withUnsafeBytes(of: contents.identifier.uuid) { bytes.append(contentsOf: $0) }
        add(contents.lastID)
        bytes.append(contents.versionHashes == nil ? 0 : 1)
        let hashes = (contents.versionHashes ?? [:]).sorted { $0.key < $1.key }
        add(count: hashes.count)
        for (name, hash) in hashes {
            add(name)
            add(hash)
        }
        try add(contents.metadata, of: url)
        add(count: contents.objects.count)
        for object in contents.objects {
            add(object.entityName)
            add(object.id)
            add(object.version)
            try add(object.values, of: url)
            add(count: object.destinations.count)
            for (name, ids) in object.destinations.sorted(by: { $0.key < $1.key }) {
                add(name)
                add(count: ids.count)
                for id in ids { add(id) }
            }
        }
    }

    private mutating func add(_ values: [String: ManagedValue], of url: URL) throws {
        add(count: values.count)
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            add(name)
            try add(value, named: name, of: url)
        }
    }

    private mutating func add(_ value: ManagedValue, named name: String, of url: URL) throws {
        switch value {
        case .null: add(.null)
        case .bool(let bool): add(bool ? .yes : .no)
        case .int(let number):
            add(.int)
            add(number)
        case .double(let number):
            add(.double)
            add(Int64(bitPattern: number.bitPattern))
        case .date(let date):
            add(.date)
            add(Int64(bitPattern: date.timeIntervalSinceReferenceDate.bitPattern))
        case .decimal(let number):
            add(.decimal)
            add(number.description)
        case .string(let text):
            add(.string)
            add(text)
        case .data(let data):
            add(.data)
            add(data)
        case .uuid(let uuid):
            add(.uuid)
            withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
        case .url(let place):
            add(.url)
            add(place.absoluteString)
        case .list(let values):
            add(.list)
            add(count: values.count)
            for value in values { try add(value, named: name, of: url) }
        case .dictionary(let values):
            add(.dictionary)
            try add(values, of: url)
        case .object:
            throw StoreError(
                .unsupportedRequest, "\(name) is \(value.kind), which \(url.lastPathComponent) cannot hold. Remove it.",
                storeURL: url)
        }
    }

    private mutating func add(_ tag: BinaryTag) { bytes.append(tag.rawValue) }

    private mutating func add(_ number: Int64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    // A file of at most 1 GiB has no longer list.
    private mutating func add(count: Int) {
        withUnsafeBytes(of: UInt32(clamping: count).littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func add(_ text: String) {
        add(count: text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func add(_ data: Data) {
        add(count: data.count)
        bytes.append(data)
    }
}

/// **Value.** The kind of a value in a binary store.
enum BinaryTag: UInt8 {
    case null = 0, no, yes, int, double, decimal, string, date, data, uuid, url, list, dictionary
}
