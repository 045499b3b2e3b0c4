import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../../real-parts/index.ts'
import { estates } from './go-estates.ts'
import { objectOf, ProviderServer } from './provider-server.ts'

const providers = ['frame', 'legacy', 'mixed']
const executables = providers.map((name) => `terraform-provider-${name}`)

describeWith(['kubectl-1.36', ...executables], 'real Go providers as kinds', (kubectl, ...paths) => {
  let directory: string
  let running: ProviderServer
  const world = (provider: string) => join(directory, 'worlds', provider)
  const found = (provider: string, type: string) => {
    const place = join(world(provider), type)
    return existsSync(place) ? readdirSync(place) : []
  }
  const made = (provider: string, type: string, file: string) =>
    JSON.parse(readFileSync(join(world(provider), type, file), 'utf8'))

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hykube-go-'))
    mkdirSync(join(directory, 'mirror'))
    for (const [at, path] of paths.entries()) symlinkSync(path, join(directory, 'mirror', executables[at]!))
    // Providers run as users of their own: what is outside of their working directories is granted to them.
    chmodSync(directory, 0o711)
    const granted = providers.flatMap((name) => ['--provider-path', `${name}=${world(name)}`])
    mkdirSync(join(directory, 'worlds'))
    running = await ProviderServer.start(kubectl, '--provider-dir', join(directory, 'mirror'), ...granted)
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'given', namespace: 'default' } }
    await running.apply({ ...secret, stringData: { token: 'token-value', once: 'once-value' } })
    for (const name of providers) {
      const token = `\${secret["default/given"].token}`
      await running.provide(name, { source: `local/${name}`, config: { world: world(name), token } })
    }
  })
  afterAll(async () => {
    await running?.remove()
    rmSync(directory, { recursive: true, force: true })
  })

  test('their types are listed and explained', async () => {
    const listed = await running.done('api-resources --no-headers -o name')
    for (const name of [
      'frame-everythings.frame',
      'frame-note.data.frame',
      'legacy-things.legacy',
      'legacy-things.data.legacy',
    ])
      expect(listed).toContain(`${name}.hykube.io\n`)
    expect(await running.done('explain frame-everythings.spec.listed.given')).toContain('FIELD: given <string>')
    expect(await running.done('explain frame-notes.spec.text')).toContain('What it says.')
    expect(await running.done('explain mixed-things.spec.rule.port')).toContain('port')
  })

  test.each([
    [{ name: 'x', an_int64: 'many' }, 'spec.an_int64'],
    [{ name: 'x', listed: [{ value: 1 }] }, 'spec.listed[0].key'],
    [{ name: 'x', list_block: [{ deeper: [{ size: [] }] }] }, 'spec.list_block[0].deeper[0].size'],
    [{ name: 'x', once: 'literal' }, 'spec.once'],
    [{ name: 'x', a_strnig: 'y' }, 'a_string'],
  ])('a wrong object is refused with its place: %j', async (spec, place) => {
    const input = JSON.stringify(objectOf('frame', 'FrameEverything', 'wrong', spec))
    const { code, stderr } = await running.kubectl(['create', '-f', '-'], { input })
    expect(code).not.toBe(0)
    expect(stderr).toContain(place)
  })

  test('every shape is created, kept, updated, replaced and deleted', { timeout: 90_000 }, async () => {
    const [create, update, replace] = estates.frame!.map(({ resources }) => resources['frame_everything.all']!)
    const written = { ...create, once: `\${secret["given"].once}`, a_secret: `\${secret["given"].token}` }
    const write = (spec: object) => running.apply(objectOf('frame', 'FrameEverything', 'all', spec))
    const action = async () => (await running.plan()).changes.get('frame_everything.all')
    await write(written)
    expect(await action()).toMatchObject({ action: 'create', outcome: { result: 'applied' } })
    const { status } = await running.get('frame-everything', 'all')
    expect(status.attributes).toMatchObject({ ...create, a_set: ['a', 'b'], a_string: 'by default', digest: 'made' })
    expect(JSON.stringify(status)).not.toMatch(/token-value|once-value/)
    const [file] = found('frame', 'everything')
    expect(made('frame', 'everything', file!)).toEqual({ once: 'once-value', token: 'token-value' })
    expect(await running.plan()).toMatchObject({ phase: 'NoChanges' })
    await write({ ...written, ...update })
    expect(await action()).toMatchObject({ action: 'update', outcome: { result: 'applied' } })
    expect((await running.get('frame-everything', 'all')).status.attributes).toMatchObject({ digest: 'changed' })
    await write({ ...written, ...replace })
    expect(await action()).toMatchObject({ action: 'replace', outcome: { result: 'applied' } })
    expect(found('frame', 'everything')).not.toEqual([file])
    await running.done('delete frame-everything all --wait=false')
    expect(await action()).toMatchObject({ action: 'delete', outcome: { result: 'applied' } })
    expect(found('frame', 'everything')).toEqual([])
  })

  test('the old type system is lived with: set hashes, suppressed differences, timeouts, replacement by condition', {
    timeout: 90_000,
  }, async () => {
    const [create, , replace] = estates.legacy!.map(({ resources }) => resources['legacy_thing.t']!)
    const write = (spec: object) => running.apply(objectOf('legacy', 'LegacyThing', 't', spec))
    const action = async () => (await running.plan()).changes.get('legacy_thing.t')
    await write(create!)
    expect(await action()).toMatchObject({ action: 'create', outcome: { result: 'applied' } })
    expect(made('legacy', 'thing', found('legacy', 'thing')[0]!)).toMatchObject({ timeout: '1m0s', size: 5 })
    const { status } = await running.get('legacy-things.legacy.hykube.io', 't')
    expect(status.attributes).toMatchObject({ word: 'mixed', zone: 'zone-a', disk: [{ gb: 10, kind: 'ssd' }] })
    expect(await running.plan()).toMatchObject({ phase: 'NoChanges' })
    await write({ ...create!, word: 'mIxEd' })
    expect(await running.plan()).toMatchObject({ phase: 'NoChanges' })
    await write(replace!)
    expect(await action()).toMatchObject({ action: 'replace', outcome: { result: 'applied' } })
    await write({ ...replace!, name: 'broken-one' })
    expect(await action()).toMatchObject({ outcome: { message: 'the thing is broken' } })
  })

  test('objects that exist are imported; what the provider refuses is told with its place', async () => {
    mkdirSync(join(world('mixed'), 'note'), { recursive: true })
    chmodSync(join(world('mixed'), 'note'), 0o777)
    writeFileSync(join(world('mixed'), 'note', 'note-old.json'), '{"name":"old","text":"found","edits":3}')
    const note = (name: string, spec: object, annotations = {}) =>
      objectOf('mixed', 'MixedNote', name, spec, annotations)
    await running.apply(
      note('old', { name: 'old', text: 'found' }, { 'hykube.io/import-id': 'note-old' }),
      note('bad', { name: 'bad', text: 'forbidden words' }),
      note('new', { name: 'new', text: 'made' }),
      objectOf('data.mixed', 'MixedNote', 'look', { id: `\${mixed_note.new.id}` }),
    )
    const { changes } = await running.plan()
    expect(changes.get('mixed_note.old')).toMatchObject({ action: 'import', outcome: { result: 'applied' } })
    expect(changes.get('mixed_note.bad')).toMatchObject({
      action: 'blocked',
      message: expect.stringContaining('Forbidden'),
    })
    expect((await running.get('mixed-notes.mixed.hykube.io', 'old')).status.attributes.edits).toBe(3)
    const look = await running.get('mixed-note.data.mixed.hykube.io', 'look')
    expect(look.status.attributes).toMatchObject({ text: 'made' })
  })
})
