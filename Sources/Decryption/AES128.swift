// SPDX-License-Identifier: MIT

import CLibCrypto

/// Decrypts whole segments of HLS (`METHOD=AES-128`, RFC 8216 §4.3.2.4): AES-128 in CBC mode with PKCS#7 padding, by
/// libcrypto, which is opened when it is first needed.
package enum AES128 {
    /// Why there is no plain text.
    package enum Problem: Error, Hashable, Sendable {
        /// libcrypto cannot be used: why.
        case noLibrary(String)
        /// The key or the initialisation vector has not 16 bytes.
        case wrongKeyLength
        /// The length is no positive multiple of 16, so bytes are missing, or there is no cipher text.
        case wrongLength
        /// The end is no padding: the key or the vector is another one, or the bytes are damaged.
        case wrongPadding
        /// libcrypto has failed, such as without memory.
        case failed
    }

    /// The length of a key, of an initialisation vector and of a block, in bytes.
    package static let blockLength = 16

    package static func decrypt(
        _ bytes: [UInt8], key: [UInt8], vector: [UInt8]
    ) throws(Problem) -> [UInt8] {
        if let problem = ac_crypto_problem() {
            throw .noLibrary("\(String(cString: ac_crypto_library)): \(String(cString: problem))")
        }
        guard key.count == blockLength, vector.count == blockLength else { throw .wrongKeyLength }
        guard !bytes.isEmpty, bytes.count % blockLength == 0 else { throw .wrongLength }
        var result = -2
        let plain = [UInt8](unsafeUninitializedCapacity: bytes.count) { room, count in
            guard let start = room.baseAddress else { return }
            result = ac_crypto_decrypt(key, vector, bytes, bytes.count, start)
            count = max(0, result)
        }
        switch result {
        case 0...: return plain
        case -1: throw .wrongPadding
        default: throw .failed
        }
    }
}
