// SPDX-License-Identifier: MIT

package import RadioCore

/// The body of a response.
package enum HTTPBody: Sendable {
    case bytes([UInt8])
    /// Slab memory. It is sent without copying, and retained until it has been sent.
    case slices([SlabSlice])
    /// A part of a file, which the kernel sends by itself.
    case file(HTTPFile, Range<Int>)

    /// The length in bytes.
    package var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .slices(let slices): slices.reduce(0) { $0 + $1.count }
        case .file(_, let range): range.count
        }
    }

    /// A part of the body; `range` must lie within it.
    package func part(_ range: Range<Int>) -> HTTPBody {
        switch self {
        case .bytes(let bytes): .bytes(Array(bytes[range]))
        case .slices(let slices): .slices(Self.part(range, of: slices))
        case .file(let file, let whole):
            .file(file, (whole.lowerBound + range.lowerBound)..<(whole.lowerBound + range.upperBound))
        }
    }

    private static func part(_ range: Range<Int>, of slices: [SlabSlice]) -> [SlabSlice] {
        var (start, parts) = (0, [SlabSlice]())
        for slice in slices {
            let common = range.clamped(to: start..<(start + slice.count))
            let offset = slice.range.lowerBound - start
            if !common.isEmpty {
                parts.append(SlabSlice(slice.slab, (common.lowerBound + offset)..<(common.upperBound + offset)))
            }
            start += slice.count
        }
        return parts
    }
}
