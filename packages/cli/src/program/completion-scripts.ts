/** For bash: asks the program what may come next. The last line of its answer says how to go on. */
export const bashScript = `# hykube completion for bash
__hykube_complete() {
  local words answer line directive
  words=("\${COMP_WORDS[@]:1:COMP_CWORD}")
  # The line as it was typed: bash breaks words at colons and equal signs, which addresses and flags have.
  if declare -F _get_comp_words_by_ref >/dev/null 2>&1; then
    local cur prev cword
    _get_comp_words_by_ref -n "=:" -w words -i cword
    words=("\${words[@]:1:cword}")
  fi
  # As the shell will read them: addresses have brackets and quotes, which are written with backslashes or in quotes.
  local typed=\${words[\${#words[@]}-1]} quote=
  [[ $typed == [\\'\\"]* ]] && quote=\${typed:0:1}
  words=("\${words[@]//\\\\/}")
  words[\${#words[@]}-1]=\${words[\${#words[@]}-1]#"$quote"}
  COMPREPLY=()
  # Behind a quote within a word the shell would complete another word.
  [[ -z $quote && \${typed//\\\\?/} == *[\\'\\"]* ]] && return
  answer=$("\${COMP_WORDS[0]}" __complete "\${words[@]}" 2>/dev/null) || return
  directive=\${answer##*:}
  local last=\${words[\${#words[@]}-1]}
  while IFS= read -r line; do
    [[ $line == :* ]] && continue
    line=\${line%%$'\\t'*}
    [[ -n $line && $line == "$last"* ]] || continue
    if [[ -z $quote ]]; then printf -v line %q "$line"
    elif [[ $quote == '"' ]]; then line=\${line//\\"/\\\\\\"}
    fi
    COMPREPLY+=("$line")
  done <<<"$answer"
  if [[ $directive == 0 && \${#COMPREPLY[@]} -eq 0 ]]; then
    compopt -o default 2>/dev/null
  fi
  if declare -F __ltrim_colon_completions >/dev/null 2>&1; then __ltrim_colon_completions "$last"; fi
}
complete -F __hykube_complete hykube kubectl-hykube
`

/** For zsh. */
export const zshScript = `#compdef hykube kubectl-hykube
_hykube() {
  local -a candidates
  local line directive last=$PREFIX
  # As the shell will read it: addresses have brackets and quotes. An open quote is not part of the prefix.
  [[ -n $compstate[quote] ]] || last=\${(Q)PREFIX}
  while IFS= read -r line; do
    if [[ $line == :* ]]; then directive=\${line#:}; continue; fi
    candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}\${\${(M)line%%$'\\t'*}:+:\${line#*$'\\t'}}")
  done < <("\${words[1]}" __complete "\${(@Q)words[2,CURRENT-1]}" "$last" 2>/dev/null)
  if (( \${#candidates} )); then _describe 'hykube' candidates
  elif [[ $directive == 0 ]]; then _files
  fi
}
if [[ $funcstack[1] == _hykube ]]; then _hykube "$@"; else compdef _hykube hykube kubectl-hykube; fi
`

/** For fish. */
export const fishScript = `# hykube completion for fish
function __hykube_complete
  set -l words (commandline -opc) (string unescape -- (commandline -ct); or commandline -ct | string trim -l -c \\'\\")
  set -l answer ($words[1] __complete $words[2..-1] 2>/dev/null)
  string match -v ':*' -- $answer; and return
  contains ':0' $answer; and __fish_complete_path (commandline -ct)
end
complete -c hykube -c kubectl-hykube -f -a '(__hykube_complete)'
`
