import type { VerifyWords } from "./verify-words.ts"

export const fr: VerifyWords = {
  headlines: {
    holds: "Tout ce qui a été vérifié est confirmé.",
    fails: "Quelque chose est faux ou a été modifié. Ne vous y fiez pas.",
    unsure: "Rien de faux n’a été trouvé, mais tout ne peut pas être affirmé.",
    changed:
      "Un document a été changé après sa signature. Comparez-le avec ce qui a été signé avant de vous y fier.",
    nothing: "Il n’y avait rien à vérifier.",
  },
  standings: { holds: "Confirmé", fails: "Non valable", unsure: "Impossible à dire" },
  checkedFor: "Vérifié pour le moment suivant\u00a0: {time}",
  notDrawn:
    "Quelque chose de visible a été ajouté après une signature, et ici aucune page n’est dessinée pour être comparée. «\u00a0paraph verify\u00a0» et le service de validation le font.",
  noTrust:
    "Vous n’avez pas dit à qui vous faites confiance. Indiquez les certificats racines de ceux qui délivrent les certificats des signataires et des horodatages\u00a0; procurez-vous-les auprès de leur éditeur, et non auprès de la personne qui vous a envoyé ces fichiers.",
  document: {
    refused: "Ce fichier ne peut pas être lu comme PDF ({detail}).",
    namesFile: "L’événement {seq} de l’historique désigne exactement ce fichier\u00a0: {event}, {time}.",
    namesEarlier:
      "L’événement {seq} de l’historique désigne ce fichier tel qu’il était avant un ajout\u00a0: {event}, {time}.",
    unnamed:
      "Aucun événement de l’historique ne désigne ce fichier. On ne peut donc pas dire que l’historique s’y rapporte.",
    carries: "Ce fichier contient l’historique.",
    sealedReport:
      "Il est scellé comme rapport de cette demande par {signer}, qui répond de ses mots. Chacun peut être comparé aux événements ci-dessous.",
    signedLater:
      "Il a été signé une fois de plus après ce que l’historique en raconte. De cette signature, et de ce que le fichier montre depuis, l’historique ne dit rien.",
  },
  story: {
    title: "L’historique dans {name}",
    request: "Demande",
    log: "Journal des preuves",
    logSize: "{origin}, avec {size} entrées",
    whole:
      "Tous les événements racontés ici ({count}) figurent ainsi dans le journal des preuves, et aucun ne manque avant le dernier. Ce fichier ne peut pas dire si d’autres ont suivi.",
    trustedKey: "L’état du journal est signé avec la clé que vous avez indiquée.",
    ownKey:
      "Vous n’avez indiqué aucune clé du journal. L’état est signé avec la clé que l’historique nomme lui-même\u00a0; cela montre seulement que l’historique concorde avec lui-même. Comparez la clé avec celle que le service a publiée.",
    key: "Clé du journal",
    keyFingerprint: "Empreinte de la clé (SHA-256)",
    faults: {
      log: "L’historique appartient à un autre journal que celui où il se trouve : démonstration et production sont séparées.",
      place: "L’historique n’est pas celui qui a sa place ici.",
      key: "L’historique provient d’un autre journal que ceux dont vous avez indiqué les clés.",
      checkpoint: "L’état du journal n’est pas signé par le journal. Rien de cet historique n’est prouvé.",
      body: "L’événement {seq} n’est pas écrit comme le sont les événements du journal.",
      request: "L’événement {seq} appartient à une autre demande.",
      sequence:
        "À l’événement {seq}, le compte est faux\u00a0: il en manque un, il y en a un en double ou mal placé.",
      order: "L’événement {seq} est entré dans le journal avant celui qu’il suit ici.",
      inclusion:
        "L’événement {seq} ne figure pas dans le journal tel qu’il est raconté ici\u00a0: il a été modifié ou inventé.",
    },
    noStamp:
      "L’état du journal ne porte pas d’horodatage\u00a0: les heures sont celles de l’horloge du service.",
    stampOfHead: "Un horodatage de {authority} prouve que cet état du journal existait le {time}.",
    stampHolds:
      "Un horodatage de {authority} prouve que le journal, avec tous ces événements, existait le {time}.",
    stampFails: "L’horodatage de l’état du journal n’est pas valable.",
    stampUnsure:
      "On ne peut pas dire si l’horodatage de l’état du journal (qui indique le {time}) est confirmé.",
    events: "Ce qui s’est passé",
    number: "N°",
    time: "Heure",
    event: "Événement",
    details: "Précisions",
  },
  archive: {
    of: "D’après sa liste, que personne n’a signée, voici tout ce que {business} avait dans le service le {time}.",
    demo: "Fait avec des clés de démonstration, pour des essais : ces signatures n’ont aucun effet juridique.",
    whole: "Tous les fichiers de la liste ({files}) sont là, et tels que la liste les donne.",
    counted:
      "Documents signés qui ont été vérifiés : {signed}. Historiques, dont ceux des reçus de suppression : {stories}. Ce qui n’est pas valable, ou dont on ne peut rien dire, suit.",
    withoutNews:
      "Historiques dont l’horodatage est plus récent que tout ce qui est dit ici de son autorité : {stories}. Qu’ils soient dans le journal n’en dépend pas ; que l’autorité était alors en règle pourra se dire avec des documents plus récents.",
    more: "La suite est dans une autre archive.",
    faults: {
      list: "L’archive n’a pas de liste de ses fichiers (manifest.json), ou une liste illisible.",
      missing: "{path} figure dans la liste et manque dans l’archive.",
      unlisted: "{path} est dans l’archive et ne figure pas dans sa liste.",
      changed: "{path} n’est pas ce que dit la liste : le fichier a été modifié.",
      "too-large": "{path} est trop grand pour être vérifié.",
    },
  },
  others: {
    missing: "{name} manque : rien ne raconte comment cela s’est fait.",
    archive:
      "{name} est une archive. Décompressez-la et donnez ses fichiers, ou vérifiez-la en entier avec la commande `paraph verify`.",
    unknown: "{name} n’est ni un PDF ni un historique.",
    story: "{name} n’est pas écrit comme un historique et ne dit rien.",
    "too-large": "{name} est trop volumineux.",
  },
  unknownCurve:
    "Quelque chose a été signé avec une méthode que cette page ne connaît pas ({curve}). La commande `paraph verify` la connaît peut-être.",
  events: {
    "request.created": "Demande créée",
    "request.started": "Demande envoyée",
    "request.updated": "Demande modifiée",
    "request.signers-changed": "Signataires modifiés",
    "request.document-added": "Document ajouté",
    "request.document-removed": "Document retiré",
    "request.withdrawn": "Demande retirée",
    "request.completed": "Demande achevée",
    "request.ended": "Demande terminée",
    "request.held": "Demande bloquée",
    "request.hold-ended": "Blocage levé",
    "story.erased": "Ce qui en était conservé a été effacé",
    "request.deleted": "Demande supprimée",
    "signature.added": "Signataire ajouté",
    "signature.removed": "Signataire retiré",
    "signature.invited": "Signataire invité",
    "signature.invitation-failed": "Invitation non remise",
    "signature.opened": "Document ouvert par le signataire",
    "factor.passed": "Confirmé par un code",
    "identification.started": "Identification commencée",
    "identification.returned": "Retour de l’identification",
    "identification.pending-review": "Identification en cours d’examen",
    "identification.accepted": "Identification acceptée",
    "identification.rejected": "Identification refusée",
    "signature.consented": "Accord de signer donné",
    "signature.turn-taken": "Signature commencée",
    "signature.turn-ended": "Signature terminée",
    "provider.logged-in": "Connexion chez le prestataire",
    "key.offered": "Clé de signature préparée",
    "key.released": "Clé de signature libérée par le signataire",
    "provider.signed": "Signé par le prestataire",
    "key.destroyed": "Clé de signature détruite",
    "signature.waiting": "Signature en attente",
    "signature.signed": "Signé",
    "signature.declined": "Refusé par le signataire",
    "signature.failed": "Échec de la signature",
    "signature.vouched": "Un membre de l’entreprise a confirmé l’identité de la personne",
    "signature.name-flagged": "Le nom mélange des lettres d’écritures différentes",
    "signature.mail-bounced": "Courriel revenu",
    "mail.sent": "Courriel envoyé",
    "mail.failed": "Courriel non envoyé",
    "sms.sent": "SMS envoyé",
    "sms.failed": "SMS non envoyé",
    "mark.made": "Signature apposée sur un document",
    "document.renewed": "Document conservé avec un nouvel horodatage",
    "observer.added": "Observateur ajouté",
    "observer.removed": "Observateur retiré",
    "attachment.added": "Annexe ajoutée",
    "attachment.removed": "Annexe retirée",
    "seal.ordered": "Cachet commandé",
    "seal.made": "Cachet apposé",
    "seal.failed": "Échec du cachet",
    "seal.cancelled": "Cachet annulé",
    "report.sealed": "Rapport muni d’un cachet",
  },
}
