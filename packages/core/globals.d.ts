/** The one thing core borrows from the platform: reading a URL is pure. */
declare class URL {
  static parse(url: string): URL | null
  readonly protocol: string
  readonly host: string
  readonly username: string
  readonly password: string
}
