import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from './browser.ts'
import { cacheDirectory, withCacheLock } from './cache.ts'
import { etcd, kubeApiserver } from './control-plane.ts'
import { mariadb, postgres } from './databases.ts'
import { goFixtures } from './go-fixtures.ts'
import { go, goPrograms } from './go-programs.ts'
import { goldenData } from './golden-data.ts'
import { kubernetesClients } from './kubernetes-clients.ts'
import { ssh, sshd } from './openssh.ts'
import type { PartState, RealPart } from './part.ts'
import { shells } from './shells.ts'
import { terraform } from './terraform.ts'

/** All parts that tests may need. */
export const realParts: readonly RealPart[] = [
  ...kubernetesClients,
  postgres,
  mariadb,
  go,
  ...goPrograms,
  ...goFixtures,
  ...goldenData,
  terraform,
  ...shells,
  ssh,
  sshd,
  chromium,
  etcd,
  kubeApiserver,
]

export interface ObtainOptions {
  /** Also obtain parts that take minutes. */
  readonly full: boolean
  /** Called before a part is downloaded or built. */
  readonly onObtain: (part: RealPart) => void
}

/** Obtains all available parts one after the other, and returns the state of each. */
export async function obtainRealParts(options: ObtainOptions): Promise<PartState[]> {
  const cache = cacheDirectory()
  const states: PartState[] = []
  for (const part of realParts) states.push(await obtainPart(part, cache, options))
  writeFileSync(join(cache, reasonsFile), JSON.stringify(Object.fromEntries(states.flatMap(reasonOf))))
  return states
}

/** Obtains one part that no test needs, regardless of the time it takes. */
export function obtainOnDemand(part: RealPart, onObtain: () => void): Promise<PartState> {
  return obtainPart(part, cacheDirectory(), { full: true, onObtain })
}

/** Returns whether a part is available. Never downloads: `npm test` does that before the tests run. */
export function findRealPart(name: string): PartState {
  const part = realParts.find((candidate) => candidate.name === name)
  if (part === undefined)
    throw new Error(`unknown real part ${name}; known are ${realParts.map((p) => p.name).join(', ')}`)
  const path = part.locate(cacheDirectory())
  if (path !== undefined) return { kind: 'available', name, path }
  return { kind: 'missing', name, why: recordedReasons()[name] ?? 'it was not obtained yet', remedy: part.remedy }
}

const reasonsFile = 'missing.json'

async function obtainPart(part: RealPart, cache: string, options: ObtainOptions): Promise<PartState> {
  const found = part.locate(cache)
  if (found !== undefined) return { kind: 'available', name: part.name, path: found }
  const missing = (why: string): PartState => ({ kind: 'missing', name: part.name, why, remedy: part.remedy })
  const { obtain } = part
  if (obtain === undefined) return missing('this machine does not have it')
  if (part.heavy && !options.full) return missing('it takes minutes to build and is not in the cache')
  try {
    await withCacheLock(cache, part.name, async () => {
      if (part.locate(cache) !== undefined) return
      options.onObtain(part)
      await obtain(cache)
    })
  } catch (error) {
    return missing((error as Error).message)
  }
  const path = part.locate(cache)
  return path === undefined
    ? missing('it was fetched, but it is not usable here')
    : { kind: 'available', name: part.name, path }
}

function reasonOf(state: PartState): [string, string][] {
  return state.kind === 'missing' ? [[state.name, state.why]] : []
}

function recordedReasons(): Record<string, string> {
  const file = join(cacheDirectory(), reasonsFile)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>) : {}
}
