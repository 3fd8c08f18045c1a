// SPDX-License-Identifier: MIT

import Instants
import RadioCore
import RadioFormats

extension PlayPositions {
    /// Why stored positions cannot be read.
    enum ParseError: Error, Hashable, Sendable {
        case notJSON(JSONError)
        /// The text is JSON, but not of the form that this program writes.
        case notPositions
    }

    /// The maximum length in bytes: a little more than ``most`` positions with the longest keys take.
    static let longestText = 16 << 20

    /// One document of all positions, with the item left last at the end.
    var json: JSONValue {
        let list = ordered.map { key, position -> JSONValue in
            var object: JSONObject = ["key": key.text]
            switch position.mark {
            case .left(let position, let length):
                object.append(["seconds": position.inSeconds, "length": (length?.inSeconds).ifKnown])
            case .heard: object.append("heard", true)
            case .item(let key, let isOver):
                object.append(["item": key.text, "over": isOver.ifTrue])
            }
            object.append("left", position.left)
            return .object(object)
        }
        return ["version": 1, "positions": .array(list)]
    }

    /// Parses a document that was made by ``json``. Leaves out invalid entries. Throws if the document itself is
    /// invalid.
    init(parsing bytes: [UInt8]) throws(ParseError) {
        let document: JSONValue
        do throws(JSONError) {
            document = try JSONValue(parsing: bytes, limit: Self.longestText)
        } catch {
            throw .notJSON(error)
        }
        guard document["version"]?.integerValue == 1, let list = document["positions"]?.arrayValue else {
            throw .notPositions
        }
        self.init()
        for entry in list.suffix(Self.most) {
            guard let key = entry["key"]?.stringValue, !key.isEmpty, let position = Self.position(entry) else {
                continue
            }
            set(ItemKey(written: key), position)
        }
    }

    private static func position(_ entry: JSONValue) -> PlayPosition? {
        guard let left = entry["left"]?.timeValue, let mark = mark(entry) else { return nil }
        return PlayPosition(mark, left: left.instant)
    }

    private static func mark(_ entry: JSONValue) -> PlayPosition.Mark? {
        if entry["heard"]?.boolValue == true { return .heard }
        if let item = entry["item"]?.stringValue {
            return item.isEmpty ? nil : .item(ItemKey(written: item), isOver: entry["over"]?.boolValue == true)
        }
        let length = duration(entry["length"])
        guard let position = duration(entry["seconds"]), PlayPosition.isWorthKeeping(position, of: length) else {
            return nil
        }
        return .left(at: position, of: length)
    }

    private static func duration(_ value: JSONValue?) -> Duration? {
        guard let seconds = value?.doubleValue, (0...mostSeconds).contains(seconds) else { return nil }
        return .nanoseconds(Int64((seconds * 1e9).rounded()))
    }

    /// A year; no finite item plays longer.
    private static let mostSeconds = 366.0 * 86_400
}
