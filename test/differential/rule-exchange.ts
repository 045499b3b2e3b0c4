import { type Answer, ask, type Server } from './exchange.ts'
import { normalised } from './normalise.ts'
import type { Change, RuleCase } from './rule-cases.ts'

/** The responses of a server to a case: to the definition and, if it was accepted, to each object. */
export async function runRuleCase(server: Server, { schema, specs = [] }: RuleCase, id: string): Promise<unknown[]> {
  const plural = `kinds${id}`
  const created = await ask(server, {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: definition(plural, schema),
  })
  if (created.status !== 201) return [normalised(created)]
  const answers: unknown[] = ['created']
  const path = `/apis/rules.example.com/v1/namespaces/default/${plural}`
  await served(server, path)
  for (const [index, spec] of specs.entries()) answers.push(...(await write(server, path, `o${index}`, spec, id)))
  return answers
}

async function write(
  server: Server,
  path: string,
  name: string,
  spec: object | Change,
  id: string,
): Promise<unknown[]> {
  const isChange = 'from' in spec && 'to' in spec
  const made = await ask(server, {
    method: 'POST',
    path,
    body: custom(name, isChange ? (spec as Change).from : spec, id),
  })
  if (!isChange || made.status !== 201) return [told(made)]
  const { metadata } = made.body as { metadata: object }
  const body = { ...custom(name, (spec as Change).to, id), metadata }
  return [told(made), told(await ask(server, { method: 'PUT', path: `${path}/${name}`, body }))]
}

// Stored objects are compared by the request cases.
function told(answer: Answer): unknown {
  return answer.status < 300 ? { status: answer.status, warnings: answer.warnings } : normalised(answer)
}

async function served(server: Server, path: string): Promise<void> {
  for (let attempt = 0; attempt < 400; attempt++) {
    if ((await ask(server, { method: 'GET', path })).status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`${path} is not served`)
}

function custom(name: string, spec: object, id: string): object {
  return { apiVersion: 'rules.example.com/v1', kind: `Kind${id}`, metadata: { name }, spec }
}

function definition(plural: string, spec: object): object {
  const id = plural.replace('kinds', '')
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.rules.example.com` },
    spec: {
      group: 'rules.example.com',
      scope: 'Namespaced',
      names: { plural, singular: `kind${id}`, kind: `Kind${id}`, listKind: `Kind${id}List` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
        },
      ],
    },
  }
}
