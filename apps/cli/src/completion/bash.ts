import { type Place, quoted } from "./places.ts"

export const bash = (places: readonly Place[]): string => `# paraph completion bash
_paraph() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} place='' words='' paths=''
  ((COMP_CWORD > 1)) && place=\${COMP_WORDS[1]}
  if ((COMP_CWORD > 2)); then
    case "\${COMP_WORDS[1]} \${COMP_WORDS[2]}" in
      ${places.flatMap(({ path }) => (path.includes(" ") ? quoted(path) : [])).join("|")}) place="\${COMP_WORDS[1]} \${COMP_WORDS[2]}" ;;
    esac
  fi
  case "$place $prev" in
${places.flatMap(valueCases).join("\n")}
    *)
      case "$place" in
${places.map(placeCase).join("\n")}
      esac ;;
  esac
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "\${words// /$IFS}" -- "$cur"))
  if [ -n "$paths" ]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY+=($(compgen "$paths" -- "$cur"))
  fi
}
complete -F _paraph paraph
`

const valueCases = ({ path, options }: Place): readonly string[] =>
  options.flatMap(({ name, takes }) =>
    takes === null
      ? []
      : `    ${quoted(`${path} --${name}`)}) words=${quoted(takes.words.join(" "))} paths='${flagOf(takes.paths)}' ;;`,
  )

/** Options are offered once somebody begins one, or where there is nothing else. */
function placeCase({ path, choices, paths, options }: Place): string {
  const names = quoted(options.map(({ name }) => `--${name}`).join(" "))
  const others = quoted(choices.map(({ word }) => word).join(" "))
  const rest =
    choices.length === 0 && paths === null
      ? `words=${names}`
      : `case "$cur" in -*) words=${names} ;; *) words=${others} paths='${flagOf(paths)}' ;; esac`
  return `        ${quoted(path)}) ${rest} ;;`
}

const flagOf = (paths: Place["paths"]): string => ({ files: "-f", folders: "-d", none: "" })[paths ?? "none"]
