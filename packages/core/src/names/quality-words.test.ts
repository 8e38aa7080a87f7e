import { describe, expect, it } from "vitest"
import { REAL_COMPANIES, REAL_NAMES } from "../testing/real-names.ts"
import { qualityWord } from "./quality-words.ts"

describe("qualityWord", () => {
  it.each([
    "Anna Muster QES",
    "Anna Muster (QES)",
    "QES-Muster",
    "Anna Muster, xQES",
    "Anna Muster qes",
    "AES",
    "Anna SES",
    "ses Muster",
    "AES_MINIMAL",
    "AdES Anna",
    "Anna, FEQ",
    "Q.E.S. Muster",
    "Q-E-S",
    "Anna eIDAS",
    "Anna Zertes",
    "ZertES",
  ])("finds the acronym in “%s”", (name) => {
    expect(qualityWord(name, "person")).not.toBeNull()
  })

  it.each([
    "Qualified electronic signature",
    "Anna Muster QUALIFIED SIGNATURE",
    "qualifizierte elektronische Signatur",
    "Inhaberin eines qualifizierten Zertifikat",
    "signature électronique qualifiée",
    "cachet électronique avancé",
    "firma elettronica qualificata",
    "sigillo elettronico avanzato",
    "advanced electronic",
    "fortgeschrittene Signatur",
    "Simple electronic signature",
    "einfache elektronische Signatur",
    "firma digitale Anna",
    "signature-électronique",
    "QualifiedElectronicSignature",
    "SignatureÉlectroniqueQualifiée",
  ])("finds the phrase in “%s”", (name) => {
    expect(qualityWord(name, "person")).not.toBeNull()
  })

  it.each([
    ...[
      "Q E S",
      "Anna Q E S",
      "Q-ES",
      "Q.ES",
      "QE S",
      "q es",
      "QES1",
      "QES2026",
      "1QES",
      "eQES",
      "e-QES",
      "QESig",
      "QES-Siegel",
    ],
    ...["QESignature", "QESignatur", "Qua1ified E1ectronic S1gnature", "Qualified Electronlc Slgnature"],
    ...["Qualified-ES", "Qualified ES", "Qual. ES", "Qual ES", "e-IDAS", "eIDAS2", "eIDAS 2.0", "Zert-ES"],
    ...[
      "qualified eSignature",
      "qualified e-signature",
      "qualifiziert unterzeichnet",
      "qualifiziert signiert",
    ],
    ...["Sceau qualifié", "sceau électronique", "QSCD", "QSCD2", "Quali fied Signature", "Qualified Signed"],
    ...["firmato qualificato", "signé qualifié", "qualified signatory", "Q. ES", "Q ES", "QTSP", "Q. E. S."],
  ])("finds the disguised words in “%s”", (name) => {
    expect(qualityWord(name, "person")).not.toBeNull()
  })

  it.each([
    ...["QESsignature", "preQES", "myQES", "QESAG", "Qes Signatur", "Q|E|S", "0ES", "9ES"],
    ...["XAdES", "PAdES", "CAdES", "JAdES", "QAdES", "AdESQC", "XADES"],
    ...["QSealC", "QSigC", "QCert", "QWAC", "Q-TSP", "QSign", "Q-Signature", "qSignature"],
    ...[
      "qualif. Signatur",
      "Qualif. electr. Signature",
      "Qualified esign",
      "qualified signer",
      "qualified signing",
    ],
    ...["elektronisch signiert", "electronically signed", "digitally signed"],
  ])("finds the words in “%s”, too", (name) => {
    expect(qualityWord(name, "person")).not.toBeNull()
  })

  it.each([
    ["a reversed E", "Q\u018eS"],
    ["an O with an ogonek", "\u01eaES"],
    ["an O and a combining ogonek", "O\u0328ES"],
    ["a Cyrillic E", "Q\u042dS"],
    ["a Cherokee letter like a Q", "\u13dfES"],
    ["a Q with a stroke", "\ua756ES"],
    ["a Ukrainian letter in a phrase", "Qualifi\u0454d Signature"],
    ["an O with an ogonek in a compound", "\u01eaualifiedSignature"],
    ["Cyrillic", "\u051a\u0415\u0405"],
    ["Greek and Latin", "Q\u0395S"],
    ["full-width", "ＱＥＳ"],
    ["mathematical bold", "𝐐𝐄𝐒"],
    ["small capitals", "ꞯᴇꜱ"],
    ["circled", "ⓆⒺⓈ"],
    ["Cherokee", "Q\u13ac\u13da"],
    ["Lisu", "Q\ua4f0\ua4e2"],
    ["accented", "QÉŞ"],
    ["digits for letters", "QE5"],
    ["signs for letters", "QE$"],
    ["a Cyrillic word in a phrase", "Quаlified еlectronic signаture"],
  ])("reads %s letters as a reader does", (_, name) => {
    expect(qualityWord(`Anna Muster ${name}`, "person")).not.toBeNull()
  })

  it.each(REAL_NAMES)("finds nothing in %s", (name) => {
    expect(qualityWord(name, "person")).toBeNull()
  })

  it.each([
    ...[
      "Signe Simple",
      "Anna Es",
      "Maria E. S. Qual",
      "E. Idas",
      "Q. E. Smith",
      "Quentin Esposito",
      "Henriques",
    ],
    ...[
      "S. E. S. Meier",
      "Élise Quesnel",
      "Jean Marques",
      "Ed Von Signed",
      "Numa Seal",
      "Bill Sieber",
      "Alice Lill",
    ],
  ])("leaves %s alone", (name) => {
    expect(qualityWord(name, "person")).toBeNull()
  })

  it.each(["QE S.A.", "Q E S Consulting AG", "A-ES GmbH"])("leaves the company name %s alone", (name) => {
    expect(qualityWord(name, "company")).toBeNull()
  })

  it.each(["Ses", "Aes", "Adès", "Fea", "Fes", "Qes"])(
    "takes %s for a name, since it is spelled as one",
    (name) => {
      expect(qualityWord(name, "person")).toBeNull()
      expect(qualityWord(name.toUpperCase(), "person")).not.toBeNull()
    },
  )

  it.each(REAL_COMPANIES)("finds nothing in the company name %s", (name) => {
    expect(qualityWord(name, "company")).toBeNull()
  })

  it.each(["UBS AG (QES)", "Qualified Signature AG", "Advanced Electronic Signatures Ltd"])(
    "finds the words in the company name “%s”",
    (name) => {
      expect(qualityWord(name, "company")).not.toBeNull()
    },
  )

  it("does not take a number for an acronym", () => {
    expect(qualityWord("Muster 535", "person")).toBeNull()
  })

  it("answers at once for long hostile words", () => {
    const started = process.cpuUsage()
    for (const word of ["SIGNATURE", "QUALIFIZIERTE", "CERTIFICATO", "DIGITALE"])
      expect(qualityWord(`${word.repeat(120)}x`, "person")).toBeNull()
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
  })
})
