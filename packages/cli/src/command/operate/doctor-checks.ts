import { messageOf } from '@hykube/machinery/base'
import { type Condition, findCondition, type KubernetesObject } from '@hykube/machinery/object'
import { failedWith } from '@hykube/runtime/client'
import { ConnectionError } from '@hykube/runtime/client/node'
import type { Connection } from '../host/host.ts'
import { hykubeVersion } from '../host/package-version.ts'
import { inNamespace } from '../plans/hint.ts'
import { type Diagnosis, judge } from './diagnosis.ts'
import { type Finding, ok } from './finding.ts'

export interface CheckOptions {
  readonly now: () => number
  /** Allows checks that take long. */
  readonly deep: boolean
}

type Check = (connection: Connection, options: CheckOptions) => Promise<Finding[]>

/** Checks that the server answers. */
export async function reach({ client, server }: Connection): Promise<Finding> {
  try {
    await client.raw({ method: 'GET', path: '/version' })
    return ok('server', `${server} answers`)
  } catch (error) {
    const advice =
      error instanceof ConnectionError
        ? 'Is the server running? Start it:  hykube serve'
        : 'Check the credentials of the kubeconfig'
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
          message: `the program is ${own}, the server is ${gitVersion}`,
          advice: 'Use a program of the version of the server',
        },
  ]
}

// The health checks of the server itself, by name.
async function health({ client }: Connection): Promise<Finding[]> {
  const names = ['store', 'watch']
  return Promise.all(
    names.map(async (name) => {
      try {
        await client.raw({ method: 'GET', path: `/readyz/${name}` })
        return ok(name, 'healthy')
      } catch (error) {
        // A healthy answer is plain text, which the client cannot parse as JSON.
        if (error instanceof SyntaxError) return ok(name, 'healthy')
        if (failedWith(error, 'NotFound')) return ok(name, 'not checked by this server')
        if (failedWith(error, 'Forbidden')) return mayNotSee(name, `/readyz/${name}`)
        return {
          check: name,
          level: 'problem' as const,
          message: messageOf(error),
          advice: 'See the log of the server; restart it if it does not recover',
        }
      }
    }),
  )
}

async function certificate({ certificateEnd }: Connection, { now }: CheckOptions): Promise<Finding[]> {
  const end = certificateEnd()
  if (end === undefined) return []
  const days = Math.floor((end.getTime() - now()) / 86_400_000)
  if (days >= 30) return [ok('certificate', `of the server is valid for ${days} more days`)]
  return [
    {
      check: 'certificate',
      level: days < 0 ? 'problem' : 'warning',
      message: days < 0 ? 'of the server has expired' : `of the server expires in ${days} days`,
      advice: 'Restart the server: it issues a new one',
    },
  ]
}

async function permissions({ client, namespace }: Connection): Promise<Finding[]> {
  const wanted = [
    { verb: 'create', resource: 'plans', subresource: '', what: 'create plans' },
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
        advice: `Ask an administrator for a role with ${verb} on ${resource}${subresource === '' ? '' : `/${subresource}`}`,
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
        advice: 'To install a simulated cloud:  hykube providers install hykube/sim',
      },
    ]
  return items.map(({ metadata, status }) => {
    const ready = findCondition(status?.conditions ?? [], 'Ready')
    if (ready?.status === 'True') return ok('providers', `${metadata?.name} is ready`)
    return {
      check: 'providers',
      level: 'problem',
      message: `${metadata?.name} is not ready: ${ready?.message ?? 'it has no condition yet'}`,
      advice: `Show it:  hykube describe provider ${metadata?.name}`,
    }
  })
}

async function plansThatWait(connection: Connection): Promise<Finding[]> {
  const { client, namespace } = connection
  const { items } = await client.list<KubernetesObject & { status?: { phase?: string } }>(
    { group: 'hykube.io', version: 'v1alpha1', resource: 'plans', namespace },
    { limit: 500 },
  )
  const waiting = items.filter(({ status }) => status?.phase === 'Planned').length
  if (waiting === 0) return [ok('plans', 'none waits for approval')]
  return [
    {
      check: 'plans',
      level: 'warning',
      message: `${waiting} wait for approval`,
      advice: `List them:  hykube history${inNamespace(connection, namespace)}`,
    },
  ]
}

// The diagnosis of the server, its machine and its provider processes.
async function machine({ client }: Connection, { now, deep }: CheckOptions): Promise<Finding[]> {
  const ask = (query = '') => client.raw<Diagnosis>({ method: 'GET', path: '/diagnosis', query })
  try {
    const asked = now()
    const diagnosis = await ask()
    const skew = diagnosis.clock.now - (asked + now()) / 2
    const isQuick = diagnosis.store.bytes < quicklyReadBytes
    const store = deep || isQuick ? (await ask('integrity=true')).store : diagnosis.store
    return judge({ ...diagnosis, store }, { skew, now: now() })
  } catch (error) {
    if (failedWith(error, 'NotFound')) return [ok('machine', 'not checked by this server')]
    if (!failedWith(error, 'Forbidden')) throw error
    return [mayNotSee('machine', '/diagnosis')]
  }
}

// A missing permission says nothing about the health of the server.
function mayNotSee(check: string, path: string): Finding {
  return {
    check,
    level: 'warning',
    message: 'not checked: you may not read it',
    advice: `Run it as an administrator, or ask for a role with get on the path ${path} (nonResourceURLs)`,
  }
}

// A store of this size is checked in about a second.
const quicklyReadBytes = 256 * 1024 * 1024

/** The checks of a server that answers, in the order of the report. */
export const checks: readonly Check[] = [versions, health, machine, certificate, permissions, providers, plansThatWait]
