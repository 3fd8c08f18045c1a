// SPDX-License-Identifier: MIT

import Glibc
import Platform
import Testing

struct MemoryFileTests {
    /// The largest size is more than a pipe would hold without a reader.
    @Test("A memory file of any size is read from its beginning", arguments: [0, 1, 300_000])
    func fromBeginning(count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let file = try Descriptor.memory(bytes)
        var room = [UInt8](repeating: 0, count: count + 1)
        #expect(read(file.number, &room, room.count) == count)
        #expect(Array(room.prefix(count)) == bytes)
    }
}
