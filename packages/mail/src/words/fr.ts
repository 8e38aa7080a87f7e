import type { Words } from "./words.ts"

export const fr: Words = {
  demo: "TEST – sans effet juridique",
  invitation: {
    subject: (sender, title) => `${sender} vous demande de signer\u202F: ${title}`,
    heading: (sender, title) => `${sender} vous demande de signer «\u202F${title}\u202F»`,
    documents: (count) =>
      count === 1 ? "Il y a un document à signer." : `Il y a ${count} documents à signer.`,
    read: "Lisez d’abord, décidez ensuite. Aucun compte n’est nécessaire et cela ne prend que quelques minutes.",
    turnIsLater:
      "D’autres personnes signent avant vous. Nous vous écrirons de nouveau quand ce sera votre tour.",
    messageFrom: (sender) => `${sender} écrit\u202F:`,
    open: (documents) => (documents === 1 ? "Voir le document" : "Voir les documents"),
    openLater: "Voir où cela en est",
    linkHint: "Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u202F:",
    personalLink: "Ce lien vous est destiné personnellement. Merci de ne pas le transmettre.",
    unexpected: (sender) =>
      `Vous ne vous y attendiez pas\u202F? N’ouvrez rien et demandez à ${sender} par un moyen que vous connaissez. Rien n’est signé si vous ne le faites pas vous-même.`,
    neverAsked: "Nous ne demandons jamais de mot de passe ni de paiement par e-mail.",
    deadline: (date) => `Vous pouvez signer jusqu’au ${date}.`,
    quality: {
      SES: "Une signature électronique simple est demandée.",
      AES: "Une signature électronique avancée est demandée\u202F; vous confirmez qui vous êtes en signant.",
      QES: "Une signature électronique qualifiée est demandée, que la loi assimile à la signature manuscrite\u202F; votre identité est vérifiée pour cela.",
    },
    madeBy: (person) => `La demande a été établie par ${person}.`,
  },
  yourTurn: {
    subject: (title) => `C’est à vous de signer\u202F: ${title}`,
    heading: (title) => `C’est à vous de signer «\u202F${title}\u202F»`,
    lead: (sender) =>
      `Plus personne ne doit signer avant vous. ${sender} vous demande maintenant votre signature.`,
  },
  reminder: {
    subject: (sender, title) => `${sender} vous rappelle de signer\u202F: ${title}`,
    heading: (sender, title) => `${sender} vous rappelle de signer «\u202F${title}\u202F»`,
    lead: (firstDate) =>
      `Nous vous avons écrit pour la première fois le ${firstDate}. Votre signature manque encore.`,
  },
  completed: {
    subject: (title) => `Signé\u202F: ${title}`,
    byYou: (title) => `Vous avez signé «\u202F${title}\u202F»`,
    byYouAndOthers: (title) => `Tout le monde a signé «\u202F${title}\u202F»`,
    byAll: (title) => `«\u202F${title}\u202F» a été signé par tout le monde`,
    byOne: (title) => `«\u202F${title}\u202F» a été signé`,
    protocol:
      "Le protocole de signature est joint\u202F: il dit étape par étape qui a signé quoi, quand et comment.",
    noProtocol: (sender) =>
      `Le protocole de signature n’a pas pu être joint à cet e-mail. ${sender} peut l’obtenir auprès du service et vous en remettre une copie.`,
    attached: (count) =>
      count === 1 ? "Le document signé est joint." : `Les ${count} documents signés sont joints.`,
    keep: (count) =>
      count === 1
        ? "Conservez le fichier PDF lui-même\u202F: une impression ne contient pas les signatures."
        : "Conservez les fichiers PDF eux-mêmes\u202F: des impressions ne contiennent pas les signatures.",
    tooLarge: (sender, count) =>
      count === 1
        ? `Le document signé est trop volumineux pour un e-mail. ${sender} en dispose et peut vous en remettre une copie.`
        : `Les ${count} documents signés sont trop volumineux pour un e-mail. ${sender} en dispose et peut vous en remettre des copies.`,
    notAttached: (sender, count) =>
      count === 1
        ? `${sender} dispose du document signé et peut vous en remettre une copie.`
        : `${sender} dispose des ${count} documents signés et peut vous en remettre des copies.`,
  },
  declined: {
    subject: (title) => `Refusé\u202F: ${title}`,
    heading: (who, title) => `${who} a refusé de signer «\u202F${title}\u202F»`,
    byYou: (title) => `Vous avez refusé de signer «\u202F${title}\u202F»`,
    over: "La demande a ainsi pris fin\u202F; plus personne ne peut signer. Vous n’avez plus rien à faire.",
    reasonOf: (who) => `La raison donnée par ${who}\u202F:`,
    yourReason: "La raison que vous avez donnée\u202F:",
  },
  withdrawn: {
    subject: (title) => `Retiré\u202F: ${title}`,
    heading: (sender, title) => `${sender} a retiré «\u202F${title}\u202F»`,
    signer:
      "Plus personne ne peut signer et les liens précédents ne mènent nulle part. Vous n’avez plus rien à faire.",
    follower: "La demande a pris fin avant que tout le monde ait signé. Plus personne ne peut signer.",
  },
  expired: {
    subject: (title) => `Délai passé\u202F: ${title}`,
    heading: (title) => `Le délai pour signer «\u202F${title}\u202F» est passé`,
    until: (date) => `Il était possible de signer jusqu’au ${date}.`,
    signer: (sender) =>
      `Plus personne ne peut signer. Si c’est encore nécessaire, ${sender} peut envoyer une nouvelle demande.`,
    follower: "Tout le monde n’avait pas signé à cette date, et plus personne ne peut le faire.",
  },
  expiringSoon: {
    subject: (date, title) => `À signer jusqu’au ${date}\u202F: ${title}`,
    signerHeading: (date, title) => `Vous pouvez signer «\u202F${title}\u202F» jusqu’au ${date}`,
    signer: "Votre signature manque encore. Passé ce jour, plus personne ne pourra signer.",
    followerHeading: (date, title) => `«\u202F${title}\u202F» peut être signé jusqu’au ${date}`,
    follower: "Tout le monde n’a pas encore signé. Passé ce jour, plus personne ne pourra signer.",
    open: "Lire et signer",
  },
  observerAdded: {
    subject: (sender, title) => `${sender} vous permet de suivre\u202F: ${title}`,
    heading: (sender, title) => `${sender} vous permet de suivre «\u202F${title}\u202F»`,
    text: "Vous observez, vous ne signez pas\u202F: vous pouvez lire la demande et ses documents, et nous vous écrirons quand elle aura pris fin.",
    open: "Voir la demande",
  },
  code: {
    subject: (title, code) => `Votre code pour «\u202F${title}\u202F»\u202F: ${code}`,
    heading: (code) => `Votre code est ${code}`,
    text: (sender, title) =>
      `Saisissez-le sur la page où vous avez ouvert «\u202F${title}\u202F» de ${sender}. Il montre que cette boîte de réception est la vôtre.`,
    lasts: "Il est valable 10 minutes, et sur cette page seulement.",
    nobody:
      "Ne le communiquez à personne, pas même au téléphone\u202F: ni nous ni l’expéditeur ne vous le demanderons.",
    unexpected:
      "Vous n’avez pas demandé de code\u202F? Alors une autre personne a ouvert la page\u202F; sans le code, elle ne peut rien y faire.",
  },
  sentBy: (business) => `Envoyé par ${business} via Paraph.`,
  why: {
    signer: (sender) => `Vous recevez cet e-mail parce que ${sender} vous a demandé de signer.`,
    follower: (sender) =>
      `Vous recevez cet e-mail parce que vous suivez une demande de signature de ${sender}.`,
  },
}
