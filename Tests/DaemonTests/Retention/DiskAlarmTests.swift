// SPDX-License-Identifier: MIT

import RadioCore
import Testing

@testable import Daemon

/// When people are told about the disk.
struct DiskAlarmTests {
    @Test("A full disk is told even if it was low from the start, and its end is told once") func fullAfterLow() {
        var alarm = DiskAlarm()
        #expect(alarm.note(isLow: true, isFull: false) == .low)
        #expect(alarm.note(isLow: true, isFull: false) == nil)
        #expect(alarm.note(isLow: true, isFull: true) == .full)
        #expect(alarm.note(isLow: true, isFull: true) == nil)
        #expect(alarm.note(isLow: true, isFull: false) == nil)
        #expect(alarm.note(isLow: false, isFull: false) == .well)
        #expect(alarm.note(isLow: false, isFull: false) == nil)
        #expect(alarm.note(isLow: true, isFull: false) == .low)
    }

    @Test("A disk at its limit, which is full and has room in turn, is told once") func flapping() {
        var alarm = DiskAlarm()
        #expect(alarm.note(isLow: true, isFull: true) == .full)
        for _ in 0..<5 {
            #expect(alarm.note(isLow: true, isFull: false) == nil)
            #expect(alarm.note(isLow: true, isFull: true) == nil)
        }
        #expect(alarm.note(isLow: false, isFull: false) == .well)
    }

    @Test("A full disk on which deleting makes room at once is not told, but one that stays full is")
    func roomAtOnce() {
        var alarm = DiskAlarm()
        #expect(alarm.note(isLow: false, isFull: true) == nil)
        #expect(alarm.note(isLow: false, isFull: false) == nil)
        #expect(alarm.note(isLow: false, isFull: true) == nil)
        #expect(alarm.note(isLow: false, isFull: true) == .full)
        #expect(alarm.note(isLow: false, isFull: false) == .well)
    }
}
