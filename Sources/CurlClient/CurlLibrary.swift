// SPDX-License-Identifier: MIT

import CLibCurl
import Glibc

/// Process-wide settings of libcurl, and of the C library's resolver, which curl uses.
package enum CurlLibrary {
    /// Makes the C library query name servers again after 2 s instead of 5, up to five times. A recovered server then
    /// answers sooner, and a dead server costs less time before a good one is asked. With a single server, a lookup
    /// ends when curl gives up on it, so no thread outlives its transfer for long. A value in the environment takes
    /// precedence.
    ///
    /// Call it early in the process, on its only thread: it sets an environment variable (`RES_OPTIONS`,
    /// resolv.conf(5)), and the charset of the process.
    package static func prepareResolver() {
        setenv("RES_OPTIONS", "timeout:2 attempts:5", 0)
        // Makes host names with letters outside ASCII work in any locale of the user: addresses here are UTF-8, but
        // curl passes a name to libidn2 in the charset of the C library's locale (setlocale(3)).
        setlocale(LC_CTYPE, "C.UTF-8")
    }

    /// Why the library cannot be used; nil if it can. Reading this initialises the library, once per process
    /// (`curl_global_init`).
    static let fault: TransferError? = {
        let result = ac_curl_global_init()
        guard result == 0 else {
            return TransferError(.resources, "libcurl could not be prepared", detail: describe(result))
        }
        let version = ac_curl_library_version()
        guard version >= oldestVersion else {
            return TransferError(
                .aborted, "libcurl \(version >> 16).\(version >> 8 & 0xff) is too old: install 7.87 or later")
        }
        return nil
    }()

    /// The host of a URL as curl parses it, in lower case; nil if there is none.
    static func host(of url: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let room = buffer.baseAddress, ac_curl_host(url, room, buffer.count) else { return nil }
            return String(cString: room).lowercased()
        }
    }

    /// curl's number and text for a result.
    static func describe(_ result: CInt) -> String {
        "curl \(result): \(String(cString: ac_curl_describe(result)))"
    }

    /// 7.87.0 in curl's encoding: from this version on, the resolver can be abandoned (`CURLOPT_QUICK_EXIT`).
    private static let oldestVersion: UInt32 = 0x07_57_00
}
