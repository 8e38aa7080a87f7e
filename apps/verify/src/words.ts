// What the page itself says; what it found is said by `@paraph/verifying`.

import type { Language } from "@paraph/verifying/words"

export type PageWords = {
  readonly title: string
  readonly lead: string
  readonly language: string
  readonly drop: string
  readonly pick: string
  readonly files: string
  readonly trust: string
  readonly trustLead: string
  readonly roots: string
  readonly pickRoots: string
  readonly rootsWrong: string
  readonly logKey: string
  readonly logKeyHint: string
  readonly logKeyWrong: string
  readonly working: string
  readonly result: string
  readonly xml: string
  readonly again: string
  readonly failed: string
}

const en: PageWords = {
  title: "Check a signature",
  lead: "For signed PDFs, and for the story of how they were signed. Your files stay on this device: this page can send nothing.",
  language: "Language",
  drop: "Drop the signed PDF here, and its signature protocol or story if you have them.",
  pick: "Choose files",
  files: "Files",
  trust: "Whom do you trust?",
  trustLead:
    "A signature is only worth as much as whoever vouches for it. Get these from their publisher, not from whoever sent you the files.",
  roots: "Root certificates",
  pickRoots: "Choose certificates",
  rootsWrong: "This is no certificate in PEM or DER: {name}",
  logKey: "Published key of the log of evidence",
  logKeyHint: "One line, for example: sign.example.org/log+1a2b3c4d+A…",
  logKeyWrong: "This is no key of a log.",
  working: "Checking …",
  result: "Result",
  xml: "Save the report for programs (XML): {name}",
  again: "Start again",
  failed: "Something went wrong here, so nothing can be said. It does not mean that the files are wrong.",
}

const de: PageWords = {
  title: "Eine Signatur prüfen",
  lead: "Für signierte PDF und für die Geschichte, wie sie signiert wurden. Ihre Dateien bleiben auf diesem Gerät: Diese Seite kann nichts verschicken.",
  language: "Sprache",
  drop: "Legen Sie das signierte PDF hier ab, dazu sein Signaturprotokoll oder seine Geschichte, wenn Sie sie haben.",
  pick: "Dateien wählen",
  files: "Dateien",
  trust: "Wem vertrauen Sie?",
  trustLead:
    "Eine Signatur ist nur so viel wert wie die Stelle, die für sie bürgt. Beziehen Sie diese Angaben bei deren Herausgeber und nicht bei der Person, die Ihnen die Dateien geschickt hat.",
  roots: "Wurzelzertifikate",
  pickRoots: "Zertifikate wählen",
  rootsWrong: "Das ist kein Zertifikat in PEM oder DER: {name}",
  logKey: "Veröffentlichter Schlüssel des Logs der Belege",
  logKeyHint: "Eine Zeile, zum Beispiel: sign.example.org/log+1a2b3c4d+A…",
  logKeyWrong: "Das ist kein Schlüssel eines Logs.",
  working: "Wird geprüft …",
  result: "Ergebnis",
  xml: "Bericht für Programme speichern (XML): {name}",
  again: "Von vorn beginnen",
  failed:
    "Hier ist etwas schiefgegangen, darum lässt sich nichts sagen. Das heisst nicht, dass die Dateien falsch sind.",
}

const fr: PageWords = {
  title: "Vérifier une signature",
  lead: "Pour les PDF signés et pour l’historique de leur signature. Vos fichiers restent sur cet appareil\u00a0: cette page ne peut rien envoyer.",
  language: "Langue",
  drop: "Déposez ici le PDF signé, avec son protocole de signature ou son historique si vous les avez.",
  pick: "Choisir des fichiers",
  files: "Fichiers",
  trust: "À qui faites-vous confiance\u00a0?",
  trustLead:
    "Une signature ne vaut que ce que vaut celui qui s’en porte garant. Procurez-vous ces indications auprès de leur éditeur, et non auprès de la personne qui vous a envoyé les fichiers.",
  roots: "Certificats racines",
  pickRoots: "Choisir des certificats",
  rootsWrong: "Ce n’est pas un certificat en PEM ou en DER\u00a0: {name}",
  logKey: "Clé publiée du journal des preuves",
  logKeyHint: "Une ligne, par exemple\u00a0: sign.example.org/log+1a2b3c4d+A…",
  logKeyWrong: "Ce n’est pas une clé de journal.",
  working: "Vérification en cours …",
  result: "Résultat",
  xml: "Enregistrer le rapport pour les programmes (XML)\u00a0: {name}",
  again: "Recommencer",
  failed:
    "Un problème est survenu ici\u00a0; rien ne peut donc être affirmé. Cela ne veut pas dire que les fichiers sont faux.",
}

const it: PageWords = {
  title: "Verificare una firma",
  lead: "Per i PDF firmati e per la cronologia della loro firma. I Suoi file restano su questo dispositivo: questa pagina non può inviare nulla.",
  language: "Lingua",
  drop: "Depositi qui il PDF firmato, con il suo protocollo di firma o la sua cronologia se li ha.",
  pick: "Scegliere i file",
  files: "File",
  trust: "Di chi si fida?",
  trustLead:
    "Una firma vale solo quanto chi la garantisce. Ottenga queste indicazioni da chi le pubblica e non da chi Le ha inviato i file.",
  roots: "Certificati radice",
  pickRoots: "Scegliere i certificati",
  rootsWrong: "Non è un certificato in PEM o DER: {name}",
  logKey: "Chiave pubblicata del registro delle prove",
  logKeyHint: "Una riga, ad esempio: sign.example.org/log+1a2b3c4d+A…",
  logKeyWrong: "Non è una chiave di registro.",
  working: "Verifica in corso …",
  result: "Risultato",
  xml: "Salvare il rapporto per i programmi (XML): {name}",
  again: "Ricominciare",
  failed:
    "Qui qualcosa non ha funzionato, perciò non si può dire nulla. Non significa che i file siano falsi.",
}

const WORDS: Readonly<Record<Language, PageWords>> = { en, de, fr, it }

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
}

export function pageWords(language: Language): PageWords {
  return WORDS[language]
}
