// SPDX-License-Identifier: MIT

/// Something outside of the configuration file on which one of its settings depends, with the setting's place.
///
/// A file that is missing is no fault of the configuration: its disk may be back soon, and the other stations must be
/// recorded all the same. But it is worth a warning.
package struct Expectation: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// There is a file at this absolute path.
        case file(String)
        /// There is a file or a folder at this absolute path.
        case item(String)
        /// There is a program at this absolute path.
        case program(String)
        /// The folder of this absolute path exists.
        case folder(of: String)
        /// There is a folder at this absolute path, or nothing.
        case folderOrNothing(String)
        /// The show is on at some date from today on.
        case broadcast(Show)
        /// The recordings' disk is larger than the free space to be kept. Whoever knows the disk checks it.
        case diskAboveFloor
    }

    package var kind: Kind
    package var position: TOMLPosition
    /// The key with its tables, as in ``ConfigurationFault/key``.
    package var key: String

    package init(_ kind: Kind, at position: TOMLPosition, key: String) {
        self.kind = kind
        self.position = position
        self.key = key
    }
}
