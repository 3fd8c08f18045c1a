// SPDX-License-Identifier: MIT

package import RadioFormats

/// Stub.
package enum Decoders {
    package static func make(for format: StreamFormat, reduced: Bool = false) throws(DecodingError) -> any Decoding {
        throw .failed("not built")
    }
    package static func warmUp(for format: StreamFormat) -> Int { 0 }
}
