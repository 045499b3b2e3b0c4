import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunningProvider } from '@hykube/provider-sdk/provider'
import { TestApi } from '@hykube/server/http/testing'
import { providerTypes } from '@hykube/server/provider'
import {
  blockIn,
  blockOf,
  largeSchema,
  nested,
  plain,
  plainTemplates,
  providerOf,
} from '@hykube/server/provider/testing'
import { openTestStore } from '@hykube/server/resource/testing'
import type { ProviderSchema } from '@hykube/tfplugin/protocol'
import { boolType, listType, numberType, objectType, setType, stringType } from '@hykube/tfplugin/value'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { simProvider } from '../../providers/sim/src/provider.ts'
import { describeWith } from '../real-parts/index.ts'
import { type PlainServer, servePlainly } from './plain-server.ts'
import { client } from './server.ts'

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} }

const bucket = `apiVersion: sim.hykube.io/v1
kind: SimBucket
metadata: {name: logs}
spec:
  name: logs
  tags: {team: web}
  rules:
  - {prefix: tmp/, after_days: 3}
`

const named = blockOf([plain('name', stringType)])

// Names that meet: `awsvpcs` is the managed plural without its dash and the kind of the data source `aws_vpcs` in lower case.
const pairs = providerOf(
  { pair_vpc: named, pair_ami: named },
  { pair_vpc: named, pair_vpcs: named, pair_ami: named, pair_zone: named },
)

// Schema shapes that the simulated cloud lacks.
const shapes = providerOf({
  shapes_thing: blockOf(
    [
      plain('flag', boolType),
      plain('words', listType(stringType)),
      plain('ports', setType(numberType)),
      plain('limits', objectType({ cpu: numberType })),
      nested('network', 'single', [plain('mtu', numberType, { required: true })]),
    ],
    [blockIn('timeouts', 'single', blockOf([plain('create', stringType)]))],
  ),
})

for (const version of ['1.28', '1.32', '1.36'])
  describeWith([`kubectl-${version}`], `kubectl ${version} and kinds of providers`, (kubectlPath) => {
    let served: Served
    let kubectl: ReturnType<typeof client>
    beforeAll(async () => {
      served = await serveProviders({
        sim: new RunningProvider(simProvider, silent).schemas.schema,
        shapes,
        pair: pairs,
      })
      kubectl = client(kubectlPath, served.server)
    })
    afterAll(() => served.close())

    const file = (name: string, text: string): string => {
      const path = join(served.server.dataDirectory, name)
      writeFileSync(path, text)
      return path
    }

    test('explain shows attributes, their types and what is required', async () => {
      const { stdout } = await kubectl('explain sim-bucket.spec')
      expect(stdout).toMatch(/^GROUP: +sim\.hykube\.io$/m)
      expect(stdout).toMatch(/^ {2}name\t<string> -required-$/m)
      expect(stdout).toMatch(/^ {2}tags\t<MapOfString>\n {4}Labels\.$/m)
      expect(stdout).toMatch(/^ {2}rules\t<List>/m)
      expect(stdout).not.toMatch(/^ {2}id\t/m)
    })

    test('explain goes into blocks, reserved names and what the provider decides', async () => {
      expect((await kubectl('explain sim-bucket.spec.rules')).stdout).toMatch(/^ {2}prefix\t<string> -required-$/m)
      expect((await kubectl('explain sim-bucket.spec.rules.after_days')).stdout).toMatch(/^ {4}\(number\)$/m)
      expect((await kubectl('explain sim-bucket.spec.count')).stdout).toMatch(/The number of instances/)
      const { stdout: listed } = await kubectl('explain sim-bucket.spec')
      for (const [field, said] of [
        ['count', 'The number of instances'],
        ['for_each', 'One instance for'],
        ['depends_on', 'Addresses of resources'],
        ['provider', 'A ProviderConfig of'],
        ['lifecycle', 'Rules for replacing'],
      ])
        expect(listed.replaceAll(/\n {4}/g, ' ')).toMatch(new RegExp(`^  ${field}\\t<.*${said}`, 'm'))
      expect(listed).not.toContain('<no description>\n\n  lifecycle')
      expect((await kubectl('explain sim-bucket.spec.lifecycle')).stdout).toMatch(/^ {2}prevent_destroy\t<boolean>$/m)
      const status = await kubectl('explain sim-bucket.status')
      expect(status.stdout).toMatch(/^ {2}attributes\t/m)
      expect(status.stdout).toMatch(/^ {2}conditions\t/m)
      expect(status.stdout).not.toContain('<no description>')
      expect((await kubectl('explain sim-bucket.status.instances')).stdout).toContain('The number of ready instances')
      expect((await kubectl('explain sim-bucket.status.attributes')).stdout).toMatch(/^ {2}id\t<string>$/m)
      expect((await kubectl('explain sim-bucket --recursive')).stdout).toMatch(/^ {6}prefix\t<string> -required-$/m)
    })

    test.each([['apply'], ['apply --server-side']])(
      '%s creates, changes and finds nothing to change',
      async (command) => {
        await kubectl('delete sim-bucket logs --ignore-not-found')
        const path = file('bucket.yaml', bucket)
        expect(await kubectl(`${command} -f ${path}`)).toMatchObject({ code: 0, stderr: '' })
        const changed = file('changed.yaml', bucket.replace('after_days: 3', 'after_days: "${a.b}"'))
        expect(await kubectl(`${command} -f ${changed}`)).toMatchObject({ code: 0, stderr: '' })
        expect(
          (await kubectl(`diff -f ${changed} ${command.includes('side') ? '--server-side' : ''}`.trim())).code,
        ).toBe(0)
        const { stdout } = await kubectl('get sim-bucket')
        expect(stdout).toMatch(/^NAME +READY +ID +APPLIED +REASON +AGE$/m)
        expect(stdout).toMatch(/^logs +False +False +NotApplied +\d+s$/m)
      },
    )

    test.each([
      [
        'number',
        'rules: [{prefix: a, after_days: "${a.b}"}]',
        'rules: [{prefix: a, after_days: many}]',
        'spec.rules[0].after_days',
      ],
      ['map', 'tags: ${a.b}', 'tags: [a]', 'spec.tags'],
      ['map element', 'tags: {a: "${b.c}"}', 'tags: {a: 3}', 'spec.tags[a]'],
      ['block list', 'rules: ${a.b}', 'rules: {prefix: a}', 'spec.rules'],
      ['block', 'rules: ["${a.b}"]', 'rules: [3]', 'spec.rules[0]'],
      ['count', 'count: ${a.b}', 'count: many', 'spec.count'],
    ])('an expression is taken for a %s, a wrong literal refused with its path', async (_, right, wrong, field) => {
      const head = bucket.slice(0, bucket.indexOf('  tags'))
      const apply = (text: string) => kubectl(['apply', '-f', '-'], { input: `${head}  ${text}\n` })
      await kubectl('delete sim-bucket logs --ignore-not-found')
      expect(await apply(right)).toMatchObject({ code: 0, stderr: '' })
      const refused = await apply(wrong)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(` ${field}: Invalid value`)])
    })

    test.each([
      ['bool', 'flag: ${a.b}', 'flag: "yes"', 'spec.flag'],
      ['list', 'words: ${a.b}', 'words: text', 'spec.words'],
      ['list element', 'words: ["a-${b.c}"]', 'words: [3]', 'spec.words[0]'],
      ['set', 'ports: ${a.b}', 'ports: {a: 1}', 'spec.ports'],
      ['set element', 'ports: [1, "${a.b}"]', 'ports: [many]', 'spec.ports[0]'],
      ['object', 'limits: ${a.b}', 'limits: [1]', 'spec.limits'],
      ['attribute of an object', 'limits: {cpu: "${a.b}"}', 'limits: {cpu: many}', 'spec.limits.cpu'],
      ['nested attribute', 'network: ${a.b}', 'network: 3', 'spec.network'],
      ['single block', 'timeouts: ${a.b}', 'timeouts: [a]', 'spec.timeouts'],
    ])('an expression is taken for a %s, a wrong literal refused with its path', async (_, right, wrong, field) => {
      const head = 'apiVersion: shapes.hykube.io/v1\nkind: ShapesThing\nmetadata: {name: a}\nspec:\n'
      const apply = (text: string) => kubectl(['apply', '-f', '-'], { input: `${head}  ${text}\n` })
      expect(await apply(right)).toMatchObject({ code: 0, stderr: '' })
      const refused = await apply(wrong)
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(` ${field}: Invalid value`)])
    })

    test.each([
      ['sim.hykube.io', 'simbucket simbuckets SimBucket sim_bucket sim-bucket sim-buckets'],
      ['pair.hykube.io', 'pairvpc pairvpcs PairVpc pair_vpc pair-vpc pair-vpcs pair_ami pairamis PairAmi'],
      ['data.pair.hykube.io', 'pair_vpcs PairVpcs pair_zone pairzone PairZone pair-zone'],
      [
        'data.pair.hykube.io',
        'pair-vpc.data.pair.hykube.io pair-vpcs.data.pair.hykube.io pair-ami.data.pair.hykube.io',
      ],
    ])('kinds of %s are found by each name that people type', async (group, names) => {
      for (const name of names.split(' ')) {
        const { code, stdout, stderr } = await kubectl(`get ${name} none --v=6`)
        expect([name, code, stdout]).toEqual([name, 1, ''])
        expect(stderr).toContain(`/apis/${group}/v1/namespaces/default/`)
        expect(stderr).not.toContain('could also match')
      }
    })

    test('a name that is not there is refused with what may have been meant', async () => {
      const path = file('wrong.yaml', bucket.replace('rules:', 'rulez:'))
      for (const command of ['apply', 'create', 'apply --server-side']) {
        const { code, stderr } = await kubectl(`${command} -f ${path}`)
        expect([code, stderr]).toEqual([
          1,
          expect.stringContaining('unknown field "spec.rulez" (did you mean "rules"?)'),
        ])
      }
    })
  })

for (const version of ['1.28', '1.36'])
  describeWith([`kubectl-${version}`], `kubectl ${version} and a very large provider`, (kubectlPath) => {
    let served: Served
    let kubectl: ReturnType<typeof client>
    beforeAll(async () => {
      served = await serveProviders({ aws: largeSchema() })
      kubectl = client(kubectlPath, served.server)
    })
    afterAll(() => served.close())

    test('a kind is explained', async () => {
      const { stdout, stderr } = await kubectl('explain aws-giant-dashboard.spec --recursive')
      expect(stderr).toBe('')
      expect(stdout.length).toBeGreaterThan(100_000)
    })

    test('an object is applied', async () => {
      const kind = 'AwsLakeformationResourceLfTags2'
      const input = `apiVersion: aws.hykube.io/v1\nkind: ${kind}\nmetadata: {name: a}\nspec: {name: a}\n`
      for (const said of ['created', 'unchanged']) {
        const { stdout } = await kubectl(['apply', '-f', '-'], { input })
        expect(stdout).toBe(`${kind.toLowerCase()}.aws.hykube.io/a ${said}\n`)
      }
    })
  })

interface Served {
  readonly server: PlainServer
  close(): Promise<void>
}

async function serveProviders(schemas: Readonly<Record<string, ProviderSchema>>): Promise<Served> {
  const { store, close } = await openTestStore()
  const api = await TestApi.open(store)
  for (const [provider, schema] of Object.entries(schemas)) {
    const types = providerTypes({ provider, schema, schemaHash: '1', templates: plainTemplates })
    api.api.types.serve('root', provider, types)
  }
  const server = await servePlainly(api)
  return {
    server,
    close: async () => {
      await server.close()
      await close()
    },
  }
}
