// SPDX-License-Identifier: MIT

/// Reads the head of a WAV or AIFF file.
struct PCMInspection: HeadInspection {
    private(set) var hasBegun = false
    private let size: Int64?
    private var head = PCMHead()

    init(size: Int64?) { self.size = size }

    func tail(isThorough: Bool) -> Int? { nil }

    mutating func take(_ bytes: UnsafeRawBufferPointer, at offset: Int64, isEnd: Bool) -> HeadFinding {
        hasBegun = true
        do throws(DemuxProblem) {
            _ = try head.take(bytes)
        } catch {
            return .refused(error)
        }
        if let layout = head.layout { return .found(layout.facts(size: size)) }
        guard !isEnd else { return .nothing }
        head.skip()
        return .read(at: head.position)
    }

    func takeTail(_ bytes: UnsafeRawBufferPointer, at offset: Int64, _ facts: inout AudioFileFacts) -> Bool { true }
}
