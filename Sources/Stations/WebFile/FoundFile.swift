// SPDX-License-Identifier: MIT

import CurlClient
import RadioCore

/// A file that was found at a station's address.
///
/// All of it has been received, so it need not be fetched again. The head of the next response identifies it.
struct FoundFile: Hashable {
    /// The file's length in bytes.
    let length: Int64
    /// Why the address does not count as the address of a station.
    let failure: Failure

    /// `name`: the redacted address. `playing`: how long the file plays.
    init(at name: String, length: Int64, playing: Duration) {
        self.length = length
        let time = HumanDuration.print(.seconds((playing + .milliseconds(500)).components.seconds))
        failure = Failure(
            .file, "\(name) is a file of \(time), not a live station",
            remedy: """
                look for the address of the live stream; Aircheck keeps trying this address, in case a live stream \
                begins there
                """)
    }

    /// Whether a response brings the same file once more. A live station announces no length, or a different length.
    func isAnnounced(by head: ResponseHead) -> Bool {
        head.status == 200 && ResponseClassifier.isOfLength(head) && ResponseClassifier.length(head) == length
    }
}
