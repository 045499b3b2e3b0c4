import type { JsonValue } from '@hykube/machinery/json'
import { badRequest, invalid, type StatusCause } from '@hykube/machinery/status'
import { jsonForm, objectProtobuf } from '../../kinds/index.ts'
import { decodeBody, notRegistered, noVersionOrKind, typeOf } from '../body/decode-body.ts'
import type { RequestContext } from '../context.ts'

/** Options of a delete. */
export interface DeleteOptions {
  readonly dryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  readonly propagation: 'Background' | 'Foreground' | 'Orphan' | undefined
  /** Delete only the object with this uid or at this revision. */
  readonly preconditions: { readonly uid?: string; readonly resourceVersion?: string }
}

/** Parses delete options from the body, or from the query when there is no body. */
export async function deleteOptionsFrom(context: RequestContext): Promise<DeleteOptions> {
  const { request, query } = context
  const bytes = await request.body()
  const given = bytes.length === 0 ? fromQuery(query) : fromBody(bytes, request.header('content-type')[0])
  return checked({ ...given, dryRun: given.dryRun ?? query.getAll('dryRun') })
}

interface GivenOptions {
  readonly dryRun?: readonly string[] | undefined
  readonly gracePeriodSeconds?: number | undefined
  readonly propagationPolicy?: string | undefined
  readonly orphanDependents?: boolean | undefined
  readonly preconditions?: DeleteOptions['preconditions'] | null | undefined
}

function fromBody(bytes: Uint8Array, contentType: string | undefined): GivenOptions {
  const { value } = decodeBody(bytes, contentType, objectProtobuf(deleteOptionsType))
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noVersionOrKind(value as JsonValue)
  const { apiVersion, kind } = typeOf(value)
  if (kind !== '' && kind !== 'DeleteOptions') throw badRequest(notRegistered(apiVersion || 'meta.k8s.io/v1', kind))
  // The apiVersion may be that of any group, because clients send the one of the resource. Wrong field types are
  // rejected.
  return jsonForm(deleteOptionsType, 'DeleteOptions', 'v1', value).object as GivenOptions
}

function fromQuery(query: URLSearchParams): GivenOptions {
  const grace = query.get('gracePeriodSeconds')
  const orphan = query.get('orphanDependents')
  return {
    gracePeriodSeconds: grace === null ? undefined : Number(grace),
    propagationPolicy: query.get('propagationPolicy') ?? undefined,
    orphanDependents: orphan === null ? undefined : orphan !== 'false',
  }
}

function checked(given: GivenOptions): DeleteOptions {
  const { propagationPolicy, orphanDependents, dryRun = [], gracePeriodSeconds, preconditions } = given
  const causes: StatusCause[] = []
  if (propagationPolicy != null && orphanDependents != null)
    causes.push({
      reason: 'FieldValueInvalid',
      field: 'propagationPolicy',
      message: `Invalid value: ${JSON.stringify(propagationPolicy)}: orphanDependents and deletionPropagation cannot be both set`,
    })
  if (propagationPolicy != null && propagationPolicy !== '' && !policies.includes(propagationPolicy))
    causes.push({
      reason: 'FieldValueNotSupported',
      field: 'propagationPolicy',
      message: `Unsupported value: ${JSON.stringify(propagationPolicy)}: supported values: "Foreground", "Background", "Orphan", "nil"`,
    })
  if (gracePeriodSeconds != null && !(Number.isInteger(gracePeriodSeconds) && gracePeriodSeconds >= 0))
    causes.push({
      reason: 'FieldValueInvalid',
      field: 'gracePeriodSeconds',
      message: `Invalid value: ${JSON.stringify(gracePeriodSeconds)}: must be greater than or equal to 0`,
    })
  for (const value of dryRun)
    if (value !== 'All')
      causes.push({
        reason: 'FieldValueNotSupported',
        field: 'dryRun',
        message: `Unsupported value: ${JSON.stringify(value)}: supported values: "All"`,
      })
  if (causes.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causes)
  const orphan = orphanDependents == null ? undefined : orphanDependents ? 'Orphan' : 'Background'
  return {
    dryRun: dryRun.length > 0,
    gracePeriodSeconds: gracePeriodSeconds ?? undefined,
    propagation: ((propagationPolicy || undefined) as DeleteOptions['propagation']) ?? orphan,
    preconditions: preconditions ?? {},
  }
}

const policies = ['Background', 'Foreground', 'Orphan']
const deleteOptionsType = 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'
