import BenchKit
import DataMonk

/// Few columns of wide rows, texts and pictures.
extension DataMonkPeer {
    func readThreeColumns() throws -> Digest {
        var digest = Digest()
        let rows = try world.query(Measurement.self, .select(\.name), .select(\.number), .select(\.ratio))
        for (name, number, ratio) in rows {
            digest.row()
            digest.add(name)
            digest.add(number)
            digest.add(ratio)
        }
        return digest
    }

    func readThreeColumnsOfObjects() throws -> Digest {
        var digest = Digest()
        let measurements = try world.fetchAll(
            Measurement.self, options: .PropertiesOnly(["name", "number", "ratio"]))
        for measurement in measurements {
            digest.row()
            digest.add(measurement.name)
            digest.add(measurement.number)
            digest.add(measurement.ratio)
        }
        return digest
    }

    func countNotes(_ search: TextSearch) throws -> Digest {
        var digest = Digest()
        digest.add(try world.count(Note.self, .Where("text \(search.rawValue) %@", search.pattern)))
        return digest
    }

    func insertPictures(_ size: PictureSize, count: Int, isExternal: Bool) throws {
        let data = size.data
        try updater.beginUpdateAndWait { update in
            for id in 1...Int64(count) {
                let name = PictureSize.name(id: id)
                if isExternal {
                    let photo = try update.create(Photo.self)
                    photo.name = name
                    photo.data = data
                } else {
                    let picture = try update.create(Picture.self)
                    picture.name = name
                    picture.data = data
                }
            }
            try update.commit()
        }
    }

    func readPictureNames(isExternal: Bool) throws -> Digest {
        let names =
            isExternal ? try world.fetchAll(Photo.self).map(\.name) : try world.fetchAll(Picture.self).map(\.name)
        var digest = Digest()
        for name in names {
            digest.row()
            digest.add(name)
        }
        return digest
    }
}
