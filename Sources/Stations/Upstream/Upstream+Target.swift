// SPDX-License-Identifier: MIT

import RadioFormats

extension Upstream {
    /// What to connect to.
    struct Target {
        var url: String
        /// See ``TransferRequest/allowsPrivateAddress``.
        var allowsPrivateAddress = true
        /// Whether the server gets the user's header fields, which may hold secrets. Only servers that the user named
        /// get them. The fields are not sent after a redirect to another server.
        var sendsHeaders = true
        /// How a list, or the address, says that the address must be requested.
        var options = EntryOptions()
        /// See ``TitleTrust``.
        var wantsMetadata = true
        /// Whether metadata is looked for where the head says, even if it was not requested.
        var believesHead = true
        /// The file that the address sent in place of a station; nil if it sent no file.
        var foundFile: FoundFile?
        /// See ``FillerField/isNew``.
        var isNew = false
        /// The cookies of the station's earlier responses.
        var cookies: [String] = []
    }
}
