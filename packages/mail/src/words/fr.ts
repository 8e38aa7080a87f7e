import type { Words } from "./words.ts"

export const fr: Words = {
  demo: "TEST – sans effet juridique",
  invitation: {
    subject: (sender, title) => `${sender} vous demande de signer\u202F: ${title}`,
    heading: (sender, title) => `${sender} vous demande de signer «\u202F${title}\u202F»`,
    documents: (count) => (count === 1 ? "Il y a un document." : `Il y a ${count} documents.`),
    read: "Lisez d’abord, décidez ensuite. Aucun compte n’est nécessaire et cela ne prend que quelques minutes.",
    turnIsLater:
      "D’autres personnes signent avant vous. Nous vous écrirons de nouveau quand ce sera votre tour.",
    messageFrom: (sender) => `${sender} écrit\u202F:`,
    open: "Voir le document",
    openLater: "Voir où cela en est",
    linkHint: "Si le bouton ne fonctionne pas, copiez cette adresse dans votre navigateur\u202F:",
    personalLink: "Ce lien vous est destiné personnellement. Merci de ne pas le transmettre.",
    unexpected: (sender) =>
      `Vous ne vous y attendiez pas\u202F? N’ouvrez rien et demandez à ${sender} par un moyen que vous connaissez. Rien n’est signé si vous ne le faites pas vous-même.`,
    neverAsked: "Nous ne demandons jamais de mot de passe ni de paiement par e-mail.",
  },
}
