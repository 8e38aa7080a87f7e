/** Every picture, with what it shows. The readme of docs/screens is written from this, and the scenes have to keep to it. */
export type Shown = { readonly says: string; readonly dark?: true }
export type Journey = { readonly title: string; readonly screens: Readonly<Record<string, Shown>> }

/** Before the document: what the mail's link opens. */
const door = {
  mail: { says: "The invitation: who asks, for what, and one button." },
  door: { says: "The door. It is plain HTML, and only a press opens the document.", dark: true },
  "door-german": { says: "The same door in German. French and Italian are there too." },
  "door-branded": { says: "With the logo and the colour of the business that asks." },
  "door-turn": { says: "Somebody else signs first." },
  "door-signed": { says: "Whoever comes back after signing is told so." },
  "door-withdrawn": { says: "The sender has taken the request back." },
  "door-expired": { says: "The last day to sign has passed." },
  "door-unknown": { says: "A link that nobody knows, or that was cut off by a mail program." },
} as const satisfies Journey["screens"]

const read = {
  read: { says: "The document, and one way on.", dark: true },
  "read-about": { says: "Who asks, who else signs, and the message." },
  "read-french": { says: "The same in French." },
  "read-menu": { says: "The other choices: move the signature, download, decline." },
  "read-text": {
    says: "The words of the pages by themselves, for those who read them better so.",
    dark: true,
  },
  "read-exact": { says: "The PDF itself instead of the pictures of its pages." },
  "read-documents": { says: "Several documents; each is opened once before the last button." },
  "read-offline": { says: "Without a connection nothing is lost." },
  preview: { says: "Who came by a preview's address proves the e-mail address by a code first." },
} as const satisfies Journey["screens"]

const sign = {
  place: { says: "Where the signature goes: by finger, mouse or arrow keys." },
  "look-type": { says: "A signature that is typed, in one of three hands.", dark: true },
  "look-draw": { says: "A signature that is drawn." },
  "look-upload": { says: "A signature from a picture." },
  confirm: { says: "The last button, and what it means.", dark: true },
  working: { says: "While the signature is made. The tab may be closed." },
  "done-waiting": { says: "Signed; somebody else still has to." },
  done: { says: "Signed by everybody: the document is there to be kept.", dark: true },
  "done-exit": { says: "Back to where the signer came from, or not." },
} as const satisfies Journey["screens"]

const end = {
  decline: { says: "Declining, with a reason or without." },
  "decline-sure": { says: "It ends the request for everyone, so it is asked twice." },
  declined: { says: "Declined." },
  "ended-withdrawn": { says: "Withdrawn while somebody was reading." },
  "no-session": { says: "The page was left for too long." },
} as const satisfies Journey["screens"]

const account = {
  login: { says: "Signing in by password, passkey or the business's own sign-in.", dark: true },
  "login-wrong": { says: "A wrong password does not tell whether there is an account." },
  "login-second": { says: "The second step, for those who have an authenticator app." },
  register: { says: "An account begins with a code to the address." },
  "register-code": { says: "The code, and then a name and a password or a passkey." },
  recover: { says: "A new password." },
  security: { says: "Everything that opens the account.", dark: true },
  "security-app": { says: "Setting up an authenticator app." },
} as const satisfies Journey["screens"]

const work = {
  overview: { says: "What waits, how the month goes, what was sent last.", dark: true },
  requests: { says: "All requests, by state and title.", dark: true },
  "requests-none": { says: "Nothing was found." },
  request: { says: "One request: who has signed, who has not, and what can be done about it.", dark: true },
  "request-signed": { says: "A request that is complete." },
  "request-declined": { says: "A request that somebody declined." },
  "request-signer": { says: "One more signer, while it is under way." },
  "request-withdraw": { says: "Taking a request back." },
  first: { says: "The first day: nothing sent yet, and what to begin with." },
} as const satisfies Journey["screens"]

const send = {
  send: { says: "It begins with the PDFs, or with a template." },
  "send-documents": { says: "What is to be signed." },
  "send-people": { says: "Who signs, at once or one after the other." },
  "send-fields": { says: "Where each of them signs: dragged, or moved by arrow keys.", dark: true },
  "send-message": { says: "A word to the signers, the last day, the quality." },
  "send-review": { says: "Everything once more before anybody is written to." },
  templates: { says: "Templates for what is sent often." },
  template: { says: "A template: roles instead of people." },
  "template-use": { says: "Using a template: who is it this time?" },
} as const satisfies Journey["screens"]

const validate = {
  validate: { says: "Anybody's signed PDF is dropped here." },
  "validate-valid": { says: "Whether it is valid, who signed it, and how that is known.", dark: true },
  "validate-changed": {
    says: "Changed after it was signed: before, after, and where they differ.",
    dark: true,
  },
} as const satisfies Journey["screens"]

const manage = {
  groups: { says: "Groups: whoever of them comes first signs for all." },
  group: { says: "One group." },
  members: { says: "Who works for the business, and in which role." },
  "member-new": { says: "A new colleague." },
  usage: { says: "What was used, as a chart and as a table.", dark: true },
  audit: { says: "Who changed what, and when." },
  settings: { says: "What holds for the whole business." },
  branding: { says: "Logo and colour, with a preview of what signers see.", dark: true },
  retention: { says: "How long requests are kept." },
  origins: { says: "Which pages may show the signing page, and where signers go afterwards." },
  "single-sign-on": { says: "The business's own sign-in, by OpenID Connect." },
} as const satisfies Journey["screens"]

const develop = {
  keys: { says: "API keys.", dark: true },
  "key-new": { says: "A new key." },
  "key-once": { says: "It is shown once." },
  mails: { says: "The mails of a test, kept for seven days." },
  mail: { says: "One of them, as its reader sees it." },
  webhooks: { says: "Addresses that are called for every event." },
  webhook: { says: "What was delivered, what was not, and why." },
  events: { says: "The journal of events." },
  position: { says: "The position helper: a PDF is dropped here." },
  "position-box": { says: "A box on the page, and the lines for the request." },
} as const satisfies Journey["screens"]

const operate = {
  operator: { says: "How the service is: queues, certificates, mails." },
  "operator-businesses": { says: "Who uses it. Nothing here shows what documents say." },
  "operator-business": { says: "One business: features, keys, members." },
  "operator-mails": { says: "Which mails arrived, and which did not." },
  "operator-jobs": { says: "Jobs that failed." },
  "operator-audit": { says: "What operators did." },
} as const satisfies Journey["screens"]

export const AREAS = {
  signing: { ...door, ...read, ...sign, ...end },
  account,
  console: { ...work, ...send, ...validate, ...manage, ...develop, ...operate },
} as const satisfies Record<string, Journey["screens"]>
export type Area = keyof typeof AREAS

export const JOURNEYS: readonly (Journey & { readonly area: Area })[] = [
  { area: "signing", title: "Signing: the mail and the door", screens: door },
  { area: "signing", title: "Signing: the document", screens: read },
  { area: "signing", title: "Signing: the signature", screens: sign },
  { area: "signing", title: "Signing: when nothing is signed", screens: end },
  { area: "account", title: "The account of a person", screens: account },
  { area: "console", title: "The console: what is under way", screens: work },
  { area: "console", title: "The console: sending a document", screens: send },
  { area: "console", title: "The console: validating a document", screens: validate },
  { area: "console", title: "The console: the business", screens: manage },
  { area: "console", title: "The console: developers", screens: develop },
  { area: "console", title: "The console: who runs the service", screens: operate },
]
