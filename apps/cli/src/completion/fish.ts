import { type Choice, type Place, type PlaceOption, quoted } from "./places.ts"

export const fish = (places: readonly Place[]): string => `# paraph completion fish
function __paraph_at
    set -l typed (commandline -opc)
    set -l place "$typed[2]"
    if contains -- "$typed[2] $typed[3]" ${places.flatMap(({ path }) => (path.includes(" ") ? quoted(path) : [])).join(" ")}
        set place "$typed[2] $typed[3]"
    end
    test "$place" = "$argv[1]"
end
complete -c paraph -f
${places.flatMap(linesOf).join("\n")}
`

function linesOf({ path, choices, paths, options }: Place): readonly string[] {
  const here = `complete -c paraph -n ${quoted(`__paraph_at "${path}"`)}`
  return [
    ...choices.map((choice) => `${here} -a ${quoted(choice.word)}${about(choice)}`),
    ...(paths === null ? [] : [`${here} -F`]),
    ...options.map((option) => `${here} -l ${option.name}${taking(option)}${about(option)}`),
  ]
}

function taking({ takes }: PlaceOption): string {
  if (takes === null) return ""
  const words = takes.words.length === 0 ? "" : ` -a ${quoted(takes.words.join(" "))}`
  return takes.paths === null ? ` -x${words}` : ` -r -F${words}`
}

const about = ({ about }: Pick<Choice, "about">): string => (about === "" ? "" : ` -d ${fishQuoted(about)}`)

/** Fish ends a quotation by no other way than its own. */
const fishQuoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`
