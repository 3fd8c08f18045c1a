// SPDX-License-Identifier: MIT

import CLibCurl

/// libcurl as a whole.
enum CurlLibrary {
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

    /// curl's number and words for a result.
    static func describe(_ result: CInt) -> String {
        "curl \(result): \(String(cString: ac_curl_describe(result)))"
    }

    /// 7.87.0 as curl writes versions: the resolver can be left behind (`CURLOPT_QUICK_EXIT`).
    private static let oldestVersion: UInt32 = 0x07_57_00
}
