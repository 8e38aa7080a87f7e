import type { Json } from "./words.ts"

type Members = Readonly<Record<string, Json>>

/**
 * What an integrator who was written against `before` would miss in `after`, in words; empty where the description has
 * only grown. Of Swagger 2.0 and OpenAPI 3.1 alike: both keep operations by path and method, and what is sent and
 * answered as JSON Schema.
 */
export function whatBreaks(before: Json, after: Json): readonly string[] {
  return operations(before).flatMap(([name, path, method, was]) => {
    const is = ((after.paths as Members)[path] as Members | undefined)?.[method]
    if (is === undefined) return [`${name} is gone`]
    return [
      ...parametersBreak(was, is).map((what) => `${name}: ${what}`),
      ...bodyBreaks({ before, after, sent: true }, was, is).map((what) => `${name}: ${what}`),
      ...answersBreak({ before, after, sent: false }, was, is).map((what) => `${name}: ${what}`),
    ]
  })
}

function operations({ paths }: Json): readonly (readonly [string, string, string, Json])[] {
  return Object.entries(paths as Readonly<Record<string, Members>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, path, method, operation] as const,
    ),
  )
}

/** `sent`: whether integrators write it, so that nothing more may be asked for; otherwise they read it. */
type Compared = { readonly before: Json; readonly after: Json; readonly sent: boolean }

function parametersBreak(was: Json, is: Json): readonly string[] {
  const inPlace = ({ parameters = [] }: Json) =>
    new Map((parameters as readonly Json[]).map((each) => [`${each.in} ${each.name}`, each]))
  const now = inPlace(is)
  const earlier = inPlace(was)
  return [
    ...[...earlier.keys()].filter((name) => !now.has(name)).map((name) => `the parameter ${name} is gone`),
    ...[...now].flatMap(([name, each]) =>
      each.required === true && earlier.get(name)?.required !== true
        ? [`the parameter ${name} is needed now`]
        : [],
    ),
  ]
}

function bodyBreaks(compared: Compared, was: Json, is: Json): readonly string[] {
  const earlier = contents(was.requestBody as Json | undefined)
  const now = contents(is.requestBody as Json | undefined)
  const isNeeded = (operation: Json) => (operation.requestBody as Json | undefined)?.required === true
  return [
    ...(isNeeded(is) && !isNeeded(was) ? ["a body is needed now"] : []),
    ...contentsBreak(compared, "a body", earlier, now),
  ]
}

function answersBreak(compared: Compared, was: Json, is: Json): readonly string[] {
  const now = is.responses as Members
  return Object.entries(was.responses as Members).flatMap(([status, answer]) => {
    const other = now[status]
    if (other === undefined) return status < "400" ? [`the answer ${status} is gone`] : []
    const [earlier, later] = [resolved(answer, compared.before), resolved(other, compared.after)]
    return contentsBreak(compared, `the answer ${status}`, contents(earlier), contents(later))
  })
}

/** By media type; Swagger 2.0 has one schema for all of them. */
const contents = (holder: Json | undefined): Members =>
  (holder?.content as Members | undefined) ?? (holder?.schema === undefined ? {} : { "*": holder })

function contentsBreak(compared: Compared, where: string, was: Members, is: Members): readonly string[] {
  return Object.entries(was).flatMap(([type, { schema = {} }]) => {
    const other = is[type]
    if (other === undefined) return [`${where} of the type ${type} is gone`]
    return schemaBreaks(compared, where, schema as Json, (other.schema ?? {}) as Json, 0)
  })
}

/** Nobody nests deeper, and a schema may refer to itself. */
const DEEPEST = 12

function schemaBreaks(
  compared: Compared,
  where: string,
  was: Json,
  is: Json,
  depth: number,
): readonly string[] {
  const [earlier, now] = [resolved(was, compared.before), resolved(is, compared.after)]
  if (depth > DEEPEST || JSON.stringify(earlier) === JSON.stringify(now)) return []
  const members = (earlier.properties ?? {}) as Members
  const others = (now.properties ?? {}) as Members
  const inside = Object.entries(members).flatMap(([name, each]) => {
    const other = others[name]
    if (other === undefined) return [`${name} in ${where} is gone`]
    return schemaBreaks(compared, `${name} in ${where}`, each, other, depth + 1)
  })
  const items =
    earlier.items !== undefined && now.items !== undefined
      ? schemaBreaks(compared, `each of ${where}`, earlier.items as Json, now.items as Json, depth + 1)
      : []
  return [
    ...neededBreaks(compared, where, earlier, now),
    ...valueBreaks(compared, where, earlier, now),
    ...inside,
    ...items,
  ]
}

function neededBreaks({ sent }: Compared, where: string, was: Json, is: Json): readonly string[] {
  const earlier = (was.required ?? []) as readonly string[]
  const now = (is.required ?? []) as readonly string[]
  const [longer, shorter] = sent ? [now, earlier] : [earlier, now]
  const changed = longer.filter((name) => !shorter.includes(name))
  return changed.map((name) =>
    sent ? `${name} in ${where} is needed now` : `${name} in ${where} is not always there any more`,
  )
}

/** Keywords that narrow: sent values must not be narrowed. What is answered may be, but its type must stay. */
const NARROWING = [
  "maxLength",
  "maximum",
  "maxItems",
  "minLength",
  "minimum",
  "minItems",
  "pattern",
  "format",
]

function valueBreaks({ sent }: Compared, where: string, was: Json, is: Json): readonly string[] {
  const type = JSON.stringify(was.type) === JSON.stringify(is.type) ? [] : [`${where} has another type`]
  if (!sent) return type
  const gone = ((was.enum ?? []) as readonly unknown[]).filter(
    (value) => is.enum !== undefined && !(is.enum as readonly unknown[]).includes(value),
  )
  const tighter = NARROWING.filter((keyword) => isTighter(keyword, was[keyword], is[keyword]))
  return [
    ...type,
    ...gone.map((value) => `${where} does not take ${JSON.stringify(value)} any more`),
    ...tighter.map((keyword) => `${where} has a tighter ${keyword}`),
  ]
}

function isTighter(keyword: string, was: unknown, is: unknown): boolean {
  if (is === undefined || was === is) return false
  if (was === undefined || typeof was !== "number" || typeof is !== "number") return true
  return keyword.startsWith("max") ? is < was : is > was
}

/** What a reference stands for, in its own document. */
function resolved(value: Json, root: Json): Json {
  if (typeof value.$ref !== "string") return value
  const place = value.$ref.slice(2).split("/")
  return place.reduce<Json>((found, name) => found[name] as Json, root)
}
