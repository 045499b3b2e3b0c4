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
import type { SchemaSpec } from './schema.ts'
import type { Call } from './session.ts'
import type { State } from './views.ts'

/** What the types of a provider can do beyond the protocol. */
export function extensionsOf({ resources = {} }: ProviderDefinition): ProviderExtensions {
  return new Map(
    Object.entries(resources).map(([name, { idempotent = false, readMany, applyMany, modifyPlan }]) => [
      name,
      // Validating and planning ask nobody, so that many are cheaper in one call than in many.
      {
        idempotentApply: idempotent,
        readMany: readMany !== undefined,
        planMany: true,
        applyMany: applyMany !== undefined,
        validateMany: true,
        // What a schema plans follows from what is asked; a function may look outside.
        steadyPlan: modifyPlan === undefined,
      },
    ]),
  )
}

/** Reads objects of one type, together where the type can do that. */
export function readAll(
  definition: ResourceDefinition,
  requests: readonly ReadResourceRequest[],
  newCall: () => Call,
): Promise<readonly ReadResourceResponse[]> {
  return together<ReadResourceRequest, ReadOperation<SchemaSpec, unknown>, Outcome, ReadResourceResponse>(
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

/** Applies changes of objects of one type, together where the type can do that. */
export function applyAll(
  definition: ResourceDefinition,
  requests: readonly ApplyResourceChangeRequest[],
  newCall: () => Call,
): Promise<readonly ApplyResourceChangeResponse[]> {
  return together<
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

/** Answers requests in groups of one type, and gives the answers in the order of the requests. */
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

interface Steps<Q, O, R, A> {
  readonly many: ((operations: readonly O[]) => Promise<readonly (R | Error)[]>) | undefined
  readonly single: (request: Q, call: Call) => Promise<A>
  readonly prepare: (request: Q, call: Call) => O
  readonly finish: (request: Q, operation: O, call: Call, outcome: R | Error) => A
}

async function together<Q, O, R, A>(
  requests: readonly Q[],
  newCall: () => Call,
  { many, single, prepare, finish }: Steps<Q, O, R, A>,
): Promise<readonly A[]> {
  const alone = () => Promise.all(requests.map((request) => single(request, newCall())))
  if (many === undefined) return alone()
  const calls = requests.map(() => newCall())
  let operations: readonly O[]
  try {
    operations = requests.map((request, i) => prepare(request, calls[i]!))
  } catch {
    // One of them is not right: taken one by one only that one fails.
    return alone()
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
  return new Error('the provider gave no outcome for it')
}
