import { existsSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { messageOf } from '@hykube/machinery/base'
import type { KubernetesObject } from '@hykube/machinery/object'
import { CommandError } from '../host/failure.ts'
import type { Terminal } from '../host/terminal.ts'

/** An object and the file it is from. */
export interface WrittenObject {
  readonly object: KubernetesObject & { readonly apiVersion: string; readonly kind: string }
  readonly file: string
}

/** Reads objects from files, from directories recursively, and from standard input for `-`. */
export async function readDocuments(paths: readonly string[], terminal: Terminal): Promise<WrittenObject[]> {
  const objects: WrittenObject[] = []
  for (const path of paths)
    for (const { file, text } of await textsOf(path, terminal)) objects.push(...(await objectsFrom(file, text)))
  if (objects.length === 0) throw new CommandError(`no objects in ${paths.join(', ')}`)
  return objects
}

/** Parses objects: YAML with several documents, JSON, and lists of either. */
export async function objectsFrom(file: string, text: string): Promise<WrittenObject[]> {
  const { parseAllDocuments } = await import('yaml')
  const documents = parseAllDocuments(text, { prettyErrors: true })
  const objects: WrittenObject[] = []
  for (const document of documents) {
    const [problem] = document.errors
    if (problem !== undefined) throw new CommandError(`cannot read ${file}: ${problem.message}`)
    const value = documentValue(file, document)
    if (value != null) objects.push(...unpacked(file, value))
  }
  return objects
}

// Aliases are resolved here, so errors in them are found only now.
function documentValue(file: string, document: { toJS(options: { maxAliasCount: number }): unknown }): unknown {
  try {
    return document.toJS({ maxAliasCount: 1000 })
  } catch (error) {
    throw new CommandError(`cannot read ${file}: ${messageOf(error)}`)
  }
}

async function textsOf(path: string, terminal: Terminal): Promise<{ file: string; text: string }[]> {
  if (path === '-') return [{ file: 'standard input', text: await terminal.input() }]
  if (!existsSync(path)) throw new CommandError(`${path} does not exist`)
  const files = (await stat(path)).isDirectory() ? await filesIn(path) : [path]
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(file, 'utf8') })))
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && ['.yaml', '.yml', '.json'].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

function unpacked(file: string, value: unknown): WrittenObject[] {
  const { apiVersion, kind, items } = (typeof value === 'object' ? value : {}) as Record<string, unknown>
  if (kind === 'List' && Array.isArray(items)) return items.flatMap((item) => unpacked(file, item))
  if (typeof apiVersion !== 'string' || typeof kind !== 'string')
    throw new CommandError(
      `${file}: an object has no apiVersion or kind`,
      'Every object needs both, such as:  apiVersion: hykube.io/v1alpha1',
    )
  const object = value as WrittenObject['object']
  if (object.metadata?.name === undefined)
    throw new CommandError(
      `${file} holds a ${kind} without metadata.name`,
      'Add metadata.name: the object is written under this name each time',
    )
  return [{ object, file }]
}
