// SPDX-License-Identifier: MIT

/// What to fetch.
package struct TransferRequest: Sendable, Hashable {
    package var url: String
    /// Extra header fields, in order; names and values are checked, CR, LF and NUL are refused.
    package var headers: [(name: String, value: String)] {
        get { headerPairs.map { ($0.name, $0.value) } }
        set { headerPairs = newValue.map { HeaderPair(name: $0.name, value: $0.value) } }
    }
    package var userAgent: String
    /// Asks for ICY metadata (`Icy-MetaData: 1`).
    package var wantsMetadata: Bool
    /// Resume at this byte (`Range: bytes=N-`), and only where the entity tag or date still holds (`If-Range`).
    package var resumeAt: Int64?
    package var resumeValidator: String?
    package var connectTimeout: Duration
    /// Size of curl's receive buffer in bytes (16 KiB for a station, more for a file).
    package var receiveBuffer: Int

    private struct HeaderPair: Sendable, Hashable { var name: String, value: String }
    private var headerPairs: [HeaderPair] = []

    package init(
        url: String, userAgent: String, wantsMetadata: Bool = true, resumeAt: Int64? = nil,
        resumeValidator: String? = nil, connectTimeout: Duration = .seconds(10), receiveBuffer: Int = 16 * 1024
    ) {
        self.url = url
        self.userAgent = userAgent
        self.wantsMetadata = wantsMetadata
        self.resumeAt = resumeAt
        self.resumeValidator = resumeValidator
        self.connectTimeout = connectTimeout
        self.receiveBuffer = receiveBuffer
    }
}

/// The head of the final response (after redirects).
package struct ResponseHead: Sendable {
    package var status: Int
    /// Whether the status line was `ICY 200`.
    package var isICY: Bool
    /// Field names in lower case, in order, values trimmed. At most 64 fields and 16 KiB.
    package var fields: [(name: String, value: String)]
    /// Where the redirects ended, with credentials removed.
    package var finalURL: String
    package var redirects: Int

    package init(
        status: Int, isICY: Bool = false, fields: [(name: String, value: String)] = [], finalURL: String,
        redirects: Int = 0
    ) {
        self.status = status
        self.isICY = isICY
        self.fields = fields
        self.finalURL = finalURL
        self.redirects = redirects
    }

    /// The first value of a field; the name in lower case.
    package subscript(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }
}

/// Where a transfer stands, for deadlines and words ("connecting to …").
package enum TransferPhase: Sendable, Hashable {
    case resolving, connecting, securing, waitingForHead, receiving
}

/// Hears of one transfer. All calls come on the loop's thread; inside any of them the transfer may be cancelled.
package protocol TransferDelegate: AnyObject {
    func transfer(_ transfer: Transfer, entered phase: TransferPhase)
    /// The head of the final response, once, before the first body byte, whatever its status.
    func transfer(_ transfer: Transfer, received head: ResponseHead)
    /// Body bytes; valid during the call only. Never called while paused.
    func transfer(_ transfer: Transfer, received bytes: UnsafeRawBufferPointer)
    /// The end, exactly once, unless cancelled: nil is a proper end of the body.
    func transfer(_ transfer: Transfer, endedWith error: TransferError?)
}
