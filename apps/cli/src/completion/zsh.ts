import { type Choice, type Place, quoted } from "./places.ts"

export const zsh = (places: readonly Place[]): string => `#compdef paraph
# paraph completion zsh
_paraph() {
  local place='' prev=\${words[CURRENT-1]}
  local -a offered
  ((CURRENT > 2)) && place=\${words[2]}
  if ((CURRENT > 3)); then
    case "\${words[2]} \${words[3]}" in
      ${places.flatMap(({ path }) => (path.includes(" ") ? quoted(path) : [])).join("|")}) place="\${words[2]} \${words[3]}" ;;
    esac
  fi
  case "$place $prev" in
${places.flatMap(valueCases).join("\n")}
  esac
  if [[ $PREFIX == -* ]]; then
    case "$place" in
${places.map(({ path, options }) => `      ${quoted(path)}) offered=(${described(options.map(({ name, about }) => ({ word: `--${name}`, about })))}) ;;`).join("\n")}
    esac
    _describe option offered
    return
  fi
  case "$place" in
${places.map(placeCase).join("\n")}
  esac
}
compdef _paraph paraph
`

const described = (choices: readonly Choice[]): string =>
  choices
    .map(({ word, about }) => quoted(`${word}${about === "" ? "" : `:${about.replaceAll(":", "\\:")}`}`))
    .join(" ")

const valueCases = ({ path, options }: Place): readonly string[] =>
  options.flatMap(({ name, takes }) =>
    takes === null
      ? []
      : `    ${quoted(`${path} --${name}`)}) ${[wordsOf(takes.words.map((word) => ({ word, about: "" }))), filesOf(takes.paths)].filter(Boolean).join("; ") || ":"}; return ;;`,
  )

const placeCase = ({ path, choices, paths }: Place): string =>
  `    ${quoted(path)}) ${[wordsOf(choices), filesOf(paths)].filter(Boolean).join("; ") || ":"} ;;`

const wordsOf = (choices: readonly Choice[]): string =>
  choices.length === 0 ? "" : `offered=(${described(choices)}); _describe word offered`

const filesOf = (paths: Place["paths"]): string =>
  ({ files: "_files", folders: "_files -/", none: "" })[paths ?? "none"]
