// What the descriptions say of an operation, in the form in which one calls it.

export type Verb = "get" | "post" | "put" | "patch" | "delete"

type Described = {
  readonly parameters: { query?: unknown; header?: unknown; path?: unknown }
  readonly responses: Record<number, unknown>
}

type OperationAt<Paths, Path extends keyof Paths, V extends string> = V extends keyof Paths[Path]
  ? Extract<Paths[Path][V], Described>
  : never

type OptionalKeys<T> = { [K in keyof T]-?: Record<never, never> extends Pick<T, K> ? K : never }[keyof T]
type AllOptional<T> = Exclude<keyof T, OptionalKeys<T>> extends never ? true : false

/** Under its name, and optional where everything in it is. */
type Under<Name extends string, T> = [T] extends [never]
  ? unknown
  : AllOptional<T> extends true
    ? { readonly [N in Name]?: T }
    : { readonly [N in Name]: T }

type Given<T, K extends string> = K extends keyof T ? Exclude<T[K], undefined> : never

type BodyOf<Op> = Op extends { requestBody: { content: infer Content } }
  ? { readonly body: TypedBody<Content> }
  : Op extends { requestBody?: { content: infer Content } }
    ? { readonly body?: TypedBody<Content> }
    : unknown

/** JSON where the operation takes it; else bytes, whose type the Blob knows. */
type TypedBody<Content> = Content extends { "application/json": infer Json } ? Json : Blob

type HeadersOf<Op extends Described> = Given<Op["parameters"], "header">

type Common = { readonly signal?: AbortSignal }

/** Without `dry_run`, whose answer is another one: that is `planSignatureRequest`. */
type QueryOf<Op extends Described> = [Given<Op["parameters"], "query">] extends [never]
  ? never
  : Omit<Given<Op["parameters"], "query">, "dry_run">

/** `path`, `query`, `headers` and `body` as the operation has them, and a `signal`. */
export type Options<Op extends Described> = Under<"path", Given<Op["parameters"], "path">> &
  Under<"query", QueryOf<Op>> &
  // Whoever has the answer already is not answered; that is for downloads.
  Under<"headers", [HeadersOf<Op>] extends [never] ? never : Omit<HeadersOf<Op>, "If-None-Match">> &
  BodyOf<Op> &
  Common

export type DownloadOptions<Op extends Described> = Under<"path", Given<Op["parameters"], "path">> &
  Under<"query", Given<Op["parameters"], "query">> &
  Under<"headers", HeadersOf<Op> & { Accept?: string }> &
  Common

type ContentOf<Op extends Described> = Op["responses"] extends { 200: { content: infer Content } }
  ? Content
  : never

type IsJson<Op extends Described> = [ContentOf<Op>] extends [never]
  ? true
  : Exclude<keyof ContentOf<Op>, "application/json"> extends never
    ? true
    : false

/** What is answered: the JSON, or nothing. */
export type Answer<Op extends Described> = [ContentOf<Op>] extends [never]
  ? undefined
  : ContentOf<Op> extends { "application/json": infer Json }
    ? Exclude<Json, { dry_run: true }>
    : never

type AnswersJson<Paths, V extends string> = {
  [Path in keyof Paths]: [OperationAt<Paths, Path, V>] extends [never]
    ? never
    : IsJson<OperationAt<Paths, Path, V>> extends true
      ? Path
      : never
}[keyof Paths]

/** Answered in other types too, or in others alone; a login is ours to do. */
type AnswersBytes<Paths> = {
  [Path in keyof Paths]: [OperationAt<Paths, Path, "get">] extends [never]
    ? never
    : IsJson<OperationAt<Paths, Path, "get">> extends true
      ? never
      : Path
}[keyof Paths]

/** Pages that a cursor leads through: arrays with a `Link`, and the journal of events. */
type AnswersPages<Paths> = {
  [Path in keyof Paths]: OperationAt<Paths, Path, "get"> extends {
    parameters: { query?: { cursor?: string } | { after?: string } }
  }
    ? [ItemIn<Answer<OperationAt<Paths, Path, "get">>>] extends [never]
      ? never
      : Path
    : never
}[keyof Paths]

export type ItemIn<A> = A extends readonly (infer Item)[]
  ? Item
  : A extends { events: readonly (infer Item)[]; next: unknown }
    ? Item
    : never

type Arguments<T> = AllOptional<T> extends true ? [options?: T] : [options: T]

/** The operations of one verb, each by its path; answers what the service answers, and throws a ProblemError otherwise. */
export type Ask<Paths, V extends Verb> = <Path extends AnswersJson<Paths, V>>(
  path: Path,
  ...options: Arguments<Options<OperationAt<Paths, Path, V>>>
) => Promise<Answer<OperationAt<Paths, Path, V>>>

export type Download<Paths> = <Path extends AnswersBytes<Paths>>(
  path: Path,
  ...options: Arguments<DownloadOptions<OperationAt<Paths, Path, "get">>>
) => Promise<Response>

/** One page of a list. */
export type Page<Item> = {
  readonly items: readonly Item[]
  /** Where the next one begins: a `cursor`, or of events an `after`. Null where this was the last; never null for events. */
  readonly next: string | null
}

/** Iterate over it, or over its pages where you want to go on another day from where you stopped. */
export type List<Item> = AsyncIterable<Item> & { readonly pages: () => AsyncIterable<Page<Item>> }

export type Lists<Paths> = <Path extends AnswersPages<Paths>>(
  path: Path,
  ...options: Arguments<Options<OperationAt<Paths, Path, "get">>>
) => List<ItemIn<Answer<OperationAt<Paths, Path, "get">>>>
