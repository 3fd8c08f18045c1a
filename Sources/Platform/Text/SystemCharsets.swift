// SPDX-License-Identifier: MIT

import CLinux
package import RadioFormats

/// The system's tables of charsets: iconv(3). On any thread; blocks while the system opens a table for the first time.
package enum SystemCharsets {
    /// Whether text of the charset can be read. The files of some charsets may be missing on small systems.
    package static func knows(_ charset: Charset) -> Bool {
        charset == .utf8 || ac_knows_charset(charset.systemName) != 0
    }

    /// Decodes text: see ``CharsetDecoder/Conversion``.
    package static let convert: CharsetDecoder.Conversion = { bytes, charset in
        // A character needs at most four bytes for each of its bytes.
        let room = bytes.count * 4
        var written = 0
        let text = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            guard let out = buffer.baseAddress else { return }
            written = ac_convert_text(charset.systemName, bytes, UInt(bytes.count), out, UInt(room))
            count = max(0, written)
        }
        return written < 0 ? nil : String(decoding: text, as: UTF8.self)
    }
}
