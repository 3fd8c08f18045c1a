// SPDX-License-Identifier: MIT

import RadioFormats

extension Sidecar.Stretch {
    package var range: Range<Int64> { position..<position + frames }

    /// The part that lies in `frames`; nil if there is none.
    package func clamped(to frames: Range<Int64>) -> Self? {
        let common = range.clamped(to: frames)
        return common.isEmpty ? nil : part(frames: Int64(common.count), at: common.lowerBound)
    }

    /// A part of the stretch: `frames` frames at `position`. Its length assumes that all frames are equally long.
    package func part(frames: Int64, at position: Int64) -> Self {
        let share = Double(frames) / Double(max(1, self.frames))
        return Self(
            at: at, milliseconds: Int64(clampingRounded: Double(milliseconds) * share), position: position,
            frames: frames, by: by)
    }
}
