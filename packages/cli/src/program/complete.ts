import type { Command, Option } from 'commander'
import { type Candidate, type CommandEntry, type Connection, type Host, loadCandidates } from '../command/index.ts'
import { createProgram } from './create-program.ts'

export interface CompletionSources {
  readonly entries: readonly CommandEntry[]
  readonly host: Host
}

/**
 * Prints the completions of the last word, one per line with a description after a tab, and then a directive of cobra,
 * as kubectl expects it of plugins: `:4` for no file completion, `:0` for files.
 */
export async function complete(words: readonly string[], sources: CompletionSources): Promise<number> {
  const terminal = sources.host.terminal({ color: false })
  const { candidates, files } = await candidatesFor(words, sources)
  const last = words.at(-1) ?? ''
  const fitting = candidates.filter(({ word }) => word.startsWith(last))
  terminal.out(fitting.map(({ word, about }) => `${word}${about === undefined ? '' : `\t${about}`}\n`).join(''))
  terminal.out(`:${files ? 0 : 4}\n`)
  return 0
}

interface Answer {
  readonly candidates: readonly Candidate[]
  readonly files: boolean
}

async function candidatesFor(words: readonly string[], sources: CompletionSources): Promise<Answer> {
  const { entries, host } = sources
  const before = words.slice(0, -1)
  const last = words.at(-1) ?? ''
  const program = await createProgram(before, entries, host)
  const path = commandPath(program, before)
  const options = path.flatMap((command) => command.options).filter((option) => option.hidden !== true)
  const open = optionAwaiting(options, before.at(-1))
  if (open !== undefined) return valuesOf(open, before, sources)
  if (last.startsWith('-')) return { candidates: options.flatMap(flagsOf), files: false }
  const command = path.at(-1)!
  if (command.commands.length > 0) {
    const shown = command.commands.filter((each) => each.name() !== 'help' || command === program)
    return {
      candidates: shown.map((each) => ({ word: each.name(), about: each.summary() || each.description() })),
      files: false,
    }
  }
  const entry = entries.find(({ name }) => name === path[1]?.name())
  return { candidates: await wordsOf(entry, before, sources), files: false }
}

// The program, the command and its subcommand, as far as they were typed.
function commandPath(program: Command, words: readonly string[]): Command[] {
  const path = [program]
  for (const word of words) {
    const next = path.at(-1)!.commands.find((command) => command.name() === word)
    if (next !== undefined) path.push(next)
  }
  return path
}

function optionAwaiting(options: readonly Option[], word: string | undefined): Option | undefined {
  if (word === undefined) return undefined
  return options.find((option) => option.required && (option.short === word || option.long === word))
}

function flagsOf({ short, long, description }: Option): Candidate[] {
  return [long, short].flatMap((word) => (word == null ? [] : [{ word, about: description }]))
}

async function valuesOf(option: Option, before: readonly string[], sources: CompletionSources): Promise<Answer> {
  if (option.argChoices !== undefined) return { candidates: option.argChoices.map((word) => ({ word })), files: false }
  switch (option.long) {
    case '--filename':
    case '--kubeconfig':
    case '--config':
    case '--data-dir':
      return { candidates: [], files: true }
    case '--target':
    case '--exclude':
    case '--replace':
      return { candidates: await addresses(before, sources), files: false }
    case '--namespace':
      return { candidates: await namespaces(before, sources), files: false }
    default:
      return { candidates: [], files: false }
  }
}

async function wordsOf(
  entry: CommandEntry | undefined,
  before: readonly string[],
  sources: CompletionSources,
): Promise<readonly Candidate[]> {
  const { completes } = entry ?? {}
  if (completes === undefined) return []
  if (typeof completes !== 'string') return completes.map((word) => ({ word }))
  return completes === 'plan' ? planNames(before, sources) : addresses(before, sources)
}

async function planNames(before: readonly string[], sources: CompletionSources): Promise<readonly Candidate[]> {
  return asked(before, sources, (await loadCandidates()).planCandidates)
}

async function addresses(before: readonly string[], sources: CompletionSources): Promise<readonly Candidate[]> {
  return asked(before, sources, (await loadCandidates()).addressCandidates)
}

async function namespaces(before: readonly string[], sources: CompletionSources): Promise<readonly Candidate[]> {
  return asked(before, sources, (await loadCandidates()).namespaceCandidates)
}

// Completion prints no errors: without an answer of the server there are no candidates.
async function asked(
  before: readonly string[],
  { host }: CompletionSources,
  ask: (connection: Connection) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const quiet = { ...host.terminal({ color: false }), err: () => {} }
  try {
    const connection = await host.connect(flagsIn(before), quiet)
    try {
      return await ask(connection)
    } finally {
      connection.close()
    }
  } catch {
    return []
  }
}

function flagsIn(words: readonly string[]): { kubeconfig?: string; context?: string; namespace?: string } {
  const after = (...names: readonly string[]) => {
    const index = words.findLastIndex((word) => names.includes(word))
    return index < 0 ? undefined : words[index + 1]
  }
  const given = {
    kubeconfig: after('--kubeconfig'),
    context: after('--context'),
    namespace: after('-n', '--namespace'),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
