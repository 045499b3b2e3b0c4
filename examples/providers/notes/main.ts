import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { attribute, defineProvider, definitionsFor, schema, serveProvider } from '@hykube/provider-sdk'

const { resource } = definitionsFor<string>()

const note = resource({
  schema: schema({
    attributes: {
      id: attribute.string({ computed: true, useStateForUnknown: true }),
      text: attribute.string({ required: true, description: 'What is in the file.' }),
    },
  }),
  async create({ planned, client: directory }) {
    const id = randomUUID()
    await writeFile(join(directory, id), planned.text)
    return { id, text: planned.text }
  },
  async read({ state: { id }, client: directory }) {
    const text = await readFile(join(directory, id), 'utf8').catch(() => null)
    return text === null ? null : { id, text }
  },
  async update({ planned: { text }, prior: { id }, client: directory }) {
    await writeFile(join(directory, id), text)
    return { id, text }
  },
  delete: ({ prior, client: directory }) => rm(join(directory, prior.id), { force: true }),
})

const notes = defineProvider({
  name: 'notes',
  version: '1.0.0',
  schema: schema({ attributes: { directory: attribute.string({ required: true }) } }),
  configure: ({ config }) => mkdir(config.directory, { recursive: true }).then(() => config.directory),
  resources: { notes_note: note },
})

await serveProvider(notes)
