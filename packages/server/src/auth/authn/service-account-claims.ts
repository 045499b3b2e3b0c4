import { isObject, objectOf, textOf, type Untyped } from '../untyped.ts'

/** An object by name and uid. */
export interface ObjectReference {
  readonly name: string
  readonly uid: string
}

/** The claim `kubernetes.io` of a service account token. */
export interface KubernetesClaim {
  readonly clusterName: string
  readonly namespace: string
  readonly serviceaccount: ObjectReference
  readonly pod?: ObjectReference
  readonly secret?: ObjectReference
  readonly node?: ObjectReference
}

/** Returns the issuer of an unverified token, or undefined when it is not a JWT. */
export function unverifiedIssuer(token: string): string | undefined {
  const parts = token.split('.')
  if (parts.length !== 3) return undefined
  try {
    return textOf(objectOf(JSON.parse(Buffer.from(parts[1]!, 'base64url').toString('utf8'))).iss)
  } catch {
    return undefined
  }
}

/** Parses the claim; undefined when a required part is missing. */
export function kubernetesClaim(payload: Untyped): KubernetesClaim | undefined {
  const claim = objectOf(payload['kubernetes.io'])
  const serviceaccount = referenceFrom(claim.serviceaccount)
  const [clusterName, namespace] = [textOf(claim.clusterName), textOf(claim.namespace)]
  if (clusterName === '' || namespace === '' || serviceaccount === undefined) return undefined
  const bound = (['pod', 'secret', 'node'] as const).map((kind) => [kind, referenceFrom(claim[kind])] as const)
  // A malformed binding is rejected, because every bound object must be checked.
  if (bound.some(([kind, reference]) => claim[kind] !== undefined && reference === undefined)) return undefined
  const given = Object.fromEntries(bound.filter(([, reference]) => reference !== undefined))
  return { clusterName, namespace, serviceaccount, ...given }
}

function referenceFrom(value: unknown): ObjectReference | undefined {
  if (!isObject(value) || textOf(value.name) === '') return undefined
  return { name: textOf(value.name), uid: textOf(value.uid) }
}
