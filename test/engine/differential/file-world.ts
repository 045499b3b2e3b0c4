import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { ComparedWorld } from './side.ts'

/** The world of the Go providers of this tree: a file for each object. */
export class FileWorld implements ComparedWorld {
  readonly directory: string

  constructor(directory: string) {
    this.directory = directory
  }

  all() {
    return globSync('*/*.json', { cwd: this.directory })
      .sort()
      .map((file) => ({
        type: dirname(file),
        id: basename(file, '.json'),
        object: JSON.parse(readFileSync(join(this.directory, file), 'utf8')) as Record<string, unknown>,
      }))
  }

  edit(type: string, id: string, changes: Readonly<Record<string, unknown>>): void {
    const file = this.#file(type, id)
    if (!existsSync(file)) return
    const object = JSON.parse(readFileSync(file, 'utf8')) as object
    writeFileSync(file, JSON.stringify({ ...object, ...changes }))
  }

  remove(type: string, id: string): void {
    rmSync(this.#file(type, id), { force: true })
  }

  // These providers fail by what is written only.
  refuse(): void {}

  #file(type: string, id: string): string {
    return join(this.directory, type.slice(type.indexOf('_') + 1), `${id}.json`)
  }
}
