import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWith } from '../real-parts/index.ts'
import { client, type ProgramResult, startServer, type TestServer } from './server.ts'

const widgetDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd], categories: [all, gadgets]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources:
      status: {}
      scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}
    selectableFields: [{jsonPath: .spec.color}]
    additionalPrinterColumns:
    - {name: Color, type: string, jsonPath: .spec.color}
    - {name: Replicas, type: integer, jsonPath: .spec.replicas}
    - {name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status', priority: 1}
    - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [color]
            x-kubernetes-validations:
            - {rule: "self.color == oldSelf.color", message: color is immutable, fieldPath: .color}
            - {rule: "!has(self.max) || self.replicas <= self.max", messageExpression: "'replicas %d above %d'.format([self.replicas, self.max])"}
            properties:
              color: {type: string, enum: [red, green, blue], description: How it looks.}
              replicas: {type: integer, default: 1, minimum: 0}
              max: {type: integer}
              ports:
                type: array
                x-kubernetes-list-type: map
                x-kubernetes-list-map-keys: [name]
                items: {type: object, required: [name], properties: {name: {type: string}, port: {type: integer}}}
          status:
            type: object
            properties:
              replicas: {type: integer}
              selector: {type: string}
              conditions: {type: array, items: {type: object, properties: {type: {type: string}, status: {type: string}}}}
  - name: v1beta1
    served: true
    storage: false
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

const widget = (name: string, spec: string) =>
  `{apiVersion: example.com/v1, kind: Widget, metadata: {name: ${name}}, spec: ${spec}}`

// The same name means something else in another cluster.
const otherDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Cluster
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {weight: {type: integer}}}}}}
`

describeWith(['kubectl-1.36'], 'custom resources with kubectl 1.36', (program) => {
  let server: TestServer
  let kubectl: (args: readonly string[] | string, options?: { input?: string }) => Promise<ProgramResult>
  const succeed = async (args: readonly string[] | string, input?: string): Promise<string> => {
    const result = await kubectl(args, input === undefined ? {} : { input })
    expect(`${result.stderr}${result.code}`).toMatch(/0$/)
    return result.stdout
  }
  const fail = async (args: readonly string[] | string, input?: string): Promise<string> => {
    const result = await kubectl(args, input === undefined ? {} : { input })
    expect(result.code).not.toBe(0)
    return result.stderr
  }
  const patch = (spec: object) => ['patch', 'widget', 'a', '--type', 'merge', '-p', JSON.stringify({ spec })]
  const json = async (args: string) => JSON.parse(await succeed(`${args} -o json`))

  beforeAll(async () => {
    server = await startServer({ arguments: ['--store', 'sqlite:', '--cluster', 'other'] })
    kubectl = client(program, server)
  })
  afterAll(() => server.remove())

  describe('a definition', () => {
    test('is served and established at once', async () => {
      await succeed('apply -f -', widgetDefinition)
      await succeed('wait --for condition=established --timeout=60s crd/widgets.example.com')
      const { status } = await json('get crd widgets.example.com')
      expect(status.conditions.map(({ type, status: is }: { type: string; status: string }) => [type, is])).toEqual([
        ['NamesAccepted', 'True'],
        ['Established', 'True'],
      ])
      expect(status).toMatchObject({ storedVersions: ['v1'], acceptedNames: { listKind: 'WidgetList' } })
      expect(await succeed('api-resources --api-group example.com')).toMatch(
        /widgets\s+wd\s+example.com\/v1\s+true\s+Widget/,
      )
    })

    test('is refused when it is wrong, with the paths of its errors', async () => {
      const wrong = widgetDefinition
        .replaceAll('widget', 'gadget')
        .replace('self.color == oldSelf.color', 'self.colour == 1')
      const message = await fail('create --validate=false -f -', wrong)
      expect(message).toContain(
        'spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule',
      )
      expect(message).toContain("undefined field 'colour'")
    })

    test('is explained', async () => {
      expect(await succeed('explain widget.spec.color')).toContain('How it looks.')
    })

    test('whose names are taken waits for them', async () => {
      const second = widgetDefinition.replaceAll('widgets', 'wheels').replace('singular: widget,', 'singular: wheel,')
      await succeed('create -f -', second.replace('kind: Widget,', 'kind: Wheel,'))
      await succeed('wait --for condition=NamesAccepted=false --timeout=60s crd/wheels.example.com')
      const { status } = await json('get crd wheels.example.com')
      expect(status.conditions[0]).toMatchObject({ reason: 'ShortNamesConflict', message: '"wd" is already in use' })
      await succeed('delete crd wheels.example.com')
    })
  })

  describe('its objects', () => {
    test('are created with defaults and shown in columns', async () => {
      await succeed('create -f -', widget('a', '{color: red, ports: [{name: http, port: 80}]}'))
      expect(await succeed('get wd')).toMatch(/^NAME\s+COLOR\s+REPLICAS\s+AGE\na\s+red\s+1\s+\d+s\n$/)
      expect(await succeed('get widgets -o wide')).toMatch(/READY/)
      for (const category of ['gadgets', 'all']) expect(await succeed(`get ${category}`)).toContain('red')
    })

    test('are refused with the path of what is wrong', async () => {
      const wrong = widget('b', '{color: pink, replicas: -1, ports: [{port: x}]}')
      const message = await fail('create --validate=false -f -', wrong)
      expect(message).toContain('spec.color: Unsupported value: "pink": supported values: "red", "green", "blue"')
      expect(message).toContain(
        'spec.replicas: Invalid value: -1: spec.replicas in body should be greater than or equal to 0',
      )
      expect(message).toContain('spec.ports[0].name: Required value')
      expect(await fail('create -f -', widget('b', '{color: red, nope: 1}'))).toContain('unknown field "spec.nope"')
    })

    test('lose what their schema does not know', async () => {
      await succeed('create --validate=ignore -f -', widget('pruned', '{color: red, nope: 1}'))
      expect((await json('get widget pruned')).spec).toEqual({ color: 'red', replicas: 1 })
    })

    test('keep the rules, also those about changes', async () => {
      expect(await fail(patch({ color: 'blue' }))).toContain('spec.color: Invalid value: color is immutable')
      expect(await fail(patch({ replicas: 5, max: 2 }))).toContain('spec: Invalid value: replicas 5 above 2')
      await succeed(patch({ replicas: 2, max: 2 }))
      await succeed(patch({ max: null }))
    })

    test('count their changes, and the status not among them', async () => {
      const before = (await json('get widget a')).metadata.generation
      await succeed([
        'patch',
        'widget',
        'a',
        '--subresource',
        'status',
        '--type',
        'merge',
        '-p',
        '{"status":{"replicas":2,"conditions":[{"type":"Ready","status":"True"}]}}',
      ])
      await succeed(['patch', 'widget', 'a', '--type', 'merge', '-p', '{"status":{"replicas":9}}'])
      expect((await json('get widget a')).metadata.generation).toBe(before)
      expect((await json('get widget a')).status.replicas).toBe(2)
      expect(await succeed('get wd a -o wide')).toContain('True')
    })

    test('are scaled', async () => {
      await succeed('scale widget a --replicas 4')
      expect((await json('get widget a')).spec.replicas).toBe(4)
    })

    test('are applied by several, each owning its items', async () => {
      await succeed(
        'apply --server-side --field-manager one -f -',
        widget('s', '{color: red, ports: [{name: x, port: 1}]}'),
      )
      await succeed(
        'apply --server-side --field-manager two -f -',
        widget('s', '{color: red, ports: [{name: z, port: 2}]}'),
      )
      expect((await json('get widget s')).spec.ports.map(({ name }: { name: string }) => name)).toEqual(['x', 'z'])
      const conflict = await fail(
        'apply --server-side --field-manager three -f -',
        widget('s', '{color: red, ports: [{name: x, port: 9}]}'),
      )
      expect(conflict).toContain('conflict with "one": .spec.ports[name="x"].port')
      expect(await fail('apply --server-side -f -', widget('s', '{color: red, nope: 1}'))).toContain(
        'field not declared in schema',
      )
    })

    test('are selected by fields', async () => {
      await succeed('create -f -', widget('g', '{color: green}'))
      expect((await succeed('get wd --field-selector spec.color=green -o name')).trim()).toBe('widget.example.com/g')
      expect(await fail('get wd --field-selector spec.max=1')).toContain('field label not supported: spec.max')
    })

    test('take no strategic merge, and no update of whatever is there', async () => {
      expect(await fail(['patch', 'widget', 'a', '--type', 'strategic', '-p', '{}'])).toMatch(/strategic|media type/i)
      const { metadata, ...rest } = await json('get widget g')
      const blind = JSON.stringify({ ...rest, metadata: { name: metadata.name, namespace: 'default' } })
      const path = '/apis/example.com/v1/namespaces/default/widgets/g'
      expect(await fail(['replace', '--raw', path, '-f', '-'], blind)).toContain('must be specified for an update')
    })

    test('are read and written in every served version', async () => {
      expect((await json('get widgets.v1beta1.example.com a')).apiVersion).toBe('example.com/v1beta1')
      await succeed('label widgets.v1beta1.example.com a seen=yes')
      expect((await json('get widgets.v1.example.com a')).metadata.labels).toEqual({ seen: 'yes' })
    })
  })

  describe('another cluster', () => {
    const other = (args: string, input?: string) => succeed(`--server ${server.url}/clusters/other ${args}`, input)

    test('has its own definition of the same name', async () => {
      await other('create -f -', otherDefinition)
      await other('wait --for condition=established --timeout=60s crd/widgets.example.com')
      await other(
        'create -f -',
        '{apiVersion: example.com/v1, kind: Widget, metadata: {name: heavy}, spec: {weight: 7}}',
      )
      expect(await other('get widgets -o jsonpath={.items[*].spec.weight}')).toBe('7')
      expect(await succeed('get widgets -A -o name')).not.toContain('heavy')
    })

    test('keeps it when the first one changes', async () => {
      await succeed([
        'patch',
        'crd',
        'widgets.example.com',
        '--type',
        'json',
        '-p',
        '[{"op":"remove","path":"/spec/versions/1"}]',
      ])
      await expect.poll(async () => (await kubectl('get widgets.v1beta1.example.com')).code).not.toBe(0)
      expect(await other('get widgets -o name')).toContain('heavy')
    })
  })

  test('a changed default holds for what was stored before', async () => {
    const [at] = ['/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/max/default']
    await succeed([
      'patch',
      'crd',
      'widgets.example.com',
      '--type',
      'json',
      '-p',
      JSON.stringify([{ op: 'add', path: at, value: 100 }]),
    ])
    await expect.poll(async () => (await json('get widget g')).spec.max).toBe(100)
    const list = await json('get widgets')
    expect(list.items.map(({ spec }: { spec: { max: number } }) => spec.max)).toEqual([100, 100, 100, 100])
  })

  test('a server that starts again serves all at once', async () => {
    await server.end()
    server = await startServer({
      arguments: ['--store', 'sqlite:', '--cluster', 'other'],
      dataDirectory: server.dataDirectory,
    })
    kubectl = client(program, server)
    expect(await succeed('get wd a')).toContain('red')
    expect(await succeed(`--server ${server.url}/clusters/other get widgets -o name`)).toContain('heavy')
  })

  test('a definition that goes takes its objects along and ends their watches', async () => {
    const env = { ...process.env, KUBECONFIG: server.kubeconfig, HOME: server.dataDirectory }
    const watch = spawn(program, ['get', 'widgets', '-w', '-o', 'name'], { env })
    const ended = once(watch, 'exit')
    await once(watch.stdout, 'data')
    await succeed('delete crd widgets.example.com --timeout=60s')
    await ended
    expect(await fail('get widgets')).toMatch(/doesn't have a resource type|could not find the requested resource/)
    expect(await succeed('get --raw /apis')).not.toContain('example.com')
    await succeed('create -f -', widgetDefinition)
    await succeed('wait --for condition=established --timeout=60s crd/widgets.example.com')
    expect(await succeed('get widgets -A -o name')).toBe('')
  })

  test('a definition waits for objects that something holds', async () => {
    await succeed(
      'create -f -',
      `{apiVersion: example.com/v1, kind: Widget, metadata: {name: held, finalizers: [example.com/hold]}, spec: {color: red}}`,
    )
    await succeed('delete crd widgets.example.com --wait=false')
    const { metadata } = await json('get widget held')
    expect(metadata.deletionTimestamp).toBeDefined()
    expect((await json('get crd widgets.example.com')).status.conditions.at(-1)).toMatchObject({
      type: 'Terminating',
      status: 'True',
    })
    await succeed(['patch', 'widget', 'held', '--type', 'merge', '-p', '{"metadata":{"finalizers":null}}'])
    await succeed('wait --for=delete --timeout=60s crd/widgets.example.com')
  })
})

describe('a definition', () => {
  // Milliseconds are what a machine makes of it: 100 of them are some twenty answers.
  test('is served at once when it was created', async () => {
    const server = await startServer()
    try {
      expect(await asksUntilServed(server)).toBeLessThan(20)
    } finally {
      await server.remove()
    }
  })
})

// How often the new resource is asked for, one after the other, from the answer to the creation to its own first answer.
async function asksUntilServed(server: TestServer): Promise<number> {
  const { parse } = await import('yaml')
  const { request } = await import('node:https')
  const send = (method: string, path: string, body?: object) =>
    new Promise<number>((done, failed) => {
      const headers = { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json' }
      const sent = request(`${server.url}${path}`, { method, headers, rejectUnauthorized: false }, (answer) => {
        answer.resume()
        answer.once('end', () => done(answer.statusCode ?? 0))
      })
      sent.once('error', failed)
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  expect(await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', parse(widgetDefinition))).toBe(
    201,
  )
  let asks = 1
  while ((await send('GET', '/apis/example.com/v1/widgets')) !== 200) expect(++asks).toBeLessThan(1000)
  return asks
}
