// SPDX-License-Identifier: MIT

/// Finds the movie box of an MP4 file, before the audio or behind it, and reads what it says.
struct MP4Inspection: HeadInspection {
    private(set) var hasBegun = false

    func tail(isThorough: Bool) -> Int? { nil }

    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool) -> HeadFinding {
        hasBegun = true
        var place = 0
        while place < bytes.count {
            let head: MP4BoxHead? = (try? MP4BoxHead(Array(bytes[place...].prefix(MP4BoxHead.longLength))[...])) ?? nil
            guard let head else { break }
            guard head.type.isPlausible, head.type != "moof", let content = head.content else { return .nothing }
            let (start, box) = (place + head.length, offset.addingSaturated(Int64(place)))
            if head.type == "moov" {
                guard content <= MP4Demuxer.mostKept else { return .nothing }
                if content <= bytes.count - start {
                    return Self.finding(MP4Fields(Array(bytes[start..<start + content])[...]), at: box)
                }
                return isEnd ? .nothing : .readAll(FileRead(offset: box, count: head.length + content))
            }
            guard content <= bytes.count - start else {
                return .read(at: box.addingSaturated(Int64(head.length)).addingSaturated(Int64(content)))
            }
            place = start + content
        }
        return isEnd ? .nothing : .read(at: offset + Int64(place))
    }

    /// Reads the content of a movie box.
    private static func finding(_ movie: MP4Fields, at box: Int64) -> HeadFinding {
        do throws(DemuxProblem) {
            var index = try MP4Index(movie)
            index.isBehindAudio = index.samples.extent.map { $0.lowerBound < box } ?? false
            return .found(index.facts)
        } catch {
            return .refused(error)
        }
    }

    func takeTail(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ facts: inout AudioFileFacts) -> Bool { true }
}
