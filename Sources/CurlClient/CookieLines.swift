// SPDX-License-Identifier: MIT

import CLibCurl
import Glibc

/// The cookies of a transfer as text, so that they can be given to the next transfer of the same user. curl's engine
/// decides which of them a server gets, except for plain requests. They are kept in memory only.
package enum CookieLines {
    /// The most cookies that are kept, and the most bytes of all of them: servers choose both.
    static let (mostCookies, mostBytes) = (50, 16 * 1024)

    /// The valid cookies of a handle, each as a line of Netscape's format.
    static func read(_ handle: OpaquePointer) -> [String] {
        var lines: [String] = []
        withUnsafeMutablePointer(to: &lines) { ac_curl_each_cookie(handle, cookieHook, $0) }
        // curl also lists cookies that have expired or were deleted, until it adds another one.
        let now = time(nil)
        return bounded(lines.filter { !isExpired($0, at: now) })
    }

    private static func isExpired(_ line: String, at now: time_t) -> Bool {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        guard parts.count == 7, let end = time_t(parts[4]) else { return false }
        // 0 marks a cookie without such a time.
        return end != 0 && end < now
    }

    /// The lines of `old` after a response. `sent`: those that its request brought; `new`: all cookies known after it.
    /// A new line replaces an old one with the same domain, path and name. A line that was sent and is not among the
    /// new ones has been deleted by its server, or has expired.
    package static func merged(_ old: [String], sent: [String], _ new: [String]) -> [String] {
        let (replaced, sent) = (Set(new.map(key)), Set(sent))
        return bounded(new + old.filter { !replaced.contains(key($0)) && !sent.contains($0) })
    }

    /// What tells a cookie from others: domain, path and name. A line in another format stands for itself.
    private static func key(_ line: String) -> [Substring] {
        let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
        return parts.count == 7 ? [domain(parts[0]), parts[2], parts[5]] : [line[...]]
    }

    /// The domain of a line without what may precede it.
    private static func domain(_ text: Substring) -> Substring {
        let name = text.hasPrefix(httpOnly) ? text.dropFirst(httpOnly.count) : text
        return name.drop { $0 == "." }
    }

    private static func bounded(_ lines: [String]) -> [String] {
        var bytes = 0
        return lines.prefix(mostCookies).filter { line in
            bytes += line.utf8.count
            return bytes <= mostBytes
        }
    }
}

extension CookieLines {
    /// The value of the `Cookie` field for a plain request, by the rules of RFC 6265, section 5.4; nil if no cookie is
    /// for this server and path.
    package static func field(_ lines: [String], host: String, path: String, isSecure: Bool) -> String? {
        let pairs = lines.compactMap { line -> String? in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count == 7 else { return nil }
            let domain = domain(parts[0])
            let isForHost = host == domain || parts[1] == "TRUE" && host.hasSuffix("." + domain)
            let isForPath = path == parts[2] || path.hasPrefix(parts[2].hasSuffix("/") ? parts[2] : parts[2] + "/")
            return isForHost && isForPath && (isSecure || parts[3] != "TRUE") ? "\(parts[5])=\(parts[6])" : nil
        }
        return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
    }

    /// Precedes the domain of a cookie that pages may not read.
    private static let httpOnly = "#HttpOnly_"
}

private func cookieHook(_ context: UnsafeMutableRawPointer, _ line: UnsafePointer<CChar>) {
    context.assumingMemoryBound(to: [String].self).pointee.append(String(cString: line))
}
