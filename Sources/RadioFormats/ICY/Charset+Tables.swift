// SPDX-License-Identifier: MIT

extension Charset {
    /// The characters of the highest bytes, in order up to 0xff, from the Unicode Consortium's mapping tables. A byte
    /// below this range is its own code point. U+FFFD stands for a byte without a character.
    var upperHalf: String {
        switch self {
        case .utf8, .latin1: ""
        case .iso8859Part2: Self.iso8859Part2Upper
        case .iso8859Part5: Self.iso8859Part5Upper
        case .iso8859Part7: Self.iso8859Part7Upper
        case .iso8859Part9: Self.iso8859Part9Upper
        case .iso8859Part15: Self.iso8859Part15Upper
        case .windows1250: Self.windows1250Upper
        case .windows1251: Self.windows1251Upper
        case .windows1252: Self.windows1252Upper
        case .windows1253: Self.windows1253Upper
        case .windows1254: Self.windows1254Upper
        case .koi8R: Self.koi8RUpper
        case .koi8U: Self.koi8UUpper
        }
    }

    private static let iso8859Part2Upper = """
        \u{A0}Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u{AD}ŽŻ°ą˛ł´ľśˇ¸šşťź˝žż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
        ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """

    private static let iso8859Part5Upper = """
        \u{A0}ЁЂЃЄЅІЇЈЉЊЋЌ\u{AD}ЎЏАБВГДЕЖЗИЙКЛМНОП\
        РСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмноп\
        рстуфхцчшщъыьэюя№ёђѓєѕіїјљњћќ§ўџ
        """

    private static let iso8859Part7Upper = """
        \u{A0}‘’£€₯¦§¨©ͺ«¬\u{AD}�\u{2015}°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏ\
        ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ�ΣΤΥΦΧΨΩΪΫάέήί\
        ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ�
        """

    private static let iso8859Part9Upper = """
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß\
        àáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ
        """

    private static let iso8859Part15Upper = """
        \u{A0}¡¢£€¥Š§š©ª«¬\u{AD}®¯°±²³Žµ¶·ž¹º»ŒœŸ¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
        àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
        """

    private static let windows1250Upper = """
        €�‚�„…†‡�‰Š‹ŚŤŽŹ�‘’“”•\u{2013}\u{2014}�™š›śťžź\
        \u{A0}ˇ˘Ł¤Ą¦§¨©Ş«¬\u{AD}®Ż°±˛ł´µ¶·¸ąş»Ľ˝ľż\
        ŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢß\
        ŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙
        """

    private static let windows1251Upper = """
        ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•\u{2013}\u{2014}�™љ›њќћџ\
        \u{A0}ЎўЈ¤Ґ¦§Ё©Є«¬\u{AD}®Ї°±Ііґµ¶·ё№є»јЅѕї\
        АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯ\
        абвгдежзийклмнопрстуфхцчшщъыьэюя
        """

    private static let windows1252Upper = """
        €�‚ƒ„…†‡ˆ‰Š‹Œ�Ž��‘’“”•\u{2013}\u{2014}˜™š›œ�žŸ\
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞß\
        àáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ
        """

    private static let windows1253Upper = """
        €�‚ƒ„…†‡�‰�‹�����‘’“”•\u{2013}\u{2014}�™�›����\
        \u{A0}΅Ά£¤¥¦§¨©�«¬\u{AD}®\u{2015}°±²³΄µ¶·ΈΉΊ»Ό½ΎΏ\
        ΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ�ΣΤΥΦΧΨΩΪΫάέήί\
        ΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ�
        """

    private static let windows1254Upper = """
        €�‚ƒ„…†‡ˆ‰Š‹Œ����‘’“”•\u{2013}\u{2014}˜™š›œ��Ÿ\
        \u{A0}¡¢£¤¥¦§¨©ª«¬\u{AD}®¯°±²³´µ¶·¸¹º»¼½¾¿\
        ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞß\
        àáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ
        """

    private static let koi8RUpper = """
        ─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷\
        ═║╒ё╓╔╕╖╗╘╙╚╛╜╝╞╟╠╡Ё╢╣╤╥╦╧╨╩╪╫╬©\
        юабцдефгхийклмнопярстужвьызшэщчъ\
        ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ
        """

    private static let koi8UUpper = """
        ─│┌┐└┘├┤┬┴┼▀▄█▌▐░▒▓⌠■∙√≈≤≥\u{A0}⌡°²·÷\
        ═║╒ёє╔ії╗╘╙╚╛ґ╝╞╟╠╡ЁЄ╣ІЇ╦╧╨╩╪Ґ╬©\
        юабцдефгхийклмнопярстужвьызшэщчъ\
        ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧЪ
        """
}
