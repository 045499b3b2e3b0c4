/** Quotes a word for POSIX shells. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * Command line for the remote shell that runs exactly these words. Directory and variables are not in it, because other
 * users of that machine could see them; they are the first bytes of the input.
 */
export function remoteScript(
  words: readonly string[],
  {
    directory,
    environment,
  }: { readonly directory: string | null; readonly environment: Readonly<Record<string, string>> },
): { readonly script: string; readonly preamble: string } {
  const variables = Object.entries(environment).map(([name, value]) => `${name}=${quoted(value)}; export ${name};`)
  const entered = directory === null ? '' : `cd ${quoted(directory)} || exit 126;`
  const preamble = `${variables.join('')}${entered}:`
  const length = Buffer.byteLength(preamble)
  const script = `eval "$(dd bs=1 count=${length} 2>/dev/null)" && exec ${words.map(quoted).join(' ')}`
  return { script: `exec sh -c ${quoted(script)}`, preamble }
}
