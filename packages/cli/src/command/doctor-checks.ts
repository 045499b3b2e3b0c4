import { type Condition, findCondition, type KubernetesObject } from '@hykube/machinery/object'
import { failedWith } from '@hykube/runtime/client'
import { ConnectionError } from '@hykube/runtime/client/node'
import { type Diagnosis, judge } from './diagnosis.ts'
import { type Finding, messageOf, ok } from './finding.ts'
import type { Connection } from './host.ts'
import { hykubeVersion } from './package-version.ts'

/** What a check is told. */
export interface CheckOptions {
  /** The time here. */
  readonly now: () => number
  /** Whether it may take long. */
  readonly deep: boolean
}

type Check = (connection: Connection, options: CheckOptions) => Promise<Finding[]>

/** Whether the server answers at all. */
export async function reach({ client, server }: Connection): Promise<Finding> {
  try {
    await client.raw({ method: 'GET', path: '/version' })
    return ok('server', `${server} answers`)
  } catch (error) {
    const advice =
      error instanceof ConnectionError
        ? 'Is it running? Start it:  hykube serve'
        : 'Are the credentials of the kubeconfig still good?'
    return { check: 'server', level: 'problem', message: messageOf(error), advice }
  }
}

async function versions({ client }: Connection): Promise<Finding[]> {
  const { gitVersion } = await client.raw<{ gitVersion: string }>({ method: 'GET', path: '/version' })
  const own = hykubeVersion()
  const same = gitVersion.includes(own)
  return [
    same
      ? ok('version', `program ${own}, server ${gitVersion}`)
      : {
          check: 'version',
          level: 'warning',
          message: `this program is ${own}, the server is ${gitVersion}`,
          advice: 'Use the program of the same version',
        },
  ]
}

// Each check of the server's own, by name.
async function health({ client }: Connection): Promise<Finding[]> {
  const names = ['store', 'watch']
  return Promise.all(
    names.map(async (name) => {
      try {
        await client.raw({ method: 'GET', path: `/readyz/${name}` })
        return ok(name, 'works')
      } catch (error) {
        // Health is told as a plain text, which is no JSON: that it came at all says enough.
        if (error instanceof SyntaxError) return ok(name, 'works')
        if (failedWith(error, 'NotFound')) return ok(name, 'is not checked by this server')
        return {
          check: name,
          level: 'problem' as const,
          message: messageOf(error),
          advice: 'See the log of the server; restart it when it does not recover',
        }
      }
    }),
  )
}

async function certificate({ certificateEnd }: Connection, { now }: CheckOptions): Promise<Finding[]> {
  const end = certificateEnd()
  if (end === undefined) return []
  const days = Math.floor((end.getTime() - now()) / 86_400_000)
  if (days >= 30) return [ok('certificate', `of the server holds for ${days} more days`)]
  return [
    {
      check: 'certificate',
      level: days < 0 ? 'problem' : 'warning',
      message: days < 0 ? 'of the server has ended' : `of the server ends in ${days} days`,
      advice: 'Restart the server: it makes a new one',
    },
  ]
}

async function permissions({ client, namespace }: Connection): Promise<Finding[]> {
  const wanted = [
    { verb: 'create', resource: 'plans', subresource: '', what: 'make plans' },
    { verb: 'update', resource: 'plans', subresource: 'approval', what: 'approve plans' },
  ]
  return Promise.all(
    wanted.map(async ({ verb, resource, subresource, what }) => {
      const resourceAttributes = { namespace, verb, group: 'hykube.io', resource, subresource }
      const review = await client.create<KubernetesObject & { status?: { allowed?: boolean } }>(
        { group: 'authorization.k8s.io', version: 'v1', resource: 'selfsubjectaccessreviews' },
        { apiVersion: 'authorization.k8s.io/v1', kind: 'SelfSubjectAccessReview', spec: { resourceAttributes } },
      )
      if (review.status?.allowed === true) return ok('permissions', `you may ${what} in ${namespace}`)
      return {
        check: 'permissions',
        level: 'warning' as const,
        message: `you may not ${what} in ${namespace}`,
        advice: `Somebody else must, or give you a role with ${verb} on ${resource}${subresource === '' ? '' : `/${subresource}`}`,
      }
    }),
  )
}

async function providers({ client }: Connection): Promise<Finding[]> {
  const place = { group: 'hykube.io', version: 'v1alpha1', resource: 'providers' }
  const { items } = await client.list<KubernetesObject & { status?: { conditions?: readonly Condition[] } }>(place)
  if (items.length === 0)
    return [
      {
        check: 'providers',
        level: 'warning',
        message: 'none is installed',
        advice: 'Try the simulated cloud:  hykube providers install hykube/sim',
      },
    ]
  return items.map(({ metadata, status }) => {
    const ready = findCondition(status?.conditions ?? [], 'Ready')
    if (ready?.status === 'True') return ok('providers', `${metadata?.name} is ready`)
    return {
      check: 'providers',
      level: 'problem',
      message: `${metadata?.name} is not ready: ${ready?.message ?? 'nothing is known of it'}`,
      advice: `See it:  kubectl describe provider ${metadata?.name}`,
    }
  })
}

async function plansThatWait({ client, namespace }: Connection): Promise<Finding[]> {
  const { items } = await client.list<KubernetesObject & { status?: { phase?: string } }>(
    { group: 'hykube.io', version: 'v1alpha1', resource: 'plans', namespace },
    { limit: 500 },
  )
  const waiting = items.filter(({ status }) => status?.phase === 'Planned').length
  if (waiting === 0) return [ok('plans', 'none waits for an approval')]
  return [
    {
      check: 'plans',
      level: 'warning',
      message: `${waiting} wait for an approval`,
      advice: 'See them:  hykube history',
    },
  ]
}

// What the server tells of itself, its machine and its providers' processes.
async function machine({ client }: Connection, { now, deep }: CheckOptions): Promise<Finding[]> {
  const ask = (query = '') => client.raw<Diagnosis>({ method: 'GET', path: '/diagnosis', query })
  try {
    const asked = now()
    const told = await ask()
    const skew = told.clock.now - (asked + now()) / 2
    const isQuick = told.store.bytes < quicklyReadBytes
    const store = deep || isQuick ? (await ask('integrity=true')).store : told.store
    return judge({ ...told, store }, { skew, now: now() })
  } catch (error) {
    if (failedWith(error, 'NotFound')) return [ok('machine', 'this server does not tell of itself')]
    if (!failedWith(error, 'Forbidden')) throw error
    return [
      {
        check: 'machine',
        level: 'warning',
        message: 'you may not see how the server and its machine are',
        advice: 'Ask as an administrator, or for a role with get on the path /diagnosis (nonResourceURLs)',
      },
    ]
  }
}

// Read through in about a second.
const quicklyReadBytes = 256 * 1024 * 1024

/** Everything that is looked at on a server that answers, in the order that it is told in. */
export const checks: readonly Check[] = [versions, health, machine, certificate, permissions, providers, plansThatWait]
