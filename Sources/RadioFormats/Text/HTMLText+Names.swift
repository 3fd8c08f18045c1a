// SPDX-License-Identifier: MIT

extension HTMLText {
    /// The characters by the names of their references: those of HTML 4, and the Latin letters and punctuation of
    /// HTML 5. Names and characters alternate.
    static let names: [String: Unicode.Scalar] = {
        // Not split by characters, because a joiner would be one character with the blank before it.
        let words = table.unicodeScalars.split(separator: " ")
        var names: [String: Unicode.Scalar] = [:]
        for place in stride(from: 0, to: words.count - 1, by: 2) {
            names[String(words[place])] = words[place + 1].first
        }
        return names
    }()

    private static let table = """
        excl ! quot \u{22} num # amp & apos ' lpar ( rpar ) comma , period . sol / colon : semi ; lt < gt > \
        quest ? commat @ lsqb [ rsqb ] nbsp \u{A0} iexcl ¡ cent ¢ pound £ curren ¤ yen ¥ brvbar ¦ sect § uml ¨ \
        copy © ordf ª laquo « not ¬ shy \u{AD} reg ® macr ¯ deg ° plusmn ± sup2 ² sup3 ³ acute ´ micro µ para ¶ \
        middot · cedil ¸ sup1 ¹ ordm º raquo » frac14 ¼ frac12 ½ frac34 ¾ iquest ¿ Agrave À Aacute Á Acirc Â \
        Atilde Ã Auml Ä Aring Å AElig Æ Ccedil Ç Egrave È Eacute É Ecirc Ê Euml Ë Igrave Ì Iacute Í Icirc Î \
        Iuml Ï ETH Ð Ntilde Ñ Ograve Ò Oacute Ó Ocirc Ô Otilde Õ Ouml Ö times × Oslash Ø Ugrave Ù Uacute Ú \
        Ucirc Û Uuml Ü Yacute Ý THORN Þ szlig ß agrave à aacute á acirc â atilde ã auml ä aring å aelig æ \
        ccedil ç egrave è eacute é ecirc ê euml ë igrave ì iacute í icirc î iuml ï eth ð ntilde ñ ograve ò \
        oacute ó ocirc ô otilde õ ouml ö divide ÷ oslash ø ugrave ù uacute ú ucirc û uuml ü yacute ý thorn þ \
        yuml ÿ Amacr Ā amacr ā Abreve Ă abreve ă Aogon Ą aogon ą Cacute Ć cacute ć Ccirc Ĉ ccirc ĉ Cdot Ċ cdot ċ \
        Ccaron Č ccaron č Dcaron Ď dcaron ď Dstrok Đ dstrok đ Emacr Ē emacr ē Edot Ė edot ė Eogon Ę eogon ę \
        Ecaron Ě ecaron ě Gcirc Ĝ gcirc ĝ Gbreve Ğ gbreve ğ Gdot Ġ gdot ġ Gcedil Ģ Hcirc Ĥ hcirc ĥ Hstrok Ħ \
        hstrok ħ Itilde Ĩ itilde ĩ Imacr Ī imacr ī Iogon Į iogon į Idot İ imath ı inodot ı IJlig Ĳ ijlig ĳ \
        Jcirc Ĵ jcirc ĵ Kcedil Ķ kcedil ķ kgreen ĸ Lacute Ĺ lacute ĺ Lcedil Ļ lcedil ļ Lcaron Ľ lcaron ľ \
        Lmidot Ŀ lmidot ŀ Lstrok Ł lstrok ł Nacute Ń nacute ń Ncedil Ņ ncedil ņ Ncaron Ň ncaron ň napos ŉ ENG Ŋ \
        eng ŋ Omacr Ō omacr ō Odblac Ő odblac ő OElig Œ oelig œ Racute Ŕ racute ŕ Rcedil Ŗ rcedil ŗ Rcaron Ř \
        rcaron ř Sacute Ś sacute ś Scirc Ŝ scirc ŝ Scedil Ş scedil ş Scaron Š scaron š Tcedil Ţ tcedil ţ \
        Tcaron Ť tcaron ť Tstrok Ŧ tstrok ŧ Utilde Ũ utilde ũ Umacr Ū umacr ū Ubreve Ŭ ubreve ŭ Uring Ů uring ů \
        Udblac Ű udblac ű Uogon Ų uogon ų Wcirc Ŵ wcirc ŵ Ycirc Ŷ ycirc ŷ Yuml Ÿ Zacute Ź zacute ź Zdot Ż zdot ż \
        Zcaron Ž zcaron ž fnof ƒ circ ˆ tilde ˜ Alpha Α Beta Β Gamma Γ Delta Δ Epsilon Ε Zeta Ζ Eta Η Theta Θ \
        Iota Ι Kappa Κ Lambda Λ Mu Μ Nu Ν Xi Ξ Omicron Ο Pi Π Rho Ρ Sigma Σ Tau Τ Upsilon Υ Phi Φ Chi Χ Psi Ψ \
        Omega Ω alpha α beta β gamma γ delta δ epsilon ε zeta ζ eta η theta θ iota ι kappa κ lambda λ mu μ nu ν \
        xi ξ omicron ο pi π rho ρ sigmaf ς sigma σ tau τ upsilon υ phi φ chi χ psi ψ omega ω thetasym ϑ upsih ϒ \
        piv ϖ ensp \u{2002} emsp \u{2003} thinsp \u{2009} zwnj \u{200C} zwj \u{200D} lrm \u{200E} rlm \u{200F} \
        hyphen ‐ ndash – mdash — lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • \
        hellip … permil ‰ prime ′ Prime ″ lsaquo ‹ rsaquo › oline ‾ frasl ⁄ euro € image ℑ weierp ℘ real ℜ \
        trade ™ alefsym ℵ larr ← uarr ↑ rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ \
        part ∂ exist ∃ empty ∅ nabla ∇ isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ \
        ang ∠ and ∧ or ∨ cap ∩ cup ∪ int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ \
        nsub ⊄ sube ⊆ supe ⊇ oplus ⊕ otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lang 〈 rang 〉 \
        loz ◊ spades ♠ clubs ♣ hearts ♥ diams ♦
        """
}
