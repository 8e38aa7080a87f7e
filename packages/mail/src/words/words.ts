/** Every word of every mail. A language that leaves one out does not compile. */
export type Words = {
  readonly demo: string
  readonly invitation: {
    readonly subject: (sender: string, title: string) => string
    readonly heading: (sender: string, title: string) => string
    readonly documents: (count: number) => string
    readonly read: string
    readonly turnIsLater: string
    readonly messageFrom: (sender: string) => string
    readonly open: (documents: number) => string
    readonly openLater: string
    readonly linkHint: string
    readonly personalLink: string
    readonly unexpected: (sender: string) => string
    readonly neverAsked: string
    readonly deadline: (date: string) => string
    readonly quality: Readonly<Record<"SES" | "AES" | "QES", string>>
    /** Decisions, "creator": a member of the business who is shown as the sender. */
    readonly madeBy: (person: string) => string
  }
  readonly yourTurn: {
    readonly subject: (title: string) => string
    readonly heading: (title: string) => string
    readonly lead: (sender: string) => string
  }
  readonly reminder: {
    readonly subject: (sender: string, title: string) => string
    readonly heading: (sender: string, title: string) => string
    readonly lead: (firstDate: string) => string
  }
  readonly completed: {
    readonly subject: (title: string) => string
    readonly byYou: (title: string) => string
    readonly byYouAndOthers: (title: string) => string
    readonly byAll: (title: string) => string
    /** Where one person was asked, and somebody else reads it. */
    readonly byOne: (title: string) => string
    readonly attached: (count: number) => string
    readonly keep: (count: number) => string
    readonly tooLarge: (sender: string, count: number) => string
    readonly notAttached: (sender: string, count: number) => string
    readonly protocol: string
    readonly noProtocol: (sender: string) => string
  }
  readonly declined: {
    readonly subject: (title: string) => string
    readonly heading: (who: string, title: string) => string
    readonly byYou: (title: string) => string
    readonly over: string
    readonly reasonOf: (who: string) => string
    readonly yourReason: string
  }
  readonly withdrawn: {
    readonly subject: (title: string) => string
    readonly heading: (sender: string, title: string) => string
    readonly signer: string
    readonly follower: string
  }
  readonly expired: {
    readonly subject: (title: string) => string
    readonly heading: (title: string) => string
    readonly until: (date: string) => string
    readonly signer: (sender: string) => string
    readonly follower: string
  }
  readonly expiringSoon: {
    readonly subject: (date: string, title: string) => string
    readonly signerHeading: (date: string, title: string) => string
    readonly signer: string
    readonly followerHeading: (date: string, title: string) => string
    readonly follower: string
    readonly open: string
  }
  readonly observerAdded: {
    readonly subject: (sender: string, title: string) => string
    readonly heading: (sender: string, title: string) => string
    readonly text: string
    readonly open: string
  }
  /** The code by which a signer proves the address; it ends the subject. */
  readonly code: {
    readonly subject: (title: string, code: string) => string
    readonly heading: (code: string) => string
    readonly text: (sender: string, title: string) => string
    readonly lasts: string
    readonly nobody: string
    readonly unexpected: string
  }
  /** Where the mail comes from another name than the business has. */
  readonly sentBy: (business: string) => string
  /** Why somebody gets a mail at all. */
  readonly why: { readonly signer: (sender: string) => string; readonly follower: (sender: string) => string }
}
