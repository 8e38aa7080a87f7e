/** What the person typed and we cannot carry out. */
export class NotUnderstood extends Error {}
