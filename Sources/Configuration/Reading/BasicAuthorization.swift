// SPDX-License-Identifier: MIT

import RadioFormats

/// Makes the value of an `Authorization` field from a name and a password (RFC 7617).
enum BasicAuthorization {
    static func value(user: String, password: [UInt8]) -> String {
        "Basic " + (Array(user.utf8) + [UInt8(ascii: ":")] + password).base64
    }
}
