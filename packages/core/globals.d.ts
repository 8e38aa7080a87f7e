/** The one thing core borrows from the platform: reading a URL is pure. */
declare class URL {
  static parse(url: string): URL | null
  readonly protocol: string
  readonly host: string
  readonly hostname: string
  readonly href: string
  readonly origin: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
  readonly username: string
  readonly password: string
}
