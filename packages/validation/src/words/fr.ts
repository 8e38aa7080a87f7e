import type { Words } from "./words.ts"

export const fr: Words = {
  indications: {
    "TOTAL-PASSED": {
      heading: "Valable",
      sentence: "La signature est authentique et ce qui a été signé n’a pas été modifié.",
    },
    INDETERMINATE: {
      heading: "Ne peut être tranché",
      sentence:
        "Il manque des preuves pour dire la signature valable; aucune ne montre qu’elle ne l’est pas.",
    },
    "TOTAL-FAILED": {
      heading: "Non valable",
      sentence: "La signature ne résiste pas au contrôle. Ne vous y fiez pas.",
    },
  },
  validButFilled:
    "La signature est authentique. Des champs de formulaire ont été remplis après elle\u00a0; ils sont indiqués avec elle.",
  changedAfterwards:
    "Le document a été changé après cette signature. Comparez-le avec ce qui a été signé avant de vous y fier.",
  documents: {
    "TOTAL-PASSED": "Toutes les signatures de ce document sont valables.",
    INDETERMINATE: "Les signatures de ce document ne peuvent pas toutes être confirmées comme valables.",
    "TOTAL-FAILED": "Au moins une signature de ce document n’est pas valable.",
    unsigned: "Ce document ne porte aucune signature électronique.",
  },
  subIndications: {
    FORMAT_FAILURE:
      "La signature n’est pas construite comme elle devrait l’être, ou le document a été modifié d’une manière qu’aucune règle ne permet.",
    HASH_FAILURE: "Le document n’est pas celui qui a été signé.",
    SIG_CRYPTO_FAILURE: "La signature ne correspond pas au certificat du signataire.",
    REVOKED: "Le certificat était révoqué lorsque la signature a été apposée.",
    EXPIRED: "Le certificat était échu lorsque la signature a été apposée.",
    NOT_YET_VALID: "La signature a été apposée avant que son certificat ne soit valable.",
    SIG_CONSTRAINTS_FAILURE: "Il manque à la signature un élément que les règles de ce contrôle exigent.",
    CHAIN_CONSTRAINTS_FAILURE: "Un certificat n’est pas destiné à l’usage qui en a été fait.",
    CERTIFICATE_CHAIN_GENERAL_FAILURE: "Tout ce qui garantit le certificat n’a pas pu être confirmé.",
    CRYPTO_CONSTRAINTS_FAILURE: "Un procédé a été employé qui n’était déjà plus sûr à ce moment-là.",
    POLICY_PROCESSING_ERROR: "Les règles que la signature indique n’ont pas pu être appliquées.",
    SIGNATURE_POLICY_NOT_AVAILABLE: "Les règles que la signature indique n’ont pas pu être obtenues.",
    TIMESTAMP_ORDER_FAILURE: "Les heures des horodatages se contredisent.",
    NO_SIGNING_CERTIFICATE_FOUND:
      "Il est impossible d’établir avec quel certificat la signature a été faite.",
    NO_CERTIFICATE_CHAIN_FOUND: "Le certificat n’émane de personne à qui l’on fasse confiance ici.",
    NO_CERTIFICATE_CHAIN_FOUND_NO_POE:
      "Le certificat n’émane de personne à qui l’on fasse confiance aujourd’hui, et rien ne prouve que la signature soit plus ancienne.",
    REVOKED_NO_POE: "Le certificat a été révoqué, et rien ne prouve que la signature ait été apposée avant.",
    REVOKED_CA_NO_POE:
      "Un émetteur du certificat a été révoqué, et rien ne prouve que la signature ait été apposée avant.",
    OUT_OF_BOUNDS_NOT_REVOKED:
      "Le certificat est hors de sa période de validité; à notre connaissance, il n’a pas été révoqué.",
    OUT_OF_BOUNDS_NO_POE:
      "Le certificat est hors de sa période de validité, et rien ne prouve qu’il était valable au moment de la signature.",
    REVOCATION_OUT_OF_BOUNDS_NO_POE:
      "On ne peut plus se fier aujourd’hui à l’instance qui a confirmé le certificat.",
    CRYPTO_CONSTRAINTS_FAILURE_NO_POE:
      "Un procédé a été employé qui n’est plus sûr, et rien ne prouve qu’il l’était encore au moment de la signature.",
    NO_POE: "Rien ne prouve quand la signature a été apposée.",
    TRY_LATER:
      "Il faut des renseignements plus récents sur le certificat; ils seront peut-être disponibles plus tard.",
    SIGNED_DATA_NOT_FOUND: "Il n’y a ici rien qui ait été signé.",
  },
  reasons: {
    "byte-range":
      "On ne sait pas clairement quelle partie du fichier cette signature couvre; c’est ainsi que l’on échange un contenu signé sans que cela se voie ({fault}).",
    "sub-filter": "Ce genre de signature n’est pas connu ici ({subFilter}).",
    "cms-unreadable": "La signature elle-même est illisible.",
    "not-one-signer": "La signature n’a pas un signataire unique; on ne sait donc pas de qui elle émane.",
    "content-inside": "La signature apporte son propre contenu au lieu de porter sur ce document.",
    "undefined-changes":
      "Après cette signature, le document a été modifié d’une manière qu’aucune règle n’explique ({path}).",
    "value-replaced":
      "La valeur du champ de formulaire {field} a été changée après cette signature. Ce n’est plus la valeur qui a été signée.",
    "value-unsigned":
      "Le champ de formulaire {field} a été rempli après cette signature, et aucune signature ultérieure ne couvre sa valeur.",
    "filled-later":
      "Des champs de formulaire vides lors de cette signature ont été remplis plus tard, et une signature ultérieure les couvre\u00a0: {field}.",
    "looks-different": "La page {page} n’a plus le même aspect que lors de la signature.",
    "not-all-compared": "Les pages modifiées n’ont pas toutes pu être comparées à ce qui a été signé.",
    "no-signing-certificate": "Le certificat du signataire manque.",
    "other-certificate-named": "La signature désigne un autre certificat que celui qui l’accompagne.",
    "algorithm-unknown":
      "La signature a été faite avec un procédé qui n’est pas connu ici ou qui n’est pas pris en charge.",
    "signed-attributes": "Les indications signées avec le document ne sont pas en ordre.",
    "content-type": "La signature indique qu’elle porte sur autre chose qu’un document.",
    "document-changed": "Ce qui a été signé a été modifié depuis.",
    "algorithms-exchanged": "Le procédé que la signature indique n’est pas celui qui a été signé.",
    "signature-wrong":
      "La signature n’a pas été faite avec la clé qui appartient au certificat, ou elle est endommagée.",
    "no-chain": "Le certificat n’émane de personne à qui l’on fasse confiance ici.",
    "chain-invalid": "Le certificat de {certificate} n’est pas en ordre ({reason}).",
    "key-usage": "Le certificat de {certificate} n’est pas destiné à signer des documents.",
    "no-revocation-information": "Personne n’a pu dire si le certificat de {certificate} a été révoqué.",
    "on-hold": "Le certificat de {certificate} est suspendu depuis le {since}; il peut être rétabli.",
    revoked:
      "Le certificat de {certificate} a été révoqué le {since} ({reason}); rien ne prouve que la signature ait été apposée avant.",
    "revocation-information-old":
      "Ce que l’on sait d’une révocation du certificat de {certificate} est trop ancien (du {thisUpdate}).",
    "revocation-information-weak":
      "Ce que l’on sait d’une révocation du certificat de {certificate} est protégé par {algorithm}, {until}.",
    "revocation-issuer-ended":
      "On ne peut plus se fier à l’instance qui a confirmé que le certificat de {certificate} n’était pas révoqué: son propre certificat est échu.",
    "certificate-weak": "Le certificat de {certificate} est protégé par {algorithm}, {until}.",
    expired: "Le certificat de {certificate} est échu depuis le {notAfter}.",
    "not-yet-valid": "Le certificat de {certificate} n’est valable qu’à partir du {notBefore}.",
    "signature-weak": "La signature emploie {algorithm}, {until}.",
    "no-signing-time": "La signature n’indique pas quand elle a été apposée.",
    "signing-time-outside-certificate":
      "La signature indique comme date le {time}; à ce moment-là, le certificat de {certificate} n’était pas valable.",
    "certificate-not-named":
      "La signature ne désigne pas son certificat, qui pourrait donc avoir été échangé.",
    "signed-before-certificate":
      "La signature est plus ancienne que le certificat de {certificate}, avec lequel elle est censée avoir été faite.",
    "signed-after-certificate":
      "Il est seulement prouvé que la signature existait après l’échéance du certificat de {certificate}.",
    "timestamp-unreadable": "L’horodatage est illisible.",
    "timestamp-over-other-bytes": "L’horodatage porte sur autre chose que ce document ou cette signature.",
    "timestamp-certificate-not-named": "L’horodatage ne désigne pas son certificat et ne prouve donc rien.",
    "not-for-timestamps": "Le certificat de {certificate} n’est pas destiné à des horodatages.",
    "changed-after-timestamp":
      "Un horodatage de l’ensemble du document ne lui correspond plus : quelque chose a été modifié dans le fichier par la suite.",
    "qualification-certificate-unreadable":
      "Le certificat n’indique pas de façon lisible quel rang la loi lui donne.",
    "qualification-declared-anchor":
      "Le rang de la signature a été fixé par l’exploitant de ce service pour cet émetteur.",
    "qualification-for-websites":
      "Selon le {law}, ce certificat est destiné à des sites web et non à des signatures.",
    "qualification-changed":
      "Selon le {law}, le certificat n’avait pas le même rang lors de son émission et lors de son usage.",
    "qualification-list-expired":
      "La liste officielle des services de confiance selon le {law} est périmée et n’a pas été utilisée.",
    "qualification-no-service": "Selon le {law}, l’émetteur ne figurait pas sur la liste officielle {when}.",
    "qualification-not-granted":
      "Selon le {law}, l’émetteur n’était pas agréé pour des certificats qualifiés {when}.",
    "qualification-services-differ":
      "La liste officielle selon le {law} se contredit au sujet de l’émetteur {when}.",
    "qualification-list-inconsistent":
      "La liste officielle selon le {law} se contredit au sujet du certificat {when}.",
    "qualification-list-not-understood":
      "La liste officielle selon le {law} dit du certificat {when} une chose que l’on ne comprend pas ici.",
    "qualification-not-for-this-use":
      "Selon le {law}, l’émetteur n’était pas agréé pour des certificats de ce genre {when}.",
    "qualification-not-qualified-by-list":
      "D’après la liste officielle selon le {law}, le certificat n’était pas qualifié {when}.",
    "qualification-not-qualified-by-certificate":
      "Selon le {law}, le certificat n’était pas qualifié {when}.",
    "qualification-use-unclear":
      "Selon le {law}, on ne sait pas clairement à quoi le certificat était destiné {when}.",
    "qualification-two-uses":
      "Selon le {law}, le certificat était destiné à deux usages à la fois {when}, ce qui n’est pas permis.",
    "qualification-device-unclear":
      "Selon le {law}, on ne sait pas clairement si la clé se trouvait dans un dispositif sécurisé agréé {when}.",
    "qualification-no-device":
      "Selon le {law}, la clé ne se trouvait pas dans un dispositif sécurisé agréé {when}.",
  },
  qualities: {
    SES: "signature électronique simple (SES)",
    AES: "signature électronique avancée (AES)",
    QES: "signature électronique qualifiée (QES)",
  },
  legislations: {
    WORLD: "aucune loi qui lui donne un rang particulier",
    CH: "droit suisse (SCSE)",
    EU: "droit de l’Union européenne (eIDAS)",
    CH_EU: "droit suisse (SCSE) et droit de l’Union européenne (eIDAS)",
  },
  levels: {
    "PAdES-BASELINE-B": "signature sans preuve de l’heure (PAdES-BASELINE-B)",
    "PAdES-BASELINE-T": "signature avec preuve de l’heure (PAdES-BASELINE-T)",
    "PAdES-BASELINE-LT": "signature avec preuve de l’heure et données de contrôle (PAdES-BASELINE-LT)",
    "PAdES-BASELINE-LTA": "signature pour une conservation à long terme (PAdES-BASELINE-LTA)",
    "PDF-NOT-ETSI": "signature PDF d’un genre plus ancien (PDF-NOT-ETSI)",
  },
  coverages: {
    ENTIRE_FILE: "le fichier entier",
    ENTIRE_REVISION:
      "le document entier tel qu’il était lors de la signature; quelque chose a été ajouté ensuite",
    PARTIAL: "une partie seulement du document",
  },
  changes: {
    signature: "une autre signature",
    "form-fill": "un champ de formulaire rempli",
    annotation: "un commentaire ou une note",
    "validation-data": "des données pour un contrôle ultérieur",
    timestamp: "un horodatage",
    metadata: "des indications sur le document",
    structure: "la structure interne du document",
    page: "une page",
    content: "le contenu d’une page",
    font: "une police de caractères",
    image: "une image",
    action: "quelque chose que le document fait de lui-même",
    other: "autre chose",
    visual: "l’aspect d’une page",
  },
  fills: {
    later: "vide auparavant, couvert par une signature ultérieure",
    replaced: "remplace la valeur qui a été signée",
    unsigned: "couvert par aucune signature ultérieure",
  },
  blocks: {
    "format-checking": "Forme de la signature",
    "identification-of-the-signing-certificate": "Qui a signé",
    "x509-certificate-validation": "Certificats",
    "cryptographic-verification": "Authenticité",
    "signature-acceptance-validation": "Règles de ce contrôle",
    basic: "Verdict à ce jour",
    "long-term": "Verdict avec preuve de l’heure",
    archival: "Verdict avec toutes les preuves du passé",
  },
  values: {
    nameless: "quelqu’un sans nom",
    unknownAlgorithm: "un procédé inconnu",
    weakSince: "qui n’est plus considéré comme sûr depuis le {day}",
    weakAlways: "qui n’est pas considéré comme sûr",
    laws: { EU: "droit de l’UE", CH: "droit suisse" },
    whens: { signing: "lors de la signature", issuance: "lors de l’émission du certificat" },
    revocations: {
      unspecified: "sans motif indiqué",
      keyCompromise: "la clé est peut-être tombée en d’autres mains",
      cACompromise: "la clé de l’émetteur est peut-être tombée en d’autres mains",
      affiliationChanged: "les données du titulaire ont changé",
      superseded: "remplacé par un autre",
      cessationOfOperation: "n’est plus utilisé",
      certificateHold: "suspendu",
      removeFromCRL: "rétabli",
      privilegeWithdrawn: "le droit au certificat a été retiré",
      aACompromise: "la clé de l’instance de confirmation est peut-être tombée en d’autres mains",
    },
  },
  report: {
    title: "Rapport sur le contrôle de signatures électroniques",
    subtitle: "Jugé selon la norme européenne ETSI EN 319 102-1",
    fileName: "Nom du fichier",
    fingerprint: "Empreinte (SHA-256)",
    size: "Taille",
    bytes: "{count} octets",
    format: "Format",
    producer: "Produit avec (selon le fichier)",
    validatedAt: "Contrôlé le",
    policy: "Règles",
    number: "Numéro du rapport",
    signatures: "Signatures",
    validOf: "{valid} sur {all} valables",
    signature: "Signature {n}",
    verdict: "Verdict",
    signer: "Signé par",
    unknownSigner: "Signataire inconnu",
    time: "Date et heure",
    timeProofs: {
      "time-stamp": "prouvées par un horodatage",
      claim: "indiquées par le signataire, non prouvées",
      none: "ni indiquées ni prouvées",
    },
    claimedTime: "Date selon le signataire",
    quality: "Genre",
    legislation: "Selon la loi",
    longTerm: "Contrôle à long terme",
    longTermYes: "Oui: les preuves sont dans le document et pourront encore être vérifiées dans des années.",
    longTermNo: "Non: le document ne contient pas toutes les preuves nécessaires plus tard.",
    coverage: "Est signé",
    subject: "Émis pour",
    issuer: "Émis par",
    serialNumber: "Numéro de série",
    validity: "Valable",
    validFromTo: "du {from} au {to}",
    why: "Pourquoi",
    notes: "Également remarqué",
    claims: "Indiqué par le signataire (non vérifié)",
    claimName: "Nom",
    claimContact: "Contact",
    claimLocation: "Lieu",
    claimReason: "Motif",
    changes: "Modifications après la signature",
    noChanges: "Aucune.",
    page: "page {page}",
    unexplained: "aucune règle ne l’explique",
    moreChanges: "et {count} autres",
    seePicture: "voir l’image {n}",
    timestamps: "Horodatages",
    timestampOver: { signature: "de cette signature", document: "du document" },
    timestampBy: "par {authority}",
    pictures: "Pages dont l’aspect a changé",
    picturesLead:
      "À gauche la page telle qu’elle a été signée, au milieu telle qu’elle est maintenant, à droite ce qui diffère.",
    picture: "Image {n}",
    before: "Telle que signée",
    after: "Maintenant",
    difference: "Différence",
    absent: "n’existe pas",
    annex: "Annexe: détails techniques",
    annexLead: "Pour les spécialistes: les étapes du contrôle avec les termes d’ETSI EN 319 102-1.",
    field: "Champ",
    level: "Forme",
    digest: "Empreinte de ce qui a été signé",
    certificateFingerprint: "Empreinte du certificat (SHA-256)",
    sealedBy: "Scellé par",
    sealed:
      "Ce rapport porte un cachet électronique. Un lecteur de PDF l’affiche, et indique si le rapport a été modifié depuis.",
    demo: "Établi avec une clé de démonstration, uniquement pour des essais : les signatures faites avec des clés de démonstration sont ici considérées comme fiables.",
    footer: "Rapport sur un contrôle, {time}",
    pageOf: "Page {page} sur {pages}",
  },
}
