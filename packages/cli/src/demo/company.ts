/** A file with YAML. */
export interface CompanyFile {
  readonly name: string
  readonly text: string
}

/** The number of resources, counting instances. */
export const companySize = 60

/** The files of a small company: three networks with subnets, machines in batches, databases and buckets. */
export const company: readonly CompanyFile[] = [
  { name: '1-networks.yaml', text: networks() },
  { name: '2-machines.yaml', text: machines() },
  { name: '3-data.yaml', text: data() },
]

/** The Provider of the simulated cloud, with a latency that makes the progress visible. */
export function cloud({ world, latency }: { readonly world: string; readonly latency: number }): CompanyFile {
  const spec = `  source: hykube/sim\n  config:\n    world: ${JSON.stringify(world)}\n    latency_ms: ${latency}\n`
  return {
    name: '0-cloud.yaml',
    text: `apiVersion: hykube.io/v1alpha1\nkind: Provider\nmetadata:\n  name: sim\nspec:\n${spec}`,
  }
}

function networks(): string {
  const places = ['production', 'staging', 'office']
  return documents(
    places.flatMap((place, index) => [
      resource('SimNetwork', place, 'core', `  name: ${place}\n  cidr: 10.${index}.0.0/16\n`),
      ...['a', 'b', 'c'].map((zone, part) =>
        resource(
          'SimSubnet',
          `${place}-${zone}`,
          'core',
          `  network_id: \${sim_network.${place}.id}\n  cidr: 10.${index}.${part}.0/24\n`,
        ),
      ),
    ]),
  )
}

function machines(): string {
  const groups = [
    { name: 'web', team: 'shop', count: 12, subnet: 'production-a', size: 'small' },
    { name: 'api', team: 'shop', count: 10, subnet: 'production-b', size: 'medium' },
    { name: 'worker', team: 'shop', count: 8, subnet: 'production-c', size: 'large' },
    { name: 'test', team: 'quality', count: 5, subnet: 'staging-a', size: 'small' },
    { name: 'desk', team: 'office', count: 2, subnet: 'office-a', size: 'small' },
  ]
  return documents([
    dataSource('SimImage', 'debian', '  name: debian\n'),
    ...groups.map(({ name, team, count, subnet, size }) =>
      resource(
        'SimInstance',
        name,
        team,
        [
          `  count: ${count}`,
          `  subnet_id: \${sim_subnet["${subnet}"].id}`,
          '  image: ${data.sim_image.debian.id}',
          `  size: ${size}`,
          '  tags:',
          `    name: ${name}-\${count.index}`,
          `    team: ${team}`,
          '',
        ].join('\n'),
      ),
    ),
  ])
}

function data(): string {
  const databases = ['orders', 'customers', 'stock', 'wiki']
  const buckets = ['pictures', 'invoices', 'backups', 'logs', 'releases', 'website']
  return documents([
    ...databases.map((name) => resource('SimDatabase', name, name === 'wiki' ? 'office' : 'shop', `  name: ${name}\n`)),
    ...buckets.map((name) =>
      resource(
        'SimBucket',
        name,
        'shop',
        `  name: company-${name}\n  rules:\n    - prefix: tmp/\n      after_days: 7\n`,
      ),
    ),
    resource(
      'SimNull',
      'release',
      'shop',
      '  triggers:\n    orders: ${sim_database.orders.endpoint}\n    first_web: ${sim_instance.web[0].private_ip}\n',
    ),
  ])
}

function resource(kind: string, name: string, team: string, spec: string): string {
  const metadata = `metadata:\n  name: ${name}\n  labels:\n    team: ${team}\n`
  return `apiVersion: sim.hykube.io/v1\nkind: ${kind}\n${metadata}spec:\n${spec}`
}

function dataSource(kind: string, name: string, spec: string): string {
  return `apiVersion: data.sim.hykube.io/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\nspec:\n${spec}`
}

function documents(all: readonly string[]): string {
  return all.join('---\n')
}
