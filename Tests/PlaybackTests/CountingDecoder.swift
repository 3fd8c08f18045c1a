// SPDX-License-Identifier: MIT

import RadioCore
import RadioFormats

@testable import Decoding

/// Decodes frames that contain their number: each sample's value is its number in the programme, in every channel.
final class CountingDecoder: Decoding {
    private let format: PCMFormat
    private let samples: Int
    private var buffer: [Float] = []
    private var pending: Int64?
    private var isOver = false

    private let isSilent: Bool
    /// Whether the decoder gives out decoded audio now.
    private let isReady: () -> Bool
    /// The number of the first frame that the decoder got.
    private(set) var first: Int64?

    /// Makes a decoder of frames of `samples` samples each, which are all zero if `isSilent`.
    init(_ format: StreamFormat, samples: Int, isSilent: Bool = false, isReady: @escaping () -> Bool = { true }) {
        self.isSilent = isSilent
        self.isReady = isReady
        self.format = PCMFormat(sampleRate: format.sampleRate, channels: format.channels)
        self.samples = samples
        buffer = Array(repeating: 0, count: samples * format.channels)
    }

    /// The bytes of the frame with this number.
    static func frame(_ number: Int64) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    func put(_ frame: UnsafeRawBufferPointer, at instant: Int64) throws(DecodingError) -> Bool {
        guard isSilent || frame.count == 8 else { throw .damagedFrame("no frame of this decoder") }
        guard pending == nil else { return false }
        let number = frame.count < 8 ? 0 : Int64(littleEndian: frame.loadUnaligned(as: Int64.self))
        first = first ?? number
        for sample in 0..<(isSilent ? 0 : samples) {
            for channel in 0..<format.channels {
                buffer[sample * format.channels + channel] = Float(number * Int64(samples) + Int64(sample))
            }
        }
        pending = instant
        return true
    }

    func next() throws(DecodingError) -> PCMBlock? {
        guard let instant = pending, isReady() else { return nil }
        pending = nil
        return buffer.withUnsafeBufferPointer { PCMBlock(format: format, values: $0, instant: instant) }
    }

    func finish() { isOver = true }
    var isFinished: Bool { isOver && pending == nil }
    var descriptor: CInt? { nil }
}
