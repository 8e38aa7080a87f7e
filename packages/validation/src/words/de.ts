import type { Words } from "./words.ts"

export const de: Words = {
  indications: {
    "TOTAL-PASSED": {
      heading: "Gültig",
      sentence: "Die Signatur ist echt, und was signiert wurde, ist unverändert.",
    },
    INDETERMINATE: {
      heading: "Nicht entscheidbar",
      sentence: "Es fehlen Belege, um die Signatur gültig zu nennen; ein Beweis dagegen liegt nicht vor.",
    },
    "TOTAL-FAILED": {
      heading: "Nicht gültig",
      sentence: "Die Signatur hält der Prüfung nicht stand. Verlassen Sie sich nicht darauf.",
    },
  },
  validButFilled:
    "Die Signatur ist echt. Nach ihr wurden Formularfelder ausgefüllt; sie sind bei ihr aufgeführt.",
  changedAfterwards:
    "Das Dokument wurde nach dieser Signatur geändert. Vergleichen Sie es mit dem, was signiert wurde, bevor Sie sich darauf verlassen.",
  documents: {
    "TOTAL-PASSED": "Alle Signaturen dieses Dokuments sind gültig.",
    INDETERMINATE: "Nicht jede Signatur dieses Dokuments lässt sich als gültig bestätigen.",
    "TOTAL-FAILED": "Mindestens eine Signatur dieses Dokuments ist nicht gültig.",
    unsigned: "Dieses Dokument trägt keine elektronische Signatur.",
  },
  subIndications: {
    FORMAT_FAILURE:
      "Die Signatur ist nicht so aufgebaut, wie sie sein müsste, oder das Dokument wurde auf eine Weise geändert, die keine Regel erlaubt.",
    HASH_FAILURE: "Das Dokument ist nicht das, welches signiert wurde.",
    SIG_CRYPTO_FAILURE: "Die Signatur passt nicht zum Zertifikat der unterzeichnenden Person.",
    REVOKED: "Das Zertifikat war widerrufen, als die Signatur entstand.",
    EXPIRED: "Das Zertifikat war abgelaufen, als die Signatur entstand.",
    NOT_YET_VALID: "Die Signatur entstand, bevor ihr Zertifikat gültig war.",
    SIG_CONSTRAINTS_FAILURE: "Der Signatur fehlt etwas, das die Regeln dieser Prüfung verlangen.",
    CHAIN_CONSTRAINTS_FAILURE: "Ein Zertifikat ist nicht für das bestimmt, wofür es gebraucht wurde.",
    CERTIFICATE_CHAIN_GENERAL_FAILURE: "Nicht alles, was für das Zertifikat bürgt, liess sich bestätigen.",
    CRYPTO_CONSTRAINTS_FAILURE: "Es wurde ein Verfahren benutzt, das damals nicht mehr sicher war.",
    POLICY_PROCESSING_ERROR: "Die Regeln, welche die Signatur nennt, liessen sich nicht anwenden.",
    SIGNATURE_POLICY_NOT_AVAILABLE: "Die Regeln, welche die Signatur nennt, waren nicht erhältlich.",
    TIMESTAMP_ORDER_FAILURE: "Die Zeiten der Zeitstempel widersprechen sich.",
    NO_SIGNING_CERTIFICATE_FOUND:
      "Es lässt sich nicht feststellen, mit welchem Zertifikat die Signatur gemacht wurde.",
    NO_CERTIFICATE_CHAIN_FOUND: "Das Zertifikat stammt von niemandem, dem hier vertraut wird.",
    NO_CERTIFICATE_CHAIN_FOUND_NO_POE:
      "Das Zertifikat stammt von niemandem, dem heute vertraut wird, und nichts beweist, dass die Signatur älter ist.",
    REVOKED_NO_POE:
      "Das Zertifikat wurde widerrufen, und nichts beweist, dass die Signatur vorher entstanden ist.",
    REVOKED_CA_NO_POE:
      "Ein Aussteller des Zertifikats wurde widerrufen, und nichts beweist, dass die Signatur vorher entstanden ist.",
    OUT_OF_BOUNDS_NOT_REVOKED:
      "Das Zertifikat liegt ausserhalb seiner Gültigkeitsdauer; soweit bekannt, wurde es nicht widerrufen.",
    OUT_OF_BOUNDS_NO_POE:
      "Das Zertifikat liegt ausserhalb seiner Gültigkeitsdauer, und nichts beweist, dass es beim Signieren gültig war.",
    REVOCATION_OUT_OF_BOUNDS_NO_POE:
      "Auf die Stelle, die das Zertifikat bestätigt hat, ist heute kein Verlass mehr.",
    CRYPTO_CONSTRAINTS_FAILURE_NO_POE:
      "Es wurde ein Verfahren benutzt, das nicht mehr sicher ist, und nichts beweist, dass es beim Signieren noch sicher war.",
    NO_POE: "Nichts beweist, wann die Signatur entstanden ist.",
    TRY_LATER: "Es braucht neuere Angaben zum Zertifikat; sie liegen vielleicht später vor.",
    SIGNED_DATA_NOT_FOUND: "Hier gibt es nichts, was signiert wurde.",
  },
  reasons: {
    "byte-range":
      "Es ist nicht klar, welchen Teil der Datei diese Signatur abdeckt; so lässt sich Signiertes unbemerkt austauschen ({fault}).",
    "sub-filter": "Diese Art von Signatur ist hier nicht bekannt ({subFilter}).",
    "cms-unreadable": "Die Signatur selbst ist nicht lesbar.",
    "not-one-signer":
      "Die Signatur hat nicht genau eine unterzeichnende Person; es ist daher nicht klar, von wem sie stammt.",
    "content-inside": "Die Signatur bringt einen eigenen Inhalt mit, statt über dieses Dokument zu gehen.",
    "undefined-changes":
      "Nach dieser Signatur wurde das Dokument auf eine Weise geändert, die keine Regel erklärt ({path}).",
    "value-replaced":
      "Der Wert des Formularfelds {field} wurde nach dieser Signatur geändert. Es ist nicht mehr der Wert, der signiert wurde.",
    "value-unsigned":
      "Das Formularfeld {field} wurde nach dieser Signatur ausgefüllt, und keine spätere Signatur umfasst seinen Wert.",
    "filled-later":
      "Formularfelder, die bei dieser Signatur leer waren, wurden später ausgefüllt, und eine spätere Signatur umfasst sie: {field}.",
    "looks-different": "Die Seite {page} sieht anders aus als beim Signieren.",
    "not-all-compared": "Nicht alle geänderten Seiten liessen sich mit dem Signierten vergleichen.",
    "no-signing-certificate": "Das Zertifikat der unterzeichnenden Person fehlt.",
    "other-certificate-named": "Die Signatur nennt ein anderes Zertifikat als das mitgelieferte.",
    "algorithm-unknown":
      "Die Signatur wurde mit einem Verfahren gemacht, das hier nicht bekannt ist oder nicht unterstützt wird.",
    "signed-attributes": "Die mitsignierten Angaben sind nicht in Ordnung.",
    "content-type": "Die Signatur gibt an, über etwas anderes als ein Dokument zu gehen.",
    "document-changed": "Was signiert wurde, ist seither verändert worden.",
    "algorithms-exchanged": "Das Verfahren, das die Signatur angibt, ist nicht das mitsignierte.",
    "signature-wrong":
      "Die Signatur wurde nicht mit dem Schlüssel gemacht, der zum Zertifikat gehört, oder sie ist beschädigt.",
    "no-chain": "Das Zertifikat stammt von niemandem, dem hier vertraut wird.",
    "chain-invalid": "Das Zertifikat von {certificate} ist nicht in Ordnung ({reason}).",
    "key-usage": "Das Zertifikat von {certificate} ist nicht zum Signieren von Dokumenten bestimmt.",
    "no-revocation-information":
      "Niemand konnte sagen, ob das Zertifikat von {certificate} widerrufen worden ist.",
    "on-hold":
      "Das Zertifikat von {certificate} ist gesperrt (seit: {since}); es kann wieder freigegeben werden.",
    revoked:
      "Das Zertifikat von {certificate} wurde am {since} widerrufen ({reason}); nichts beweist, dass die Signatur vorher entstanden ist.",
    "revocation-information-old":
      "Die Auskunft darüber, ob das Zertifikat von {certificate} widerrufen wurde, ist zu alt (vom {thisUpdate}).",
    "revocation-information-weak":
      "Die Auskunft darüber, ob das Zertifikat von {certificate} widerrufen wurde, ist durch {algorithm} geschützt, {until}.",
    "revocation-issuer-ended":
      "Auf die Stelle, die bestätigt hat, dass das Zertifikat von {certificate} nicht widerrufen war, ist kein Verlass mehr: Ihr eigenes Zertifikat ist abgelaufen.",
    "certificate-weak": "Das Zertifikat von {certificate} ist durch {algorithm} geschützt, {until}.",
    expired: "Das Zertifikat von {certificate} ist am {notAfter} abgelaufen.",
    "not-yet-valid": "Das Zertifikat von {certificate} gilt erst ab {notBefore}.",
    "signature-weak": "Die Signatur benutzt {algorithm}, {until}.",
    "no-signing-time": "Die Signatur sagt nicht, wann sie entstanden ist.",
    "signing-time-outside-certificate":
      "Als ihre Zeit gibt die Signatur an: {time}; damals war das Zertifikat von {certificate} nicht gültig.",
    "certificate-not-named":
      "Die Signatur nennt ihr Zertifikat nicht; es könnte daher ausgetauscht worden sein.",
    "signed-before-certificate":
      "Die Signatur ist älter als das Zertifikat von {certificate}, mit dem sie gemacht sein soll.",
    "signed-after-certificate":
      "Bewiesen ist nur, dass es die Signatur gab, nachdem das Zertifikat von {certificate} abgelaufen war.",
    "timestamp-unreadable": "Der Zeitstempel ist nicht lesbar.",
    "timestamp-over-other-bytes":
      "Der Zeitstempel gilt für etwas anderes als für dieses Dokument oder diese Signatur.",
    "timestamp-certificate-not-named":
      "Der Zeitstempel nennt sein Zertifikat nicht und beweist daher nichts.",
    "not-for-timestamps": "Das Zertifikat von {certificate} ist nicht für Zeitstempel bestimmt.",
    "changed-after-timestamp":
      "Ein Zeitstempel über das ganze Dokument passt nicht mehr dazu: In der Datei wurde danach etwas verändert.",
    "qualification-certificate-unreadable":
      "Das Zertifikat sagt nicht in lesbarer Form, welchen Rang es nach dem Gesetz hat.",
    "qualification-declared-anchor":
      "Den Rang der Signatur hat der Betreiber dieses Dienstes für diesen Aussteller festgelegt.",
    "qualification-for-websites":
      "Nach {law} ist das Zertifikat eines für Websites und nicht für Signaturen.",
    "qualification-changed":
      "Nach {law} hatte das Zertifikat bei der Ausstellung einen anderen Rang als beim Gebrauch.",
    "qualification-list-expired":
      "Die amtliche Liste der Vertrauensdienste nach {law} ist veraltet und wurde nicht verwendet.",
    "qualification-no-service": "Nach {law} stand der Aussteller {when} nicht auf der amtlichen Liste.",
    "qualification-not-granted":
      "Nach {law} war der Aussteller {when} nicht für qualifizierte Zertifikate zugelassen.",
    "qualification-services-differ": "Die amtliche Liste nach {law} widerspricht sich zum Aussteller {when}.",
    "qualification-list-inconsistent":
      "Die amtliche Liste nach {law} widerspricht sich zum Zertifikat {when}.",
    "qualification-list-not-understood":
      "Die amtliche Liste nach {law} sagt zum Zertifikat {when} etwas, das hier nicht verstanden wird.",
    "qualification-not-for-this-use":
      "Nach {law} war der Aussteller {when} nicht für Zertifikate dieser Art zugelassen.",
    "qualification-not-qualified-by-list":
      "Laut der amtlichen Liste nach {law} war das Zertifikat {when} kein qualifiziertes.",
    "qualification-not-qualified-by-certificate": "Nach {law} war das Zertifikat {when} kein qualifiziertes.",
    "qualification-use-unclear": "Nach {law} ist nicht klar, wofür das Zertifikat {when} bestimmt war.",
    "qualification-two-uses":
      "Nach {law} war das Zertifikat {when} für zwei Zwecke zugleich bestimmt, was nicht erlaubt ist.",
    "qualification-device-unclear":
      "Nach {law} ist nicht klar, ob der Schlüssel {when} in einem zugelassenen sicheren Gerät lag.",
    "qualification-no-device":
      "Nach {law} lag der Schlüssel {when} nicht in einem zugelassenen sicheren Gerät.",
  },
  qualities: {
    SES: "einfache elektronische Signatur (SES)",
    AES: "fortgeschrittene elektronische Signatur (AES)",
    QES: "qualifizierte elektronische Signatur (QES)",
  },
  legislations: {
    WORLD: "kein Gesetz, das ihr einen eigenen Rang gibt",
    CH: "Schweizer Recht (ZertES)",
    EU: "Recht der Europäischen Union (eIDAS)",
    CH_EU: "Schweizer Recht (ZertES) und Recht der Europäischen Union (eIDAS)",
  },
  levels: {
    "PAdES-BASELINE-B": "Signatur ohne Zeitbeweis (PAdES-BASELINE-B)",
    "PAdES-BASELINE-T": "Signatur mit Zeitbeweis (PAdES-BASELINE-T)",
    "PAdES-BASELINE-LT": "Signatur mit Zeitbeweis und Prüfdaten (PAdES-BASELINE-LT)",
    "PAdES-BASELINE-LTA": "Signatur für die Langzeitaufbewahrung (PAdES-BASELINE-LTA)",
    "PDF-NOT-ETSI": "PDF-Signatur älterer Art (PDF-NOT-ETSI)",
  },
  coverages: {
    ENTIRE_FILE: "die ganze Datei",
    ENTIRE_REVISION: "das ganze Dokument, wie es beim Signieren war; später kam etwas dazu",
    PARTIAL: "nur ein Teil des Dokuments",
  },
  changes: {
    signature: "eine weitere Signatur",
    "form-fill": "ein ausgefülltes Formularfeld",
    annotation: "ein Kommentar oder eine Notiz",
    "validation-data": "Daten für die spätere Prüfung",
    timestamp: "ein Zeitstempel",
    metadata: "Angaben über das Dokument",
    structure: "der innere Aufbau des Dokuments",
    page: "eine Seite",
    content: "der Inhalt einer Seite",
    font: "eine Schrift",
    image: "ein Bild",
    action: "etwas, das das Dokument von selbst tut",
    other: "etwas anderes",
    visual: "das Aussehen einer Seite",
  },
  fills: {
    later: "vorher leer, von einer späteren Signatur umfasst",
    replaced: "ersetzt den Wert, der signiert wurde",
    unsigned: "von keiner späteren Signatur umfasst",
  },
  blocks: {
    "format-checking": "Form der Signatur",
    "identification-of-the-signing-certificate": "Wer signiert hat",
    "x509-certificate-validation": "Zertifikate",
    "cryptographic-verification": "Echtheit",
    "signature-acceptance-validation": "Regeln dieser Prüfung",
    basic: "Urteil nach heutigem Stand",
    "long-term": "Urteil mit Zeitbeweis",
    archival: "Urteil mit allen Belegen aus der Vergangenheit",
  },
  values: {
    nameless: "jemandem ohne Namen",
    unknownAlgorithm: "ein unbekanntes Verfahren",
    weakSince: "was seit dem {day} nicht mehr als sicher gilt",
    weakAlways: "was nicht als sicher gilt",
    laws: { EU: "EU-Recht", CH: "Schweizer Recht" },
    whens: { signing: "beim Signieren", issuance: "bei der Ausstellung des Zertifikats" },
    revocations: {
      unspecified: "ohne Angabe eines Grundes",
      keyCompromise: "der Schlüssel ist vielleicht in andere Hände gelangt",
      cACompromise: "der Schlüssel des Ausstellers ist vielleicht in andere Hände gelangt",
      affiliationChanged: "die Angaben zur Person oder Firma haben sich geändert",
      superseded: "durch ein anderes ersetzt",
      cessationOfOperation: "nicht mehr in Gebrauch",
      certificateHold: "gesperrt",
      removeFromCRL: "wieder freigegeben",
      privilegeWithdrawn: "das Recht darauf wurde entzogen",
      aACompromise: "der Schlüssel der bestätigenden Stelle ist vielleicht in andere Hände gelangt",
    },
  },
  report: {
    title: "Bericht über die Prüfung elektronischer Signaturen",
    subtitle: "Beurteilt nach der europäischen Norm ETSI EN 319 102-1",
    fileName: "Dateiname",
    fingerprint: "Fingerabdruck (SHA-256)",
    size: "Grösse",
    bytes: "{count} Bytes",
    format: "Format",
    producer: "Erzeugt mit (eigene Angabe)",
    validatedAt: "Geprüft am",
    policy: "Regeln",
    number: "Berichtsnummer",
    signatures: "Signaturen",
    validOf: "{valid} von {all} gültig",
    signature: "Signatur {n}",
    verdict: "Urteil",
    signer: "Signiert von",
    unknownSigner: "Unterzeichnende Person unbekannt",
    time: "Zeit",
    timeProofs: {
      "time-stamp": "durch einen Zeitstempel bewiesen",
      claim: "eigene Angabe, nicht bewiesen",
      none: "weder angegeben noch bewiesen",
    },
    claimedTime: "Selbst angegebene Zeit",
    quality: "Art",
    legislation: "Nach Gesetz",
    longTerm: "Langzeitprüfung",
    longTermYes: "Ja: Die Belege liegen im Dokument und lassen sich noch nach Jahren prüfen.",
    longTermNo: "Nein: Das Dokument enthält nicht alle Belege, die es später braucht.",
    coverage: "Signiert ist",
    subject: "Ausgestellt für",
    issuer: "Ausgestellt von",
    serialNumber: "Seriennummer",
    validity: "Gültig",
    validFromTo: "vom {from} bis zum {to}",
    why: "Weshalb",
    notes: "Ausserdem bemerkt",
    claims: "Eigene Angaben (nicht geprüft)",
    claimName: "Name",
    claimContact: "Kontakt",
    claimLocation: "Ort",
    claimReason: "Grund",
    changes: "Änderungen nach dem Signieren",
    noChanges: "Keine.",
    page: "Seite {page}",
    unexplained: "keine Regel erklärt es",
    moreChanges: "und {count} weitere",
    seePicture: "siehe Bild {n}",
    timestamps: "Zeitstempel",
    timestampOver: { signature: "für diese Signatur", document: "für das Dokument" },
    timestampBy: "von {authority}",
    pictures: "Seiten, die anders aussehen",
    picturesLead:
      "Links die Seite, wie sie signiert wurde, in der Mitte, wie sie jetzt ist, rechts, wo sich beide unterscheiden.",
    picture: "Bild {n}",
    before: "Wie signiert",
    after: "Jetzt",
    difference: "Unterschied",
    absent: "nicht vorhanden",
    annex: "Anhang: technische Einzelheiten",
    annexLead: "Für Fachleute: die Schritte der Prüfung mit den Begriffen von ETSI EN 319 102-1.",
    field: "Feld",
    level: "Form",
    digest: "Prüfsumme des Signierten",
    certificateFingerprint: "Fingerabdruck des Zertifikats (SHA-256)",
    sealedBy: "Gesiegelt von",
    sealed:
      "Dieser Bericht trägt ein elektronisches Siegel. Ein PDF-Programm zeigt es an, und auch, ob der Bericht seither verändert wurde.",
    demo: "Mit einem Demo-Schlüssel erstellt, nur für Tests: Signaturen, die mit Demo-Schlüsseln gemacht wurden, gelten hier als vertrauenswürdig.",
    footer: "Bericht über eine Prüfung, {time}",
    pageOf: "Seite {page} von {pages}",
  },
}
