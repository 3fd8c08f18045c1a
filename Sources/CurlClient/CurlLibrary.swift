// SPDX-License-Identifier: MIT

import CLibCurl
import Glibc

/// libcurl as a whole, and the resolver of the C library that it asks.
package enum CurlLibrary {
    /// How the C library asks name servers: again after 2 s instead of 5, up to five times. A server that comes back is
    /// heard sooner, a dead one in front of a good one costs less, and with one server a lookup ends when curl gives up
    /// on it, so that no thread outlives its transfer for long. A value in the program's environment takes precedence.
    ///
    /// To be called early in the process, on its only thread: it sets an environment variable (`RES_OPTIONS`,
    /// resolv.conf(5)).
    package static func prepareResolver() {
        setenv("RES_OPTIONS", "timeout:2 attempts:5", 0)
    }

    /// Prepares the library once per process (`curl_global_init`), and says why it cannot be used, if so.
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

    /// The host of a URL as curl reads it, in lower case; nil where there is none.
    static func host(of url: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            guard let room = buffer.baseAddress, ac_curl_host(url, room, buffer.count) else { return nil }
            return String(cString: room).lowercased()
        }
    }

    /// curl's number and words for a result.
    static func describe(_ result: CInt) -> String {
        "curl \(result): \(String(cString: ac_curl_describe(result)))"
    }

    /// 7.87.0 as curl writes versions: the resolver can be left behind (`CURLOPT_QUICK_EXIT`).
    private static let oldestVersion: UInt32 = 0x07_57_00
}
