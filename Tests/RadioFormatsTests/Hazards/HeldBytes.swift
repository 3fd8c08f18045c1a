// SPDX-License-Identifier: MIT

/// How many bytes the byte arrays of a value hold, including those of nested values.
func heldBytes(_ value: Any) -> Int {
    if let bytes = value as? [UInt8] { return bytes.capacity }
    return Mirror(reflecting: value).children.reduce(0) { $0 + heldBytes($1.value) }
}
