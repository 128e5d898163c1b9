import BenchKit
import DataMonk

/// Wide rows, texts and pictures.
extension DataMonkTemplate {
    static func insertWideRows(count: Int, _ update: Update) throws {
        for id in 1...Int64(WideRows.count(for: count)) {
            let measurement = try update.create(Measurement.self)
            measurement.name = WideRows.name(id: id)
            measurement.number = WideRows.number(id: id)
            measurement.ratio = WideRows.ratio(id: id)
            for (index, column) in WideRows.furtherColumns.enumerated() {
                let value = WideRows.value(ofColumn: index, id: id)
                try measurement.setValue(value.map { .string($0) } ?? .null, forKey: column)
            }
        }
        try update.commit()
    }

    static func insertNotes(count: Int, _ update: Update) throws {
        for id in 1...Int64(count) { try update.create(Note.self).text = Notes.text(id: id) }
        try update.commit()
    }

    static func insertPictures(_ size: PictureSize, count: Int, _ update: Update) throws {
        let data = size.data
        for id in 1...Int64(PictureSize.count(for: count)) {
            let picture = try update.create(Picture.self)
            picture.name = PictureSize.name(id: id)
            picture.data = data
            let photo = try update.create(Photo.self)
            photo.name = PictureSize.name(id: id)
            photo.data = data
        }
        try update.commit()
    }
}
