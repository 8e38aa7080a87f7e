/** What could not be done, though it was understood: said in one sentence, without a stack. Ends with 1. */
export class Failed extends Error {}
