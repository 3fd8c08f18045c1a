// SPDX-License-Identifier: MIT

import RadioCore
import Recorder
import Testing

/// The settings of a recording as people write them.
struct RecorderSettingsTests {
    private func read(
        segment: String? = nil, name: String? = nil, titleOffset: String? = nil
    ) throws
        -> RecorderSettings
    {
        var settings = RecorderSettings(recording: "x", zone: FixedZone.utc)
        try settings.read(segment: segment, name: name, titleOffset: titleOffset)
        return settings
    }

    @Test func `what is not said stays as it is`() throws {
        let settings = try read()
        #expect(settings.policy == .standard && settings.titleOffset == .zero)
        #expect(settings.name == nil && settings.template == .standard)
    }

    @Test func `what is said is set`() throws {
        let settings = try read(segment: "title", name: "{artist}/{title}", titleOffset: "-1500ms")
        #expect(settings.policy == .title && settings.name?.text == "{artist}/{title}")
        #expect(settings.titleOffset == .milliseconds(-1_500))
    }

    @Test(arguments: [
        (SettingField.segment, "3 hours", "unit"), (.segment, "", "missing"), (.name, "%Q", "%Q"),
        (.name, "{nonsense}", "nonsense"), (.titleOffset, "2", "unit"), (.titleOffset, "--2s", "negative"),
        (.titleOffset, "61s", "minute"), (.titleOffset, "-61s", "minute"), (.titleOffset, "", "missing"),
    ])
    func `what makes no sense is the fault of its setting`(field: SettingField, text: String, word: String) {
        let fault = #expect(throws: SettingFault.self) {
            try read(
                segment: field == .segment ? text : nil, name: field == .name ? text : nil,
                titleOffset: field == .titleOffset ? text : nil)
        }
        #expect(fault?.field == field)
        #expect(fault?.description.contains(word) == true, "\(fault?.description ?? "accepted")")
    }
}
