/** A word as every POSIX shell reads it back, whatever is in it. */
export function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}

/**
 * What the shell of another machine is told, so that it runs exactly these words. Directory and variables do not stand in
 * it, where everybody on that machine could see them: they are the first bytes of the input.
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
