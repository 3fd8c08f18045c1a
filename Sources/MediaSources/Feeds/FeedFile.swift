// SPDX-License-Identifier: MIT

import RadioFormats

/// A podcast's feed that was saved on disk. Reading it blocks.
enum FeedFile {
    /// Reads the feed at a path. Nil if the file is not a feed, which its first bytes decide. Throws if it is a feed
    /// that cannot be read.
    static func feed(_ path: String) throws(FeedError) -> Feed? {
        let recognizer = StreamRecognizer(contentType: nil, url: path)
        guard let head = FileReader.beginning(of: path, atMost: StreamRecognizer.limit),
            head.withUnsafeBytes({ recognizer.guess($0, isComplete: true).isFeed }),
            let bytes = FileReader.beginning(of: path, atMost: FeedParser.longestBody + 1)
        else { return nil }
        return try FeedParser.feed(in: bytes, from: path)
    }
}
