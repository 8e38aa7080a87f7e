import type { Words } from "./words.ts"

export const it: Words = {
  indications: {
    "TOTAL-PASSED": {
      heading: "Valida",
      sentence: "La firma è autentica e ciò che è stato firmato non è stato modificato.",
    },
    INDETERMINATE: {
      heading: "Non si può stabilire",
      sentence: "Mancano prove per dire valida la firma; nessuna mostra che non lo sia.",
    },
    "TOTAL-FAILED": {
      heading: "Non valida",
      sentence: "La firma non regge alla verifica. Non se ne fidi.",
    },
  },
  validButFilled:
    "La firma è autentica. Dopo di essa sono stati compilati campi del modulo; sono elencati con essa.",
  changedAfterwards:
    "Il documento è stato cambiato dopo questa firma. Lo confronti con ciò che è stato firmato prima di farvi affidamento.",
  documents: {
    "TOTAL-PASSED": "Tutte le firme di questo documento sono valide.",
    INDETERMINATE: "Non tutte le firme di questo documento possono essere confermate come valide.",
    "TOTAL-FAILED": "Almeno una firma di questo documento non è valida.",
    unsigned: "Questo documento non reca alcuna firma elettronica.",
  },
  subIndications: {
    FORMAT_FAILURE:
      "La firma non è costruita come dovrebbe, oppure il documento è stato modificato in un modo che nessuna regola consente.",
    HASH_FAILURE: "Il documento non è quello che è stato firmato.",
    SIG_CRYPTO_FAILURE: "La firma non corrisponde al certificato di chi firma.",
    REVOKED: "Il certificato era revocato quando la firma è stata apposta.",
    EXPIRED: "Il certificato era scaduto quando la firma è stata apposta.",
    NOT_YET_VALID: "La firma è stata apposta prima che il suo certificato fosse valido.",
    SIG_CONSTRAINTS_FAILURE: "Alla firma manca qualcosa che le regole di questa verifica richiedono.",
    CHAIN_CONSTRAINTS_FAILURE: "Un certificato non è destinato all’uso che ne è stato fatto.",
    CERTIFICATE_CHAIN_GENERAL_FAILURE:
      "Non è stato possibile confermare tutto ciò che garantisce il certificato.",
    CRYPTO_CONSTRAINTS_FAILURE: "È stato usato un procedimento che allora non era più sicuro.",
    POLICY_PROCESSING_ERROR: "Le regole indicate dalla firma non si sono potute applicare.",
    SIGNATURE_POLICY_NOT_AVAILABLE: "Le regole indicate dalla firma non si sono potute ottenere.",
    TIMESTAMP_ORDER_FAILURE: "Gli orari delle marche temporali si contraddicono.",
    NO_SIGNING_CERTIFICATE_FOUND: "Non si può stabilire con quale certificato sia stata fatta la firma.",
    NO_CERTIFICATE_CHAIN_FOUND: "Il certificato non proviene da nessuno di cui qui ci si fidi.",
    NO_CERTIFICATE_CHAIN_FOUND_NO_POE:
      "Il certificato non proviene da nessuno di cui oggi ci si fidi, e nulla prova che la firma sia più vecchia.",
    REVOKED_NO_POE: "Il certificato è stato revocato, e nulla prova che la firma sia stata apposta prima.",
    REVOKED_CA_NO_POE:
      "Un emittente del certificato è stato revocato, e nulla prova che la firma sia stata apposta prima.",
    OUT_OF_BOUNDS_NOT_REVOKED:
      "Il certificato è fuori dal suo periodo di validità; per quanto si sa, non è stato revocato.",
    OUT_OF_BOUNDS_NO_POE:
      "Il certificato è fuori dal suo periodo di validità, e nulla prova che fosse valido al momento della firma.",
    REVOCATION_OUT_OF_BOUNDS_NO_POE: "Oggi non ci si può più fidare di chi ha confermato il certificato.",
    CRYPTO_CONSTRAINTS_FAILURE_NO_POE:
      "È stato usato un procedimento che non è più sicuro, e nulla prova che lo fosse ancora al momento della firma.",
    NO_POE: "Nulla prova quando la firma sia stata apposta.",
    TRY_LATER: "Servono informazioni più recenti sul certificato; forse saranno disponibili più tardi.",
    SIGNED_DATA_NOT_FOUND: "Qui non c’è nulla che sia stato firmato.",
  },
  reasons: {
    "byte-range":
      "Non è chiaro quale parte del file questa firma copra; è così che si scambia di nascosto un contenuto firmato ({fault}).",
    "sub-filter": "Questo tipo di firma qui non è conosciuto ({subFilter}).",
    "cms-unreadable": "La firma stessa non è leggibile.",
    "not-one-signer": "La firma non ha un solo firmatario; non è quindi chiaro di chi sia.",
    "content-inside": "La firma porta con sé un proprio contenuto invece di riguardare questo documento.",
    "undefined-changes":
      "Dopo questa firma il documento è stato modificato in un modo che nessuna regola spiega ({path}).",
    "value-replaced":
      "Il valore del campo {field} del modulo è stato cambiato dopo questa firma. Non è più il valore che è stato firmato.",
    "value-unsigned":
      "Il campo {field} del modulo è stato compilato dopo questa firma e nessuna firma successiva ne copre il valore.",
    "filled-later":
      "Campi del modulo vuoti al momento di questa firma sono stati compilati in seguito e una firma successiva li copre: {field}.",
    "looks-different": "La pagina {page} ha un aspetto diverso da quando è stata firmata.",
    "not-all-compared":
      "Non tutte le pagine modificate si sono potute confrontare con ciò che è stato firmato.",
    "no-signing-certificate": "Manca il certificato di chi firma.",
    "other-certificate-named": "La firma indica un certificato diverso da quello che la accompagna.",
    "algorithm-unknown":
      "La firma è stata fatta con un procedimento che qui non è conosciuto o non è supportato.",
    "signed-attributes": "Le indicazioni firmate insieme al documento non sono in ordine.",
    "content-type": "La firma indica di riguardare qualcosa di diverso da un documento.",
    "document-changed": "Ciò che è stato firmato è stato modificato in seguito.",
    "algorithms-exchanged": "Il procedimento che la firma indica non è quello firmato.",
    "signature-wrong":
      "La firma non è stata fatta con la chiave che appartiene al certificato, oppure è danneggiata.",
    "no-chain": "Il certificato non proviene da nessuno di cui qui ci si fidi.",
    "chain-invalid": "Il certificato di {certificate} non è in ordine ({reason}).",
    "key-usage": "Il certificato di {certificate} non è destinato a firmare documenti.",
    "no-revocation-information":
      "Nessuno ha potuto dire se il certificato di {certificate} sia stato revocato.",
    "on-hold": "Il certificato di {certificate} è stato sospeso in data {since}; può essere ripristinato.",
    revoked:
      "Il certificato di {certificate} è stato revocato in data {since} ({reason}); nulla prova che la firma sia stata apposta prima.",
    "revocation-information-old":
      "Ciò che si sa di una revoca del certificato di {certificate} è troppo vecchio (data: {thisUpdate}).",
    "revocation-information-weak":
      "Ciò che si sa di una revoca del certificato di {certificate} è protetto da {algorithm}, {until}.",
    "revocation-issuer-ended":
      "Non ci si può più fidare di chi ha confermato che il certificato di {certificate} non era revocato: il suo stesso certificato è scaduto.",
    "certificate-weak": "Il certificato di {certificate} è protetto da {algorithm}, {until}.",
    expired: "Il certificato di {certificate} è scaduto in data {notAfter}.",
    "not-yet-valid":
      "Il certificato di {certificate} non è ancora valido (inizio della validità: {notBefore}).",
    "signature-weak": "La firma usa {algorithm}, {until}.",
    "no-signing-time": "La firma non indica quando è stata apposta.",
    "signing-time-outside-certificate":
      "La firma indica come data: {time}; allora il certificato di {certificate} non era valido.",
    "certificate-not-named":
      "La firma non indica il proprio certificato, che potrebbe quindi essere stato scambiato.",
    "signed-before-certificate":
      "La firma è più vecchia del certificato di {certificate}, con cui si dice che sia stata fatta.",
    "signed-after-certificate":
      "È provato soltanto che la firma esisteva dopo la scadenza del certificato di {certificate}.",
    "timestamp-unreadable": "La marca temporale non è leggibile.",
    "timestamp-over-other-bytes":
      "La marca temporale riguarda qualcosa di diverso da questo documento o da questa firma.",
    "timestamp-certificate-not-named":
      "La marca temporale non indica il proprio certificato e quindi non prova nulla.",
    "not-for-timestamps": "Il certificato di {certificate} non è destinato a marche temporali.",
    "changed-after-timestamp":
      "Una marca temporale sull’intero documento non gli corrisponde più: in seguito qualcosa è stato modificato nel file.",
    "qualification-certificate-unreadable":
      "Il certificato non indica in modo leggibile quale rango gli dia la legge.",
    "qualification-declared-anchor":
      "Il rango della firma è stato stabilito dal gestore di questo servizio per questo emittente.",
    "qualification-for-websites":
      "Secondo il {law}, questo certificato è destinato a siti web e non a firme.",
    "qualification-changed":
      "Secondo il {law}, il certificato aveva al rilascio un rango diverso che all’uso.",
    "qualification-list-expired":
      "L’elenco ufficiale dei servizi fiduciari secondo il {law} è superato e non è stato usato.",
    "qualification-no-service": "Secondo il {law}, l’emittente non figurava nell’elenco ufficiale {when}.",
    "qualification-not-granted":
      "Secondo il {law}, l’emittente non era ammesso per certificati qualificati {when}.",
    "qualification-services-differ":
      "L’elenco ufficiale secondo il {law} si contraddice sull’emittente {when}.",
    "qualification-list-inconsistent":
      "L’elenco ufficiale secondo il {law} si contraddice sul certificato {when}.",
    "qualification-list-not-understood":
      "L’elenco ufficiale secondo il {law} dice del certificato {when} qualcosa che qui non si comprende.",
    "qualification-not-for-this-use":
      "Secondo il {law}, l’emittente non era ammesso per certificati di questo tipo {when}.",
    "qualification-not-qualified-by-list":
      "In base all’elenco ufficiale secondo il {law}, il certificato non era qualificato {when}.",
    "qualification-not-qualified-by-certificate":
      "Secondo il {law}, il certificato non era qualificato {when}.",
    "qualification-use-unclear":
      "Secondo il {law}, non è chiaro a che cosa fosse destinato il certificato {when}.",
    "qualification-two-uses":
      "Secondo il {law}, il certificato era destinato a due usi insieme {when}, il che non è consentito.",
    "qualification-device-unclear":
      "Secondo il {law}, non è chiaro se la chiave si trovasse in un dispositivo sicuro ammesso {when}.",
    "qualification-no-device":
      "Secondo il {law}, la chiave non si trovava in un dispositivo sicuro ammesso {when}.",
  },
  qualities: {
    SES: "firma elettronica semplice (SES)",
    AES: "firma elettronica avanzata (AES)",
    QES: "firma elettronica qualificata (QES)",
  },
  legislations: {
    WORLD: "nessuna legge che le dia un rango proprio",
    CH: "diritto svizzero (FiEle)",
    EU: "diritto dell’Unione europea (eIDAS)",
    CH_EU: "diritto svizzero (FiEle) e diritto dell’Unione europea (eIDAS)",
  },
  levels: {
    "PAdES-BASELINE-B": "firma senza prova dell’ora (PAdES-BASELINE-B)",
    "PAdES-BASELINE-T": "firma con prova dell’ora (PAdES-BASELINE-T)",
    "PAdES-BASELINE-LT": "firma con prova dell’ora e dati di verifica (PAdES-BASELINE-LT)",
    "PAdES-BASELINE-LTA": "firma per la conservazione a lungo termine (PAdES-BASELINE-LTA)",
    "PDF-NOT-ETSI": "firma PDF di tipo più vecchio (PDF-NOT-ETSI)",
  },
  coverages: {
    ENTIRE_FILE: "l’intero file",
    ENTIRE_REVISION:
      "l’intero documento com’era al momento della firma; in seguito è stato aggiunto qualcosa",
    PARTIAL: "soltanto una parte del documento",
  },
  changes: {
    signature: "un’altra firma",
    "form-fill": "un campo di modulo compilato",
    annotation: "un commento o una nota",
    "validation-data": "dati per una verifica successiva",
    timestamp: "una marca temporale",
    metadata: "indicazioni sul documento",
    structure: "la struttura interna del documento",
    page: "una pagina",
    content: "il contenuto di una pagina",
    font: "un carattere tipografico",
    image: "un’immagine",
    action: "qualcosa che il documento fa da sé",
    other: "qualcos’altro",
    visual: "l’aspetto di una pagina",
  },
  fills: {
    later: "vuoto in precedenza, coperto da una firma successiva",
    replaced: "sostituisce il valore firmato",
    unsigned: "coperto da nessuna firma successiva",
  },
  blocks: {
    "format-checking": "Forma della firma",
    "identification-of-the-signing-certificate": "Chi ha firmato",
    "x509-certificate-validation": "Certificati",
    "cryptographic-verification": "Autenticità",
    "signature-acceptance-validation": "Regole di questa verifica",
    basic: "Giudizio a oggi",
    "long-term": "Giudizio con prova dell’ora",
    archival: "Giudizio con tutte le prove del passato",
  },
  values: {
    nameless: "qualcuno senza nome",
    unknownAlgorithm: "un procedimento sconosciuto",
    weakSince: "che ha cessato di essere considerato sicuro in data {day}",
    weakAlways: "che non è considerato sicuro",
    laws: { EU: "diritto dell’UE", CH: "diritto svizzero" },
    whens: { signing: "al momento della firma", issuance: "al rilascio del certificato" },
    revocations: {
      unspecified: "senza indicazione del motivo",
      keyCompromise: "la chiave è forse finita in altre mani",
      cACompromise: "la chiave dell’emittente è forse finita in altre mani",
      affiliationChanged: "i dati del titolare sono cambiati",
      superseded: "sostituito da un altro",
      cessationOfOperation: "non più in uso",
      certificateHold: "sospeso",
      removeFromCRL: "ripristinato",
      privilegeWithdrawn: "il diritto al certificato è stato ritirato",
      aACompromise: "la chiave dell’ente che conferma è forse finita in altre mani",
    },
  },
  report: {
    title: "Rapporto sulla verifica di firme elettroniche",
    subtitle: "Giudicato secondo la norma europea ETSI EN 319 102-1",
    fileName: "Nome del file",
    fingerprint: "Impronta (SHA-256)",
    size: "Dimensione",
    bytes: "{count} byte",
    format: "Formato",
    producer: "Prodotto con (secondo il file)",
    validatedAt: "Verificato il",
    policy: "Regole",
    number: "Numero del rapporto",
    signatures: "Firme",
    validOf: "{valid} su {all} valide",
    signature: "Firma {n}",
    verdict: "Giudizio",
    signer: "Firmato da",
    unknownSigner: "Firmatario sconosciuto",
    time: "Data e ora",
    timeProofs: {
      "time-stamp": "provate da una marca temporale",
      claim: "indicate da chi firma, non provate",
      none: "né indicate né provate",
    },
    claimedTime: "Data indicata da chi firma",
    quality: "Tipo",
    legislation: "Secondo la legge",
    longTerm: "Verifica a lungo termine",
    longTermYes: "Sì: le prove sono nel documento e si potranno verificare ancora fra anni.",
    longTermNo: "No: il documento non contiene tutte le prove che serviranno più tardi.",
    coverage: "È firmato",
    subject: "Rilasciato a",
    issuer: "Rilasciato da",
    serialNumber: "Numero di serie",
    validity: "Valido",
    validFromTo: "{from} – {to}",
    why: "Perché",
    notes: "Notato inoltre",
    claims: "Indicato da chi firma (non verificato)",
    claimName: "Nome",
    claimContact: "Contatto",
    claimLocation: "Luogo",
    claimReason: "Motivo",
    changes: "Modifiche dopo la firma",
    noChanges: "Nessuna.",
    page: "pagina {page}",
    unexplained: "nessuna regola lo spiega",
    moreChanges: "e altre {count}",
    seePicture: "vedi immagine {n}",
    timestamps: "Marche temporali",
    timestampOver: { signature: "su questa firma", document: "sul documento" },
    timestampBy: "di {authority}",
    pictures: "Pagine dall’aspetto diverso",
    picturesLead:
      "A sinistra la pagina com’è stata firmata, al centro com’è ora, a destra dove le due differiscono.",
    picture: "Immagine {n}",
    before: "Come firmata",
    after: "Ora",
    difference: "Differenza",
    absent: "non c’è",
    annex: "Allegato: dettagli tecnici",
    annexLead: "Per gli esperti: le fasi della verifica con i termini di ETSI EN 319 102-1.",
    field: "Campo",
    level: "Forma",
    digest: "Impronta di ciò che è stato firmato",
    certificateFingerprint: "Impronta del certificato (SHA-256)",
    sealedBy: "Sigillato da",
    sealed:
      "Questo rapporto porta un sigillo elettronico. Un lettore di PDF lo mostra, e indica se il rapporto è stato modificato in seguito.",
    demo: "Redatto con una chiave demo, solo per prove: le firme fatte con chiavi demo sono qui considerate affidabili.",
    footer: "Rapporto su una verifica, {time}",
    pageOf: "Pagina {page} di {pages}",
  },
}
