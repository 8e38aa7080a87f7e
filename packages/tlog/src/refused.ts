/** What is not written as its specification says. A proof that does not hold is an answer and no error. */
export class TlogRefused extends Error {
  override readonly name = "TlogRefused"
}
