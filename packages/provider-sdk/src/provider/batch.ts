import type {
  ApplyResourceChangeRequest,
  ApplyResourceChangeResponse,
  ProviderExtensions,
  ReadResourceRequest,
  ReadResourceResponse,
} from '@hykube/tfplugin/protocol'
import { applyChange, applyOperation, finishApply } from './apply-change.ts'
import type { ProviderDefinition } from './define.ts'
import type { ApplyOperation, ReadOperation } from './operation.ts'
import { finishRead, readObject, readOperation } from './read-object.ts'
import type { ResourceDefinition } from './resource.ts'
import type { SchemaSpec } from './schema/schema.ts'
import type { Call } from './session.ts'
import type { State } from './views.ts'

/** Returns the capabilities of each resource type beyond Terraform's protocol: batch calls and idempotent applies. */
export function extensionsOf({ resources = {} }: ProviderDefinition): ProviderExtensions {
  return new Map(
    Object.entries(resources).map(([name, { idempotent = false, readMany, applyMany, modifyPlan }]) => [
      name,
      // Validation and planning run locally, so that a batch of them is always cheaper than single calls.
      {
        idempotentApply: idempotent,
        readMany: readMany !== undefined,
        planMany: true,
        applyMany: applyMany !== undefined,
        validateMany: true,
        // A plan by the schema is a pure function of the request; modifyPlan may read the remote API.
        deterministicPlan: modifyPlan === undefined,
      },
    ]),
  )
}

/** Reads objects of one type, in one call of `readMany` if the type has it. */
export function readAll(
  definition: ResourceDefinition,
  requests: readonly ReadResourceRequest[],
  newCall: () => Call,
): Promise<readonly ReadResourceResponse[]> {
  return runBatch<ReadResourceRequest, ReadOperation<SchemaSpec, unknown>, Outcome, ReadResourceResponse>(
    requests,
    newCall,
    {
      many: definition.readMany?.bind(definition),
      single: (request, call) => readObject(definition, request, call),
      prepare: (request, call) => readOperation(definition, request, call),
      finish: (request, operation, call, outcome) => finishRead(definition, request, operation, call, outcome),
    },
  )
}

/** Applies changes of one type, in one call of `applyMany` if the type has it. */
export function applyAll(
  definition: ResourceDefinition,
  requests: readonly ApplyResourceChangeRequest[],
  newCall: () => Call,
): Promise<readonly ApplyResourceChangeResponse[]> {
  return runBatch<
    ApplyResourceChangeRequest,
    ApplyOperation<SchemaSpec, unknown>,
    Outcome,
    ApplyResourceChangeResponse
  >(requests, newCall, {
    many: definition.applyMany?.bind(definition),
    single: (request, call) => applyChange(definition, request, call),
    prepare: (request, call) => applyOperation(definition, request, call),
    finish: (request, operation, call, outcome) => finishApply(definition, request, operation, call, outcome),
  })
}

/** Groups requests by type, answers the groups concurrently, and returns the answers in the order of the requests. */
export async function byType<Q extends { readonly typeName: string }, A>(
  requests: readonly Q[],
  answer: (typeName: string, group: readonly Q[]) => Promise<readonly A[]>,
): Promise<readonly A[]> {
  const groups = Map.groupBy(requests.keys(), (index) => requests[index]!.typeName)
  const answers: A[] = new Array(requests.length)
  await Promise.all(
    [...groups].map(async ([typeName, indexes]) => {
      const group = await answer(
        typeName,
        indexes.map((index) => requests[index]!),
      )
      for (const [place, index] of indexes.entries()) answers[index] = group[place]!
    }),
  )
  return answers
}

type Outcome = State<SchemaSpec> | null

/** The parts of a batch call: Q request, O operation, R outcome, A answer. */
interface Steps<Q, O, R, A> {
  /** The author's batch function; undefined when the type has none. */
  readonly many: ((operations: readonly O[]) => Promise<readonly (R | Error)[]>) | undefined
  readonly single: (request: Q, call: Call) => Promise<A>
  readonly prepare: (request: Q, call: Call) => O
  readonly finish: (request: Q, operation: O, call: Call, outcome: R | Error) => A
}

// Calls `many` once for all requests. An error of the whole call is the outcome of each request.
async function runBatch<Q, O, R, A>(
  requests: readonly Q[],
  newCall: () => Call,
  { many, single, prepare, finish }: Steps<Q, O, R, A>,
): Promise<readonly A[]> {
  const oneByOne = () => Promise.all(requests.map((request) => single(request, newCall())))
  if (many === undefined) return oneByOne()
  const calls = requests.map(() => newCall())
  let operations: readonly O[]
  try {
    operations = requests.map((request, i) => prepare(request, calls[i]!))
  } catch {
    // One request is invalid: processed one by one, only that request fails.
    return oneByOne()
  }
  const outcomes = await attempt(many, operations)
  return requests.map((request, i) => {
    const outcome = Array.isArray(outcomes) ? outcomes[i] : outcomes
    return finish(request, operations[i]!, calls[i]!, outcome === undefined ? noOutcome() : (outcome as R | Error))
  })
}

async function attempt<O, R>(
  many: (operations: readonly O[]) => Promise<readonly (R | Error)[]>,
  operations: readonly O[],
): Promise<readonly (R | Error)[] | Error> {
  try {
    return await many(operations)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function noOutcome(): Error {
  return new Error('the provider returned no result for this object')
}
