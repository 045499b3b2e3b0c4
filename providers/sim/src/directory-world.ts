import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { checkId, type World, type WorldObject } from './world.ts'

/** Stores each object as a file `<type>/<id>.json`, which users can read and edit to simulate drift. */
export class DirectoryWorld implements World {
  readonly #directory: string
  /** Created directories by type. */
  readonly #made = new Map<string, Promise<unknown>>()

  constructor(directory: string) {
    this.#directory = directory
  }

  async read(type: string, id: string): Promise<WorldObject | undefined> {
    const file = this.#file(type, id)
    let text: string
    try {
      text = await readFile(file, 'utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
    return parseObject(file, text)
  }

  readMany(type: string, ids: readonly string[]): Promise<readonly (WorldObject | undefined)[]> {
    return Promise.all(ids.map((id) => this.read(type, id)))
  }

  async writeMany(
    type: string,
    objects: readonly (readonly [id: string, object: WorldObject | undefined])[],
  ): Promise<void> {
    await Promise.all(
      objects.map(([id, object]) =>
        object === undefined ? rm(this.#file(type, id), { force: true }) : this.#write(type, id, object),
      ),
    )
  }

  async *list(type: string): AsyncGenerator<readonly [string, WorldObject]> {
    const names = await readdir(join(this.#directory, type)).catch(() => [] as string[])
    for (const name of names.sort()) {
      if (!name.endsWith('.json')) continue
      const id = name.slice(0, -'.json'.length)
      const object = await this.read(type, id)
      if (object !== undefined) yield [id, object]
    }
  }

  close(): void {}

  async #write(type: string, id: string, object: WorldObject): Promise<void> {
    const file = this.#file(type, id)
    await this.#directoryOf(type)
    // Written to a temporary file and renamed, so that readers never see a partial file. `list` ignores temporary files
    // that a crash left behind.
    const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(`${JSON.stringify(object, null, 2)}\n`)
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  }

  #file(type: string, id: string): string {
    checkId(id)
    return join(this.#directory, type, `${id}.json`)
  }

  #directoryOf(type: string): Promise<unknown> {
    const making = this.#made.get(type) ?? mkdir(join(this.#directory, type), { recursive: true, mode: 0o700 })
    this.#made.set(type, making)
    return making
  }
}

function parseObject(file: string, text: string): WorldObject {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (cause) {
    throw new Error(`cannot read ${file}: it is not JSON; correct or delete it`, { cause })
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    throw new Error(`cannot read ${file}: it is not a JSON object; correct or delete it`)
  return parsed as WorldObject
}
