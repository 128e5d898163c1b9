import DataMonkCore
import Foundation

/// **Value.** A drawing of a model as SVG: boxes in rows, lines between their middles behind them.
struct ModelDrawing {
    private struct Box {
        var left: Double
        var top: Double
        var width: Double
        var height: Double

        var middle: (x: Double, y: Double) { (left + width / 2, top + height / 2) }
    }

    private static let lineHeight = 18.0
    private static let characterWidth = 7.2
    private static let gap = 90.0
    private static let margin = 20.0

    private let graph: ModelGraph
    private let boxes: [Box]

    init(_ graph: ModelGraph) {
        self.graph = graph
        boxes = Self.layout(of: graph.entities)
    }

    /// Places the boxes in rows of about as many as there are rows.
    private static func layout(of entities: [Entity]) -> [Box] {
        let columns = max(1, Int(Double(entities.count).squareRoot().rounded(.up)))
        var boxes: [Box] = []
        var (left, top, rowHeight) = (margin, margin, 0.0)
        for (offset, entity) in entities.enumerated() {
            if offset > 0, offset % columns == 0 { (left, top, rowHeight) = (margin, top + rowHeight + gap, 0) }
            let lines = lines(of: entity)
            let width = Double(max(12, lines.map(DisplayWidth.width).max() ?? 0)) * characterWidth + 20
            let box = Box(left: left, top: top, width: width, height: Double(lines.count) * lineHeight + 14)
            boxes.append(box)
            left += box.width + gap
            rowHeight = max(rowHeight, box.height)
        }
        return boxes
    }

    private static func lines(of entity: Entity) -> [String] {
        [entity.name + (entity.isAbstract ? " (abstract)" : "")]
            + ModelGraph.attributes(of: entity).map { "\($0.name): \($0.type)" }
    }

    /// The text of the file.
    var svg: String {
        let width = (boxes.map { $0.left + $0.width }.max() ?? 0) + Self.margin
        let height = (boxes.map { $0.top + $0.height }.max() ?? 0) + Self.margin + 40
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(Self.text(width))\" height=\"\(Self.text(height))\" "
                + "font-family=\"Menlo, monospace\" font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>",
        ]
        for entity in graph.entities {
            if let superentity = entity.superentity {
                lines.append(line(from: entity.index, to: superentity.index, "stroke-dasharray=\"6 3\""))
            }
        }
        // Lines between the same boxes have their names below each other.
        var labels: [Set<Int>: Int] = [:]
        for edge in graph.edges {
            let place = labels[[edge.from, edge.to], default: 0]
            labels[[edge.from, edge.to]] = place + 1
            lines += drawing(of: edge, place: place)
        }
        for entity in graph.entities { lines += drawing(of: entity) }
        return (lines + ["</svg>"]).map { $0 + "\n" }.joined()
    }

    private func line(from: Int, to: Int, _ style: String) -> String {
        let (start, end) = (boxes[from].middle, boxes[to].middle)
        return "<line x1=\"\(Self.text(start.x))\" y1=\"\(Self.text(start.y))\" x2=\"\(Self.text(end.x))\" "
            + "y2=\"\(Self.text(end.y))\" stroke=\"#666\" \(style)/>"
    }

    private func drawing(of edge: ModelGraph.Edge, place: Int) -> [String] {
        let label = "\(edge.label) (\(edge.start == .many ? "n" : "1"):\(edge.end == .many ? "n" : "1"))"
        let (start, end) = (boxes[edge.from], boxes[edge.to])
        if edge.from == edge.to {
            // A relationship of an entity to itself: below its box.
            return [
                text(
                    label, x: start.middle.x, y: start.top + start.height + 14 + Double(place) * 14, color: "#36c")
            ]
        }
        let (x, y) = ((start.middle.x + end.middle.x) / 2, (start.middle.y + end.middle.y) / 2)
        return [line(from: edge.from, to: edge.to, ""), text(label, x: x, y: y + Double(place) * 14, color: "#36c")]
    }

    private func drawing(of entity: Entity) -> [String] {
        let box = boxes[entity.index]
        var lines = [
            "<rect x=\"\(Self.text(box.left))\" y=\"\(Self.text(box.top))\" width=\"\(Self.text(box.width))\" "
                + "height=\"\(Self.text(box.height))\" rx=\"4\" fill=\"#f8f8ff\" stroke=\"#333\"/>"
        ]
        for (offset, line) in Self.lines(of: entity).enumerated() {
            let weight = offset == 0 ? " font-weight=\"bold\"" : ""
            let y = box.top + Double(offset + 1) * Self.lineHeight
            lines.append(
                "<text x=\"\(Self.text(box.left + 10))\" y=\"\(Self.text(y))\"\(weight)>\(Self.escaped(line))</text>")
        }
        return lines
    }

    private func text(_ text: String, x: Double, y: Double, color: String) -> String {
        "<text x=\"\(Self.text(x))\" y=\"\(Self.text(y))\" text-anchor=\"middle\" fill=\"\(color)\">\(Self.escaped(text))</text>"
    }

    private static func text(_ number: Double) -> String { String(Int(number.rounded())) }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
