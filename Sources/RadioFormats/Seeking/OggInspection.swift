// SPDX-License-Identifier: MIT

/// Inspects the first and last pages of an Ogg file.
struct OggInspection: HeadInspection {
    private(set) var hasBegun = false
    private var scanner = OggPageScanner()
    private var facts: AudioFileFacts?
    /// The serial numbers of the first link's streams.
    private var serials: Set<UInt32> = []
    private var firstAudio: Int64 = 0
    private var chunks = 0

    /// The most chunks in which the first page of audio is searched for. It follows the headers, which may contain a
    /// picture.
    private static let mostChunks = 4
    /// The longest page in seconds. A first granule position beyond this length means that the file was cut from a
    /// broadcast.
    private static let longestPage = 10

    func tail(isThorough: Bool) -> Int? { OggPage.maximumLength }

    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool) -> HeadFinding {
        hasBegun = true
        chunks += 1
        scanner.append(bytes)
        if isEnd { scanner.finish() }
        var isComplete = false
        while !isComplete, let finding = scanner.next() {
            guard case .page(let page, let range, let place) = finding else { continue }
            if page.isBegin { serials.insert(page.serial) }
            if facts == nil, page.isBegin {
                facts = Self.facts(ofFirstPacket: scanner.withBytes(range) { page.firstPacket(in: $0) }, page.serial)
            } else if let known = facts, page.serial == known.serial, let granule = page.position, granule > 0 {
                let isBroadcast = granule > Int64(known.sampleRate) * Int64(Self.longestPage)
                facts?.firstGranule = isBroadcast ? granule : 0
                firstAudio = place
                isComplete = true
            }
        }
        if !isComplete, !isEnd, chunks < Self.mostChunks { return .read(at: offset + Int64(bytes.count)) }
        return facts.map { .found($0) } ?? .nothing
    }

    private static func facts(ofFirstPacket packet: [UInt8], _ serial: UInt32) -> AudioFileFacts? {
        guard let mapping = oggMapping(identification: packet[...]) else { return nil }
        let format = mapping.format
        var facts = AudioFileFacts(container: .ogg, codec: format.codec, sampleRate: format.sampleRate)
        facts.serial = serial
        if format.codec == .opus, packet.count >= 12 { facts.preSkip = packet[...].littleEndian(at: 10, count: 2) }
        return facts
    }

    func takeTail(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ facts: inout AudioFileFacts) -> Bool {
        var scanner = OggPageScanner()
        scanner.append(bytes)
        scanner.finish()
        var last: Int64?
        while let finding = scanner.next() {
            guard case .page(let page, _, let place) = finding else { continue }
            // After the first audio, a page that begins a stream or has a new serial number belongs to another link:
            // within a link, the pages that begin streams precede the audio, and other links should use other serial
            // numbers.
            let isLater = offset + place > firstAudio
            if isLater, page.isBegin || !serials.contains(page.serial) { facts.isChained = true }
            if page.serial == facts.serial, let granule = page.position { last = granule }
            facts.isEnded = page.isEnd
        }
        guard !facts.isChained else { return true }
        guard let last else { return false }
        let samples = last.addingSaturated(-facts.firstGranule).addingSaturated(-Int64(facts.preSkip))
        facts.samples = samples > 0 ? samples : nil
        return true
    }
}
