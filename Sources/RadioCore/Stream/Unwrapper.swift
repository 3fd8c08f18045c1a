// SPDX-License-Identifier: MIT

import RadioFormats

/// A demuxer in front of a framer, for bytes that are read as they come: nothing is done about a failure but to tell
/// it.
struct Unwrapper {
    enum Output {
        case container(Container)
        case audio(UnsafeRawBufferPointer)
        case title(String)
        case lost
        /// No further audio comes out. The name of the content, for messages.
        case failed(String)
        /// So many bytes have come since then.
        case left(bytes: Int)
    }

    private let wrapper: Wrapper
    private var demuxer: any Demuxer
    private var hasFailed = false

    init(_ wrapper: Wrapper, _ demuxer: any Demuxer) {
        (self.wrapper, self.demuxer) = (wrapper, demuxer)
    }

    /// Takes the next bytes; nil ends them.
    mutating func push(_ bytes: UnsafeRawBufferPointer?, _ take: (Output) -> Void) {
        guard !hasFailed else { return take(.left(bytes: bytes?.count ?? 0)) }
        do throws(DemuxProblem) {
            if let bytes {
                try demuxer.push(bytes) { Self.tell($0, take) }
            } else {
                try demuxer.finish { Self.tell($0, take) }
            }
        } catch {
            hasFailed = true
            take(.failed(wrapper.words(for: error)))
        }
    }

    private static func tell(_ output: Demuxed, _ take: (Output) -> Void) {
        switch output {
        case .container(let container): take(.container(container))
        case .audio(let bytes): take(.audio(bytes))
        case .lost: take(.lost)
        case .time: break
        case .tag(let bytes):
            guard let title = ID3v2Tag(parsing: bytes)?.streamTitle else { break }
            take(.title(TitleText.cleaned(title)))
        }
    }
}
