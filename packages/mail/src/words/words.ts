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
    readonly open: string
    readonly openLater: string
    readonly linkHint: string
    readonly personalLink: string
    readonly unexpected: (sender: string) => string
    readonly neverAsked: string
  }
}
