// SPDX-License-Identifier: MIT

import CurlClient

/// The beginning of a file, as a station's connection has received it: enough to begin a ``FileSurvey``, which need not
/// request it again.
package struct FileBeginning: Sendable {
    let answer: RangeFetch.Answer

    /// How many bytes it has, unless the file is shorter. They cover the first read of a ``FileInspection``, even
    /// behind a tag without a picture.
    static let length = 80 << 10

    /// Nil if the head does not say how long the file is, or if more of the file must be received.
    init?(_ bytes: [UInt8], of head: ResponseHead) {
        guard head.status == 200, let size = ResponseClassifier.length(head),
            bytes.count >= min(size, Int64(Self.length))
        else { return nil }
        answer = RangeFetch.Answer(
            bytes: bytes, size: size, validator: FileBody.validator(head), contentType: head["content-type"])
    }
}
