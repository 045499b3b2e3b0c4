import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWith } from '../real-parts/index.ts'
import { client, startServer, type TestServer } from './server.ts'

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: a, image: nginx, resources: {limits: {cpu: "1"}}}
      - {name: b, image: sidecar}
`

for (const version of ['1.28', '1.32', '1.36'])
  describeWith([`kubectl-${version}`], `kubectl ${version} and OpenAPI`, (kubectlPath) => {
    let server: TestServer
    let kubectl: ReturnType<typeof client>
    beforeAll(async () => {
      server = await startServer({ arguments: ['--store', 'memory:', '--cluster', 'team'] })
      kubectl = client(kubectlPath, server)
    })
    afterAll(() => server.remove())

    const file = (name: string, text: string): string => {
      const path = join(server.dataDirectory, name)
      writeFileSync(path, text)
      return path
    }

    test('explain shows fields and their types, all the way down', async () => {
      const { stdout } = await kubectl('explain deployment.spec.template --recursive')
      expect(stdout).toContain('FIELD: template <PodTemplateSpec>')
      expect(stdout).toMatch(/^ {4}containers\t<\[\]Container>( -required-)?$/m)
      expect(stdout).toMatch(/^ +httpHeaders\t<\[\]HTTPHeader>/m)
      expect(stdout.split('\n').length).toBeGreaterThan(1000)
    })

    test('explain lists the fields of a Plan status', async () => {
      const { stdout } = await kubectl('explain plan.status')
      for (const field of ['phase', 'summary', 'approval', 'progress', 'outcome', 'followUp'])
        expect(stdout).toMatch(new RegExp(`^ {2}${field}\t<`, 'm'))
    })

    test('explain works from the older document, too', async () => {
      const { stdout } = await kubectl('explain deployment.spec --output=plaintext-openapiv2')
      expect(stdout).toMatch(/^ {3}selector\t<Object> -required-$/m)
      expect(stdout).toMatch(/^ {3}replicas\t<integer>$/m)
    })

    test('explain works in a logical cluster', async () => {
      const { stdout } = await kubectl(`explain configmap --server=${server.url}/clusters/team`)
      expect(stdout).toMatch(/^ {2}binaryData\t<map\[string\]string>$/m)
    })

    test.each([['apply'], ['create --validate=strict'], ['apply --server-side']])(
      '%s refuses a field that is not there',
      async (command) => {
        const path = file('wrong.yaml', deployment.replace('replicas', 'replicaz'))
        const { code, stderr } = await kubectl(`${command} -f ${path}`)
        expect(code).toBe(1)
        expect(stderr).toMatch(/unknown field|field not declared in schema/)
        expect(stderr).toContain('replicaz')
      },
    )

    test('a field that is not there is a warning where that is asked for', async () => {
      const path = file('wrong.yaml', deployment.replace('replicas', 'replicaz'))
      const { code, stderr } = await kubectl(`create --validate=warn --dry-run=server -f ${path}`)
      expect([code, stderr]).toEqual([0, 'Warning: unknown field "spec.replicaz"\n'])
    })

    test('apply merges as the kind says, and diff shows what it would do', async () => {
      const path = file('web.yaml', deployment)
      expect((await kubectl(`apply -f ${path}`)).stdout).toBe('deployment.apps/web created\n')
      expect((await kubectl(`apply -f ${path}`)).stdout).toBe('deployment.apps/web unchanged\n')
      const changed = file('web-2.yaml', deployment.replace('nginx', 'nginx:2'))
      const difference = await kubectl(`diff -f ${changed}`)
      expect(difference.code).toBe(1)
      expect(difference.stdout).toMatch(/^-\s+- image: nginx$\n^\+\s+- image: nginx:2$/m)
      const traced = await kubectl(`apply -v=8 -f ${changed}`)
      expect(traced.stdout).toBe('deployment.apps/web configured\n')
      expect(traced.stderr).toContain('application/strategic-merge-patch+json')
      expect((await kubectl(`diff -f ${changed}`)).code).toBe(0)
    })

    test('an applied object can be applied by the server, patched and edited', async () => {
      const path = file('web.yaml', deployment)
      expect((await kubectl(`apply --server-side --force-conflicts -f ${path}`)).code).toBe(0)
      const patch = await kubectl(['patch', 'deployment', 'web', '-p', '{"spec":{"replicas":7}}'])
      expect(patch.stdout).toBe('deployment.apps/web patched\n')
      const editor = 'sed -i s/replicas:.7/replicas:\\ 8/'
      expect(await kubectl('edit deployment web', { env: { EDITOR: editor } })).toMatchObject({
        stdout: 'deployment.apps/web edited\n',
      })
      expect((await kubectl('get deployment web -o jsonpath={.spec.replicas}')).stdout).toBe('8')
    })

    test('documents are fetched once and then kept by kubectl', async () => {
      await kubectl('explain cronjob')
      const { stderr } = await kubectl('explain cronjob.spec -v=8')
      expect(stderr).toMatch(/openapi\/v3\/apis\/batch\/v1\?hash=[0-9A-F]{128}/)
      expect(stderr).toMatch(/X-From-Cache: 1/i)
    })
  })
