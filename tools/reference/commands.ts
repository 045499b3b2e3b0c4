import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../root.ts'
import { generated } from './table.ts'

/** Builds the page of all commands and flags from the program's help. */
export async function commandsPage(): Promise<string> {
  const help = await helpOf([])
  const parts = [
    '# Commands',
    generated,
    'The output of `hykube COMMAND --help`. Exit codes: 0 done, 1 failed, 2 changes (`--detailed-exitcode`), 64 wrong usage.',
    `## Flags of every command\n\n${fenced(sectionOf(help, 'Global options:'))}`,
  ]
  for (const group of groupsOf(help)) {
    parts.push(`## ${group.name}`)
    for (const name of group.commands) parts.push(...(await commandParts([name])))
  }
  return parts.join('\n\n')
}

async function commandParts(words: readonly string[]): Promise<string[]> {
  const help = await helpOf(words)
  const own = help.replace(/\n\nGlobal Options:[\s\S]*?(?=\n\n|$)/, '')
  const parts = [`### hykube ${words.join(' ')}\n\n${fenced(own)}`]
  for (const name of namesIn(sectionOf(help, 'Commands:')))
    if (name !== 'help') parts.push(...(await commandParts([...words, name])))
  return parts
}

/** Parses the command groups of the program's help. */
export function groupsOf(help: string): { readonly name: string; readonly commands: readonly string[] }[] {
  const heads = [...help.matchAll(/^([A-Z][a-z]+):$/gm)].map(([, name]) => name!)
  return heads
    .filter((name) => !['Options', 'Commands', 'Examples'].includes(name))
    .map((name) => ({ name, commands: namesIn(sectionOf(help, `${name}:`)) }))
}

function sectionOf(help: string, head: string): string {
  const lines = help.split('\n')
  const start = lines.indexOf(head)
  if (start < 0) return ''
  const end = lines.findIndex((line, index) => index > start && line.trim() === '')
  return lines.slice(start + 1, end < 0 ? undefined : end).join('\n')
}

// Names are indented by two columns, continuation lines by more.
function namesIn(section: string): string[] {
  return [...section.matchAll(/^ {2}([a-z][\w-]*)/gm)].map(([, name]) => name!)
}

function fenced(text: string): string {
  return `\`\`\`\n${text.trimEnd()}\n\`\`\``
}

async function helpOf(words: readonly string[]): Promise<string> {
  const env = { ...process.env, NO_COLOR: '1', COLUMNS: '80' }
  const { stdout } = await promisify(execFile)(join(root, 'bin/hykube'), [...words, '--help'], { env })
  return stdout
}
