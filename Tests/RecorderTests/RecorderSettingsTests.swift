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

    @Test("A setting that is not given stays as it is") func absent() throws {
        let settings = try read()
        #expect(settings.policy == .standard && settings.titleOffset == .zero)
        #expect(settings.name == nil && settings.template == .standard)
    }

    @Test("A setting that is given is set") func given() throws {
        let settings = try read(segment: "title", name: "{artist}/{title}", titleOffset: "-1500ms")
        #expect(settings.policy == .title && settings.name?.text == "{artist}/{title}")
        #expect(settings.titleOffset == .milliseconds(-1_500))
    }

    @Test(
        "A nonsensical value is reported as the fault of its setting",
        arguments: [
            (SettingField.segment, "3 hours", "unit"), (.segment, "", "missing"), (.name, "%Q", "%Q"),
            (.name, "{nonsense}", "nonsense"), (.titleOffset, "2", "unit"), (.titleOffset, "--2s", "negative"),
            (.titleOffset, "61s", "minute"), (.titleOffset, "-61s", "minute"), (.titleOffset, "", "missing"),
        ])
    func nonsense(field: SettingField, text: String, word: String) {
        let fault = #expect(throws: SettingFault.self) {
            try read(
                segment: field == .segment ? text : nil, name: field == .name ? text : nil,
                titleOffset: field == .titleOffset ? text : nil)
        }
        #expect(fault?.field == field)
        #expect(fault?.description.contains(word) == true, "\(fault?.description ?? "accepted")")
    }
}
