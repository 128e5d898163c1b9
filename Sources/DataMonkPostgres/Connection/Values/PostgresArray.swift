#if Postgres
    // An array of one dimension:
    //
    //     int32 dimensions (0 or 1)   int32 1 if it contains NULL   uint32 type
    //     int32 count   int32 first index (1)
    //     count × (int32 length, -1 for NULL; bytes)
    //
    // An empty array has no dimensions, and ends behind the type.

    /// **Value.** The binary format of arrays, which `unnest` takes as a column of rows.
    enum PostgresArray {
        /// The number of bytes before the elements of an array that is not empty.
        static let headerByteCount = 20

        static func encode<Element: PostgresValue>(
            _ elements: some Collection<Element?>, into bytes: inout [UInt8]
        ) throws(PostgresValueError) {
            guard let count = Int32(exactly: elements.count) else { throw .tooLarge }
            bytes.append(bigEndian: Int32(count == 0 ? 0 : 1))
            bytes.append(bigEndian: Int32(elements.contains { $0 == nil } ? 1 : 0))
            bytes.append(bigEndian: Element.postgresType.id)
            guard count > 0 else { return }
            bytes.append(bigEndian: count)
            bytes.append(bigEndian: Int32(1))
            for element in elements {
                guard let element else {
                    bytes.append(bigEndian: Int32(-1))
                    continue
                }
                let start = bytes.count
                bytes.append(bigEndian: Int32(0))
                try element.encode(into: &bytes)
                guard let length = Int32(exactly: bytes.count - start - 4) else { throw .tooLarge }
                withUnsafeBytes(of: length.bigEndian) { bytes.replaceSubrange(start..<start + 4, with: $0) }
            }
        }

        /// Appends an array with the elements of several encoded ones, which are of one type and not empty.
        static func join(_ arrays: [ArraySlice<UInt8>], into bytes: inout [UInt8]) {
            guard let first = arrays.first else { return }
            func field(_ array: ArraySlice<UInt8>, at offset: Int) -> Int32 {
                array.withUnsafeBytes { $0.bigEndian(Int32.self, at: offset) ?? 0 }
            }
            bytes.append(bigEndian: Int32(1))
            bytes.append(bigEndian: arrays.map { field($0, at: 4) }.max() ?? 0)
            bytes += first.dropFirst(8).prefix(4)
            bytes.append(bigEndian: arrays.reduce(0) { $0 + field($1, at: 12) })
            bytes.append(bigEndian: Int32(1))
            for array in arrays { bytes += array.dropFirst(headerByteCount) }
        }

        static func decode<Element: PostgresValue>(
            _ bytes: UnsafeRawBufferPointer, as type: Element.Type
        ) throws(PostgresValueError) -> [Element?] {
            let malformed = PostgresValueError.malformed(type: Element.postgresType.name + "[]")
            guard let dimensions = bytes.bigEndian(Int32.self), let id = bytes.bigEndian(UInt32.self, at: 8) else {
                throw malformed
            }
            guard Element.postgresType.accepts(id) else {
                throw .unexpectedType(expected: Element.postgresType.name, found: id)
            }
            if dimensions == 0 { return [] }
            guard dimensions == 1 else { throw .unsupportedDimensions }
            guard let count = bytes.bigEndian(Int32.self, at: 12), count >= 0, Int(count) <= bytes.count / 4 else {
                throw malformed
            }
            var elements: [Element?] = []
            elements.reserveCapacity(Int(count))
            var offset = 20
            for _ in 0..<count {
                guard let length = bytes.bigEndian(Int32.self, at: offset) else { throw malformed }
                offset += 4
                if length == -1 {
                    elements.append(nil)
                    continue
                }
                guard length >= 0, Int(length) <= bytes.count - offset else { throw malformed }
                let slice = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + Int(length)])
                elements.append(try Element(postgresBytes: slice))
                offset += Int(length)
            }
            guard offset == bytes.count else { throw malformed }
            return elements
        }
    }
#endif
