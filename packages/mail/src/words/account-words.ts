import type { AccountLetter } from "@paraph/core/account/model"
import type { Language } from "@paraph/core/language"

/** `known` is written instead of a code for registration to an address that has an account already. */
export type AccountMailLetter = AccountLetter | "known"

type Said = {
  readonly subject: string
  readonly text: string
  /** What the person may do now, by the one link. */
  readonly open?: string
}
export type AccountWords = {
  readonly letters: Readonly<Record<AccountMailLetter, Said>>
  readonly codeLabel: string
  readonly codeLasts: string
  readonly keepCode: string
  readonly notYou: string
  readonly ignore: string
}

/** Every word of the mails about a person's own account. */
export const ACCOUNT_WORDS: Readonly<Record<Language, AccountWords>> = {
  en: {
    letters: {
      register: {
        subject: "Your code for Paraph",
        text: "Type this code on the page where you asked for it. It proves that this address is yours.",
      },
      known: {
        subject: "You already have an account with Paraph",
        text: "Somebody, probably you, wanted to create an account with this address. There is one already, so you can simply sign in. If you do not know your password any more, choose a new one there.",
        open: "Sign in",
      },
      recover: {
        subject: "Your code for a new password",
        text: "Type this code on the page where you asked for it, and choose a new password there.",
      },
      recovered: {
        subject: "Your password was set anew",
        text: "A new password was chosen for your account, by a code that we had sent to this address. Everybody who was signed in has been signed out. Passkeys that were added within the last seven days no longer open your account.",
        open: "Choose a new password",
      },
      "password-changed": {
        subject: "Your password was changed",
        text: "The password of your account was changed. Everybody else who was signed in has been signed out.",
        open: "Choose a new password",
      },
      "passkey-added": {
        subject: "A passkey was added to your account",
        text: "From now on, your account can be opened with a new passkey.",
        open: "See my account",
      },
      "passkey-removed": {
        subject: "A passkey was removed from your account",
        text: "One of your passkeys does not open your account any more.",
        open: "See my account",
      },
      "second-factor-on": {
        subject: "Your authenticator app is switched on",
        text: "From now on, we ask for a code of your authenticator app when you sign in with your password.",
        open: "See my account",
      },
      "second-factor-off": {
        subject: "Your authenticator app is switched off",
        text: "We no longer ask for a code of your authenticator app when you sign in with your password.",
        open: "See my account",
      },
      "factors-reset-asked": {
        subject: "A reset of your account was asked for",
        text: "An operator of this service was asked to take your password, your authenticator app, your recovery codes and your passkeys away. Another operator has to confirm it within a day. If it was not you who asked, tell the operator of this service at once, before it is confirmed.",
        open: "See my account",
      },
      "factors-reset": {
        subject: "How you sign in was reset",
        text: "An operator of this service has taken your password, your authenticator app, your recovery codes and your passkeys away, because somebody asked for it in your name. Everybody who was signed in has been signed out. To sign in again, ask for a code to this address, choose a new password and set up your app anew.",
        open: "Choose a new password",
      },
      "second-factor-wrong": {
        subject: "Wrong codes for your account",
        text: "Somebody who knows the password of your account typed wrong codes in place of that of your authenticator app. They did not get in. If this was not you, somebody else has your password.",
        open: "See my account",
      },
    },
    codeLabel: "Your code:",
    codeLasts: "The code counts for 10 minutes, and once.",
    keepCode: "Tell nobody this code. We never ask for it by e-mail or by telephone.",
    notYou: "If this was not you, choose a new password at once: that signs everybody else out.",
    ignore: "If you did not ask for it, you need do nothing: without the code nothing happens.",
  },
  de: {
    letters: {
      register: {
        subject: "Ihr Code für Paraph",
        text: "Geben Sie diesen Code auf der Seite ein, auf der Sie ihn verlangt haben. Er zeigt, dass diese Adresse Ihnen gehört.",
      },
      known: {
        subject: "Sie haben bereits ein Konto bei Paraph",
        text: "Jemand, vermutlich Sie, wollte mit dieser Adresse ein Konto eröffnen. Es gibt schon eines; Sie können sich also einfach anmelden. Wenn Sie Ihr Passwort nicht mehr wissen, wählen Sie dort ein neues.",
        open: "Anmelden",
      },
      recover: {
        subject: "Ihr Code für ein neues Passwort",
        text: "Geben Sie diesen Code auf der Seite ein, auf der Sie ihn verlangt haben, und wählen Sie dort ein neues Passwort.",
      },
      recovered: {
        subject: "Ihr Passwort wurde neu gesetzt",
        text: "Für Ihr Konto wurde ein neues Passwort gewählt, mit einem Code, den wir an diese Adresse geschickt hatten. Wer angemeldet war, ist es nicht mehr. Passkeys, die in den letzten sieben Tagen dazugekommen sind, öffnen Ihr Konto nicht mehr.",
        open: "Neues Passwort wählen",
      },
      "password-changed": {
        subject: "Ihr Passwort wurde geändert",
        text: "Das Passwort Ihres Kontos wurde geändert. Wer sonst noch angemeldet war, ist es nicht mehr.",
        open: "Neues Passwort wählen",
      },
      "passkey-added": {
        subject: "Ein Passkey ist zu Ihrem Konto gekommen",
        text: "Ihr Konto kann ab jetzt mit einem neuen Passkey geöffnet werden.",
        open: "Mein Konto ansehen",
      },
      "passkey-removed": {
        subject: "Ein Passkey wurde aus Ihrem Konto entfernt",
        text: "Einer Ihrer Passkeys öffnet Ihr Konto nicht mehr.",
        open: "Mein Konto ansehen",
      },
      "second-factor-on": {
        subject: "Ihre Authenticator-App ist eingeschaltet",
        text: "Ab jetzt fragen wir nach einem Code Ihrer Authenticator-App, wenn Sie sich mit dem Passwort anmelden.",
        open: "Mein Konto ansehen",
      },
      "second-factor-off": {
        subject: "Ihre Authenticator-App ist ausgeschaltet",
        text: "Wir fragen nicht mehr nach einem Code Ihrer Authenticator-App, wenn Sie sich mit dem Passwort anmelden.",
        open: "Mein Konto ansehen",
      },
      "factors-reset-asked": {
        subject: "Für Ihr Konto wurde ein Zurücksetzen verlangt",
        text: "Ein Betreiber dieses Dienstes wurde gebeten, Ihr Passwort, Ihre Authenticator-App, Ihre Wiederherstellungscodes und Ihre Passkeys zu entfernen. Ein zweiter Betreiber muss das innert eines Tages bestätigen. Haben Sie das nicht verlangt, melden Sie es dem Betreiber dieses Dienstes sofort, bevor es bestätigt wird.",
        open: "Mein Konto ansehen",
      },
      "factors-reset": {
        subject: "Ihre Anmeldung wurde zurückgesetzt",
        text: "Ein Betreiber dieses Dienstes hat Ihr Passwort, Ihre Authenticator-App, Ihre Wiederherstellungscodes und Ihre Passkeys entfernt, weil jemand in Ihrem Namen darum gebeten hat. Alle, die angemeldet waren, wurden abgemeldet. Um sich wieder anzumelden, fordern Sie einen Code an diese Adresse an, wählen Sie ein neues Passwort und richten Sie Ihre App neu ein.",
        open: "Neues Passwort wählen",
      },
      "second-factor-wrong": {
        subject: "Falsche Codes für Ihr Konto",
        text: "Jemand, der das Passwort Ihres Kontos kennt, hat falsche Codes anstelle jener Ihrer Authenticator-App eingegeben und ist nicht hineingekommen. Waren Sie es nicht, so hat jemand anders Ihr Passwort.",
        open: "Mein Konto ansehen",
      },
    },
    codeLabel: "Ihr Code:",
    codeLasts: "Der Code gilt 10 Minuten lang und einmal.",
    keepCode: "Sagen Sie diesen Code niemandem. Wir fragen nie per E-Mail oder Telefon danach.",
    notYou:
      "Wenn Sie das nicht waren, wählen Sie sofort ein neues Passwort: damit werden alle anderen abgemeldet.",
    ignore: "Wenn Sie nichts verlangt haben, müssen Sie nichts tun: ohne den Code geschieht nichts.",
  },
  fr: {
    letters: {
      register: {
        subject: "Votre code pour Paraph",
        text: "Saisissez ce code sur la page où vous l’avez demandé. Il montre que cette adresse est la vôtre.",
      },
      known: {
        subject: "Vous avez déjà un compte chez Paraph",
        text: "Quelqu’un, sans doute vous, a voulu ouvrir un compte avec cette adresse. Il en existe déjà un : il suffit de vous connecter. Si vous ne savez plus votre mot de passe, choisissez-en un nouveau à cet endroit.",
        open: "Se connecter",
      },
      recover: {
        subject: "Votre code pour un nouveau mot de passe",
        text: "Saisissez ce code sur la page où vous l’avez demandé, et choisissez-y un nouveau mot de passe.",
      },
      recovered: {
        subject: "Votre mot de passe a été redéfini",
        text: "Un nouveau mot de passe a été choisi pour votre compte, au moyen d’un code que nous avions envoyé à cette adresse. Toutes les sessions ouvertes ont été fermées. Les clés d’accès ajoutées au cours des sept derniers jours n’ouvrent plus votre compte.",
        open: "Choisir un nouveau mot de passe",
      },
      "password-changed": {
        subject: "Votre mot de passe a été modifié",
        text: "Le mot de passe de votre compte a été modifié. Toutes les autres sessions ont été fermées.",
        open: "Choisir un nouveau mot de passe",
      },
      "passkey-added": {
        subject: "Une clé d’accès a été ajoutée à votre compte",
        text: "Votre compte peut désormais être ouvert avec une nouvelle clé d’accès.",
        open: "Voir mon compte",
      },
      "passkey-removed": {
        subject: "Une clé d’accès a été retirée de votre compte",
        text: "L’une de vos clés d’accès n’ouvre plus votre compte.",
        open: "Voir mon compte",
      },
      "second-factor-on": {
        subject: "Votre application d’authentification est activée",
        text: "Désormais, nous demandons un code de votre application d’authentification lorsque vous vous connectez avec votre mot de passe.",
        open: "Voir mon compte",
      },
      "second-factor-off": {
        subject: "Votre application d’authentification est désactivée",
        text: "Nous ne demandons plus de code de votre application d’authentification lorsque vous vous connectez avec votre mot de passe.",
        open: "Voir mon compte",
      },
      "factors-reset-asked": {
        subject: "La réinitialisation de votre compte a été demandée",
        text: "Il a été demandé à un opérateur de ce service de supprimer votre mot de passe, votre application d’authentification, vos codes de récupération et vos clés d’accès. Un second opérateur doit le confirmer dans les 24 heures. Si vous ne l’avez pas demandé, signalez-le immédiatement à l’opérateur de ce service, avant la confirmation.",
        open: "Voir mon compte",
      },
      "factors-reset": {
        subject: "Votre connexion a été réinitialisée",
        text: "Un opérateur de ce service a supprimé votre mot de passe, votre application d’authentification, vos codes de récupération et vos clés d’accès, parce que quelqu’un l’a demandé en votre nom. Toutes les sessions ouvertes ont été fermées. Pour vous connecter de nouveau, demandez un code à cette adresse, choisissez un nouveau mot de passe et configurez à nouveau votre application.",
        open: "Choisir un nouveau mot de passe",
      },
      "second-factor-wrong": {
        subject: "Codes erronés pour votre compte",
        text: "Une personne qui connaît le mot de passe de votre compte a saisi des codes erronés à la place de ceux de votre application d’authentification. Elle n’a pas pu se connecter. Si ce n’était pas vous, quelqu’un d’autre a votre mot de passe.",
        open: "Voir mon compte",
      },
    },
    codeLabel: "Votre code :",
    codeLasts: "Le code est valable 10 minutes, et une seule fois.",
    keepCode: "Ne donnez ce code à personne. Nous ne le demandons jamais par e-mail ni par téléphone.",
    notYou:
      "Si ce n’était pas vous, choisissez immédiatement un nouveau mot de passe : toutes les autres sessions seront fermées.",
    ignore: "Si vous n’avez rien demandé, vous n’avez rien à faire : sans le code, rien ne se passe.",
  },
  it: {
    letters: {
      register: {
        subject: "Il Suo codice per Paraph",
        text: "Inserisca questo codice nella pagina in cui l’ha richiesto. Dimostra che questo indirizzo è Suo.",
      },
      known: {
        subject: "Ha già un account presso Paraph",
        text: "Qualcuno, probabilmente Lei, voleva creare un account con questo indirizzo. Ne esiste già uno: può semplicemente accedere. Se non ricorda più la password, ne scelga una nuova in quella pagina.",
        open: "Accedi",
      },
      recover: {
        subject: "Il Suo codice per una nuova password",
        text: "Inserisca questo codice nella pagina in cui l’ha richiesto e scelga lì una nuova password.",
      },
      recovered: {
        subject: "La Sua password è stata reimpostata",
        text: "Per il Suo account è stata scelta una nuova password, con un codice che avevamo inviato a questo indirizzo. Tutte le sessioni aperte sono state chiuse. Le passkey aggiunte negli ultimi sette giorni non aprono più il Suo account.",
        open: "Scegli una nuova password",
      },
      "password-changed": {
        subject: "La Sua password è stata modificata",
        text: "La password del Suo account è stata modificata. Tutte le altre sessioni sono state chiuse.",
        open: "Scegli una nuova password",
      },
      "passkey-added": {
        subject: "Una passkey è stata aggiunta al Suo account",
        text: "Da ora il Suo account può essere aperto con una nuova passkey.",
        open: "Vedi il mio account",
      },
      "passkey-removed": {
        subject: "Una passkey è stata rimossa dal Suo account",
        text: "Una delle Sue passkey non apre più il Suo account.",
        open: "Vedi il mio account",
      },
      "second-factor-on": {
        subject: "La Sua app di autenticazione è attiva",
        text: "Da ora chiediamo un codice della Sua app di autenticazione quando accede con la password.",
        open: "Vedi il mio account",
      },
      "second-factor-off": {
        subject: "La Sua app di autenticazione è disattivata",
        text: "Non chiediamo più un codice della Sua app di autenticazione quando accede con la password.",
        open: "Vedi il mio account",
      },
      "factors-reset-asked": {
        subject: "È stato chiesto di reimpostare il Suo account",
        text: "A un operatore di questo servizio è stato chiesto di rimuovere la Sua password, la Sua app di autenticazione, i Suoi codici di recupero e le Sue passkey. Un secondo operatore deve confermarlo entro un giorno. Se non lo ha chiesto Lei, lo segnali subito all’operatore di questo servizio, prima della conferma.",
        open: "Vedi il mio account",
      },
      "factors-reset": {
        subject: "Il Suo accesso è stato reimpostato",
        text: "Un operatore di questo servizio ha rimosso la Sua password, la Sua app di autenticazione, i Suoi codici di recupero e le Sue passkey, perché qualcuno lo ha chiesto a Suo nome. Tutte le sessioni aperte sono state chiuse. Per accedere di nuovo, chieda un codice a questo indirizzo, scelga una nuova password e configuri di nuovo la Sua app.",
        open: "Scegli una nuova password",
      },
      "second-factor-wrong": {
        subject: "Codici errati per il Suo account",
        text: "Una persona che conosce la password del Suo account ha inserito codici errati al posto di quelli della Sua app di autenticazione. Non è riuscita ad accedere. Se non è stato Lei, qualcun altro ha la Sua password.",
        open: "Vedi il mio account",
      },
    },
    codeLabel: "Il Suo codice:",
    codeLasts: "Il codice vale 10 minuti e una sola volta.",
    keepCode: "Non dica questo codice a nessuno. Non lo chiediamo mai per e-mail o per telefono.",
    notYou: "Se non è stato Lei, scelga subito una nuova password: tutte le altre sessioni verranno chiuse.",
    ignore: "Se non ha chiesto nulla, non deve fare niente: senza il codice non succede nulla.",
  },
}
