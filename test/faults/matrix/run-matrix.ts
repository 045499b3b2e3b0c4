import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Attempt, type Result } from './attempt.ts'
import type { Case } from './cases.ts'
import { MatrixServer, until } from './matrix-server.ts'

/**
 * Runs cases in groups on one cloud and one store: all cases of a group wait at their fault points when the server is
 * killed. The next group starts on the recovered server. Calls `tell` with each result.
 */
export async function runMatrix(cases: readonly Case[], tell: (result: Result) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-matrix-'))
  const world = join(directory, 'world')
  const groups = groupsOf(cases.map((it, index) => new Attempt(it, index, world)))
  let server: MatrixServer | undefined
  try {
    server = await MatrixServer.start(directory, pointsOf(groups[0]), secondsFor(groups[0]))
    await install(server, world)
    for (const [index, group] of groups.entries()) {
      await prepare(server, group, index)
      const running = server
      const reached = await Promise.all(group.map((attempt) => attempt.begin(running)))
      if (reached.some(Boolean)) await server.kill(group[0]!.case.kill)
      else await server.stop()
      await Promise.all(group.map((attempt) => attempt.afterKill()))
      const [following] = groups.slice(index + 1)
      const next = await MatrixServer.start(directory, pointsOf(following), secondsFor(group, following))
      server = next
      await Promise.all(group.map(async (attempt) => tell(await attempt.check(next))))
    }
  } finally {
    await server?.kill('tree')
    rmSync(directory, { recursive: true, force: true })
  }
}

const groupSize = 12

// Groups cases with the same kind of kill. Timeout cases come last, because their short call timeout would end held
// calls of other cases.
function groupsOf(attempts: readonly Attempt[]): Attempt[][] {
  const alike = [...Map.groupBy(attempts, ({ case: { kill, fault } }) => `${fault === 'timeout'} ${kill}`)].sort()
  return alike.flatMap(([, all]) =>
    Array.from({ length: Math.ceil(all.length / groupSize) }, (_, i) => all.slice(i * groupSize, (i + 1) * groupSize)),
  )
}

function pointsOf(group: readonly Attempt[] = []): string[] {
  return group.map(({ faultPoint }) => faultPoint).filter(Boolean)
}

// Timeout of provider calls in seconds.
function secondsFor(...groups: readonly (readonly Attempt[] | undefined)[]): number {
  return groups.some((group) => group?.some((attempt) => attempt.case.fault === 'timeout')) ? 4 : 300
}

async function prepare(server: MatrixServer, group: readonly Attempt[], index: number): Promise<void> {
  for (const attempt of group) await attempt.prepare(server)
  await applyAll(server, `all-${index}`)
}

async function install(server: MatrixServer, world: string): Promise<void> {
  const spec = { source: 'local/faulty', config: { world } }
  await server.api('POST', '/apis/hykube.io/v1alpha1/providers', { metadata: { name: 'faulty' }, spec })
  const path = '/apis/faulty.hykube.io/v1/namespaces/default/faulty-nameds'
  await until('the provider is served', async () => (await server.api('GET', path)).status === 200)
}

async function applyAll(server: MatrixServer, name: string): Promise<void> {
  const path = '/apis/hykube.io/v1alpha1/namespaces/default/plans'
  const spec = { approval: 'Automatic', allNamespaces: true }
  await server.api('POST', path, { metadata: { name }, spec })
  const phase = async () => (await server.api('GET', `${path}/${name}`)).document.status?.phase
  await until('everything is there', async () => ['Applied', 'NoChanges', 'Failed'].includes(await phase()))
  if ((await phase()) === 'Failed') throw new Error('the initial objects could not be applied')
}
