import type { JsonObject, JsonValue } from '@hykube/machinery/json'
import type { KubernetesObject } from '@hykube/machinery/object'
import { applyJsonPatch, applyMergePatch } from '@hykube/machinery/patch'
import type { ScalePaths } from '@hykube/machinery/resource-type'
import { type LabelSelectorObject, labelSelectorFromObject, labelSelectorToText } from '@hykube/machinery/selector'
import { badRequest, invalid, notFound } from '@hykube/machinery/status'
import { jsonForm, objectProtobuf } from '../../kinds/index.ts'
import type { Api } from '../api.ts'
import { decodeBody, decodeJson, unsupportedMediaType } from '../body/decode-body.ts'
import type { RequestContext } from '../context.ts'
import { parseMediaType } from '../negotiation.ts'
import { presentAnswer } from '../presentation/form.ts'
import { objectFromStored } from '../presentation/stored-form.ts'
import type { ResourcePath } from '../request-path.ts'
import type { EndpointHandler } from '../resource-handler.ts'
import type { Target } from '../target.ts'
import { managedByUpdate } from '../verbs/manage-fields.ts'
import { checkResult, resultErrorTexts } from '../verbs/patches/patch-errors.ts'
import { updateObject } from '../verbs/update-object.ts'
import { writeOptionsFrom } from '../write-options.ts'
import { valueAt, withValueAt } from './json-path.ts'

/** `<resource>/scale`: reads and sets the number of replicas, for every kind that declares where it is stored. */
export function scaleEndpoint(api: Api): EndpointHandler {
  return async (context, target) => {
    const paths = target.type.subresources.get('scale')?.scale
    if (paths === undefined)
      throw notFound({ group: target.type.group, resource: `${target.type.names.plural}/scale` }, target.place.name)
    const scale =
      context.request.method === 'GET' ? await read(api, target, paths) : await write(api, context, target, paths)
    return presentAnswer(scale, context, 200)
  }
}

interface Scale {
  readonly metadata?: {
    readonly resourceVersion?: string
    readonly uid?: string
    readonly name?: string
  }
  readonly spec?: { readonly replicas?: number }
}

async function read(api: Api, target: Target, paths: ScalePaths): Promise<KubernetesObject> {
  const stored = await api.objects.get(target.resource, target.place)
  if (stored === undefined)
    throw notFound({ group: target.type.group, resource: target.type.names.plural }, target.place.name)
  return scaleOf(objectFromStored(target.type, stored), paths)
}

async function write(
  api: Api,
  context: RequestContext<ResourcePath>,
  target: Target,
  paths: ScalePaths,
): Promise<KubernetesObject> {
  const patching = context.request.method === 'PATCH'
  const options = writeOptionsFrom(context, patching ? 'PatchOptions' : 'UpdateOptions')
  const next = await scaleChange(context, patching)
  const manage = managedByUpdate(api, context, target, options.manager, 'scale')
  const written = await updateObject(api, context, target, {
    subresource: 'scale',
    options,
    change: (current) => {
      const scale = scaleOf(current, paths)
      const changedScale = next(scale)
      const read = () => inForm(changedScale)
      const { metadata = {}, spec = {} } = patching ? checkResult(resultErrorTexts(scale, changedScale), read) : read()
      const replicas = checkedReplicas(spec.replicas, target, paths)
      const changed = withValueAt(current, paths.specReplicasPath, replicas)
      const version = metadata.resourceVersion || current.metadata?.resourceVersion
      return {
        ...changed,
        metadata: {
          ...changed.metadata,
          ...(version === undefined ? {} : { resourceVersion: version }),
          ...(metadata.uid ? { uid: metadata.uid } : {}),
        },
      }
    },
    manage,
  })
  return scaleOf(written.object, paths)
}

function inForm(scale: unknown): Scale {
  return jsonForm(scaleType, 'Scale', 'autoscaling/v1', scale).object as Scale
}

type ScaleChange = (scale: KubernetesObject) => unknown

async function scaleChange({ request }: RequestContext, patching: boolean): Promise<ScaleChange> {
  const contentType = request.header('content-type')[0]
  const bytes = await request.body()
  if (!patching) {
    const { value } = decodeBody(bytes, contentType, objectProtobuf(scaleType))
    if (typeof value !== 'object' || value === null) throw badRequest('the body is not a Scale')
    return () => value
  }
  const { value } = decodeJson(bytes)
  switch (parseMediaType(contentType ?? '').type) {
    case 'application/json-patch+json':
      return (scale) => applyJsonPatch(scale as JsonValue, value as JsonValue)
    // A Scale has no lists, so merge patch and strategic merge patch are equal.
    case 'application/merge-patch+json':
    case 'application/strategic-merge-patch+json':
      return (scale) => applyMergePatch(scale as JsonObject, value as JsonValue)
    default:
      throw unsupportedMediaType([
        'application/json-patch+json',
        'application/merge-patch+json',
        'application/strategic-merge-patch+json',
      ])
  }
}

function checkedReplicas(replicas: number | undefined, { place }: Target, { checkedByKind }: ScalePaths): number {
  const number = replicas ?? 0
  if (number >= 0 || checkedByKind) return number
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, place.name, [
    {
      reason: 'FieldValueInvalid',
      field: 'spec.replicas',
      message: `Invalid value: ${number}: must be greater than or equal to 0`,
    },
  ])
}

function scaleOf(object: KubernetesObject, paths: ScalePaths): KubernetesObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata ?? {}
  const selector =
    paths.labelSelectorPath === undefined ? undefined : selectorText(valueAt(object, paths.labelSelectorPath))
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion,
      creationTimestamp,
    } as NonNullable<KubernetesObject['metadata']>,
    spec: { replicas: countAt(object, paths.specReplicasPath) },
    status: {
      replicas: countAt(object, paths.statusReplicasPath),
      ...(selector === undefined || selector === '' ? {} : { selector }),
    },
  }
}

// A value that is not a number, such as an expression in a provider's kind, counts as 0.
function countAt(object: KubernetesObject, path: string): number {
  const value = valueAt(object, path)
  return typeof value === 'number' ? value : 0
}

// Custom resources store the selector as text, built-in kinds as an object or as labels.
function selectorText(selector: unknown): string | undefined {
  if (typeof selector === 'string') return selector
  if (typeof selector !== 'object' || selector === null) return undefined
  const isSelector = 'matchLabels' in selector || 'matchExpressions' in selector
  return labelSelectorToText(
    labelSelectorFromObject((isSelector ? selector : { matchLabels: selector }) as LabelSelectorObject),
  )
}

const scaleType = 'io.k8s.api.autoscaling.v1.Scale'
