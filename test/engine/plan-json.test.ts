import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TerraformRun } from '../e2e/providers/terraform-run.ts'
import { describeWith } from '../real-parts/index.ts'
import { SharedSim } from './scenario.ts'

const shared = new SharedSim()
beforeAll(() => shared.start())
afterAll(() => shared.stop())

const executable = fileURLToPath(new URL('../../providers/sim/bin/terraform-provider-sim', import.meta.url))

describeWith(['terraform'], 'a plan as JSON is what Terraform shows of the same change', (terraform) => {
  test('for creations, and for an update, a replacement and a deletion', { timeout: 60_000 }, async () => {
    const s = await shared.scenario()
    const run = new TerraformRun(terraform, { sim: executable })
    for (const [address, spec] of first) await s.write(address, spec)
    run.write(`${provider}${firstHcl}`)
    expect(normal(await (await s.plan()).json())).toEqual(normal(await shownBy(run)))

    await s.apply()
    expect((await run.apply()).code).toBe(0)
    await s.write('sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.2.0/24' })
    await s.write('sim_bucket.logs', { for_each: { eu: '1' }, name: 'logs-${each.key}', tags: { n: '${each.value}' } })
    await s.delete('sim_null.old')
    run.write(`${provider}${secondHcl}`)
    const ours = await (await s.plan()).json()
    expect(normal(ours)).toEqual(normal(await shownBy(run), changedOf(ours)))
  })
})

describe('a plan as JSON', () => {
  test('shows what changed outside, and is only accepted, as drift', async () => {
    const s = await shared.scenario()
    await s.write('sim_network.main', { name: 'n', cidr: '10.0.0.0/16' })
    await s.apply()
    const { id } = await s.attributes('sim_network.main')
    s.world.edit('sim_network', id, { name: 'other' })
    const json = await (await s.plan({ mode: 'RefreshOnly', refresh: 'All' })).json()
    expect(json.resource_changes).toEqual([])
    expect(json.resource_drift).toMatchObject([
      { address: 'sim_network.main', change: { actions: ['update'], before: { name: 'n' }, after: { name: 'other' } } },
    ])
  })

  test('shows no constant of a sensitive or write-only attribute', async () => {
    const s = await shared.scenario()
    await s.keep('secrets', 'token', { key: 'hunter2' })
    await s.write('sim_secret.s', { name: 's', value: '${secret["token"].key}', value_version: 1 })
    const json = await (await s.plan()).json()
    expect(json.configuration.root_module.resources[0].expressions.value).toEqual({
      references: ['secret["token"].key'],
    })
    expect(JSON.stringify(json)).not.toContain('hunter2')
  })
})

const first: readonly (readonly [string, Record<string, unknown>])[] = [
  ['sim_network.main', { name: 'main', cidr: '10.0.0.0/16' }],
  ['sim_subnet.a', { network_id: '${sim_network.main.id}', cidr: '10.0.1.0/24' }],
  ['sim_instance.web', { count: 2, subnet_id: '${sim_subnet.a.id}', image: 'debian', tags: { n: '${count.index}' } }],
  ['sim_bucket.logs', { for_each: { eu: '1', us: '2' }, name: 'logs-${each.key}', tags: { n: '${each.value}' } }],
  [
    'sim_bucket.rules',
    { name: 'rules', rules: [{ prefix: 'a', after_days: 3 }, { prefix: '${sim_network.main.id}' }] },
  ],
  ['sim_database.db', { name: 'db', depends_on: ['sim_network.main'] }],
  ['sim_null.old', { triggers: { a: 'b' } }],
]

const provider = `provider "sim" { world = "world" }\n`
const others = `
resource "sim_network" "main" {
  name = "main"
  cidr = "10.0.0.0/16"
}
resource "sim_instance" "web" {
  count     = 2
  subnet_id = sim_subnet.a.id
  image     = "debian"
  tags      = { n = count.index }
}
resource "sim_bucket" "rules" {
  name = "rules"
  rules {
    prefix     = "a"
    after_days = 3
  }
  rules {
    prefix = sim_network.main.id
  }
}
resource "sim_database" "db" {
  name       = "db"
  depends_on = [sim_network.main]
}
`
const subnet = (cidr: string) => `resource "sim_subnet" "a" {
  network_id = sim_network.main.id
  cidr       = "${cidr}"
}
`
const buckets = (keys: string) => `resource "sim_bucket" "logs" {
  for_each = ${keys}
  name     = "logs-\${each.key}"
  tags     = { n = each.value }
}
`
const old = `resource "sim_null" "old" {
  triggers = { a = "b" }
}
`
const firstHcl = `${others}${subnet('10.0.1.0/24')}${buckets('{ eu = "1", us = "2" }')}${old}`
const secondHcl = `${others}${subnet('10.0.2.0/24')}${buckets('{ eu = "1" }')}`

// biome-ignore lint/suspicious/noExplicitAny: documents of another program
type Document = any

async function shownBy(run: TerraformRun): Promise<Document> {
  const { code, output } = await run.plan(`-out=${join(run.directory, 'plan')}`)
  expect(code, output).not.toBe(1)
  const shown = await run.run('show', '-json', 'plan')
  return JSON.parse(shown.output.slice(shown.output.indexOf('{')))
}

function changedOf({ resource_changes }: Document): ReadonlySet<string> {
  return new Set(resource_changes.map(({ address }: Document) => address))
}

// Removes expected differences: ids, the provider's address, unchanged resources (Terraform lists them), and sensitive values.
function normal(plan: Document, changed?: ReadonlySet<string>): Document {
  const isMeant = ({ address }: Document) => changed === undefined || changed.has(address)
  const isWritten = ({ address }: Document) =>
    changed === undefined || [...changed].some((each) => objectOf(each) === address)
  const resources = (values: Document, isWanted: (resource: Document) => boolean) =>
    sorted((values?.root_module.resources ?? []).filter(isWanted).map(redactedValues))
  const changes = plan.resource_changes.filter(({ change }: Document) => change.actions[0] !== 'no-op')
  return withoutIds({
    planned: resources(plan.planned_values, isMeant),
    prior: resources(plan.prior_state?.values, isMeant),
    changes: sorted(changes.map(redactedChange)),
    configuration: resources(plan.configuration, isWritten),
    flags: [plan.applyable, plan.complete, plan.errored, plan.format_version],
  })
}

function objectOf(address: string): string {
  return address.replace(/\[.*$/, '')
}

function sorted(list: Document[]): Document[] {
  return list.toSorted((a, b) => (a.address < b.address ? -1 : 1))
}

function redactedValues({ provider_name: _, depends_on, ...resource }: Document): Document {
  const { values, sensitive_values: mask } = resource
  return values === undefined ? { ...resource, depends_on } : { ...resource, values: redact(values, mask) }
}

function redactedChange({ provider_name: _, ...resource }: Document): Document {
  // Terraform does not say which sensitive values differ.
  const { changed_sensitive: __, ...rest } = resource.change
  const { before, after, before_sensitive, after_sensitive } = rest
  const change = { ...rest, before: redact(before, before_sensitive), after: redact(after, after_sensitive) }
  return { ...resource, change }
}

function redact(value: Document, mask: Document): Document {
  if (mask === true) return null
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item, index) => redact(item, mask?.[index]))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redact(item, mask?.[key])]))
}

function withoutIds(document: Document): Document {
  return JSON.parse(
    JSON.stringify(document)
      .replace(/\b([a-z]+)-[0-9a-f]{16}\b/g, '$1-ID')
      .replace(/10\.0\.1\.\d+"/g, 'IP"'),
  )
}
