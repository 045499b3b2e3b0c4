import { readFile } from 'node:fs/promises'
import {
  type Authenticator,
  type Authorizer,
  adminUser,
  alwaysAllow,
  type BoundObjects,
  createAuthenticator,
  createCertificateAuthenticator,
  createRbacAuthorizer,
  createServiceAccountAuthenticator,
  createStaticTokenAuthenticator,
  createTokenIssuer,
  type Pki,
  RbacIndex,
  ServiceAccountKeys,
  type TokenIssuer,
  tokensFromCsv,
} from '../auth/index.ts'
import { decodeObject, type ObjectStore, type WatchHub } from '../resource/index.ts'
import { feedRbac } from './rbac-feed.ts'
import type { CompleteServeOptions } from './serve-options.ts'

/** Authentication and authorization of the server. */
export interface Access {
  readonly authenticator: Authenticator
  readonly authorizer: Authorizer
  readonly rbac: RbacIndex
  readonly tokenIssuer: TokenIssuer
  readonly maxTokenSeconds: number
  readonly keys: ServiceAccountKeys
  readonly boundObjects: BoundObjects
  readonly audiences: readonly string[]
  readonly issuer: string
  /** The CA certificates that client certificates are verified with, in PEM. */
  readonly clientAuthorities: readonly string[]
}

/** The issuer and default audience of service account tokens. */
const issuer = 'https://kubernetes.default.svc.cluster.local'

export async function createAccess(
  options: CompleteServeOptions,
  pki: Pki,
  objects: ObjectStore,
  hub: WatchHub,
): Promise<Access> {
  const audiences = [issuer]
  const clientAuthorities = [pki.authority.certificate, ...(await fileText(options.clientCaFile))]
  const [csv] = await fileText(options.tokenAuthFile)
  const keys = new ServiceAccountKeys(pki.serviceAccountKey)
  const boundObjects = boundObjectsIn(objects)
  const authenticator = createAuthenticator({
    certificates: createCertificateAuthenticator({ authorities: clientAuthorities }),
    tokens: [
      createStaticTokenAuthenticator(
        [{ token: pki.adminToken, user: adminUser }, ...(csv === undefined ? [] : tokensFromCsv(csv))],
        audiences,
      ),
      createServiceAccountAuthenticator({ keys, issuer, objects: boundObjects }),
    ],
    audiences,
    anonymous: options.anonymousAuth,
  })
  const rbac = new RbacIndex()
  await feedRbac(rbac, objects, hub)
  const authorizer = options.authorizationMode === 'AlwaysAllow' ? alwaysAllow : createRbacAuthorizer(rbac)
  const tokenIssuer = createTokenIssuer({ keys, issuer })
  const { maxTokenSeconds } = options
  return {
    authenticator,
    authorizer,
    rbac,
    tokenIssuer,
    maxTokenSeconds,
    keys,
    boundObjects,
    audiences,
    issuer,
    clientAuthorities,
  }
}

const boundResources = {
  ServiceAccount: { group: '', resource: 'serviceaccounts' },
  Secret: { group: '', resource: 'secrets', encrypted: true },
  Pod: { group: '', resource: 'pods' },
  Node: { group: '', resource: 'nodes' },
} as const

function boundObjectsIn(objects: ObjectStore): BoundObjects {
  return {
    async find(cluster, kind, namespace, name) {
      const stored = await objects.get(boundResources[kind], { cluster, namespace, name })
      if (stored === undefined) return undefined
      const { metadata = {}, spec } = decodeObject(stored.bytes)
      const { serviceAccountName, nodeName } = (spec ?? {}) as { serviceAccountName?: string; nodeName?: string }
      return {
        uid: metadata.uid ?? '',
        deletionTimestamp: metadata.deletionTimestamp ?? undefined,
        serviceAccountName,
        nodeName,
      }
    },
  }
}

async function fileText(file: string): Promise<string[]> {
  return file === '' ? [] : [await readFile(file, 'utf8')]
}
