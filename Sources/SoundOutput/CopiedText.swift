// SPDX-License-Identifier: MIT

/// A C string whose address stays the same for as long as the object exists.
final class CopiedText {
    private let copy: UnsafeMutableBufferPointer<CChar>
    let start: UnsafePointer<CChar>

    init(_ text: String) {
        let characters = text.utf8CString
        let base = UnsafeMutablePointer<CChar>.allocate(capacity: characters.count)
        copy = UnsafeMutableBufferPointer(start: base, count: characters.count)
        _ = copy.initialize(from: characters)
        start = UnsafePointer(base)
    }

    deinit { copy.deallocate() }
}
