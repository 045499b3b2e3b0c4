import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../tools/root.ts'
import { describeWith } from '../real-parts/index.ts'
import { client, type ProgramResult, startServer, type TestServer } from './server.ts'

for (const version of ['3', '4']) describeWith([`helm-${version}`, 'kubectl-1.36'], `Helm ${version}`, helmBehaves)

/** A chart with a workload, a service, a hook that must finish, and fifty more objects. */
const chart: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 0.1.0\n',
  'values.yaml': 'replicas: 2\n',
  'templates/deployment.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: shop}}
  template:
    metadata: {labels: {app: shop}}
    spec: {containers: [{name: c, image: nginx}]}
`,
  'templates/service.yaml': `
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec: {selector: {app: shop}, ports: [{port: 80}]}
`,
  'templates/hook.yaml': `
apiVersion: batch/v1
kind: Job
metadata: {name: {{ .Release.Name }}-prepare, annotations: {helm.sh/hook: "pre-install,pre-upgrade", helm.sh/hook-delete-policy: "before-hook-creation,hook-succeeded"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: busybox}]}}}
`,
  'templates/many.yaml': `
{{- range $i := until 50 }}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ $.Release.Name }}-{{ $i }}}
data: {n: "{{ $i }}"}
{{- end }}
`,
}

/** A chart whose one object stands for a real resource. */
const networkChart: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: network\nversion: 0.1.0\n',
  'templates/network.yaml': `
apiVersion: sim.hykube.io/v1
kind: SimNetwork
metadata: {name: {{ .Release.Name }}}
spec: {name: {{ .Release.Name }}, cidr: 10.0.0.0/16}
`,
}

function helmBehaves(helmProgram: string, kubectlProgram: string): void {
  const directory = mkdtempSync(join(tmpdir(), 'hykube-helm-'))
  let server: TestServer
  let helm: (args: readonly string[] | string) => Promise<ProgramResult>
  let kubectl: typeof helm
  let hykube: typeof helm
  const write = (name: string, files: Readonly<Record<string, string>>): void => {
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name, file)), { recursive: true })
      writeFileSync(join(directory, name, file), text)
    }
  }
  const succeed = async (run: Promise<ProgramResult>): Promise<string> => {
    const { code, stdout, stderr } = await run
    expect(`${stderr}${code}`).toMatch(/0$/)
    return stdout
  }

  beforeAll(async () => {
    write('shop', chart)
    write('network', networkChart)
    server = await startServer({ arguments: ['--store', 'memory:', '--paper-workloads'] })
    helm = client(helmProgram, server)
    kubectl = client(kubectlProgram, server)
    hykube = client(join(root, 'bin/hykube'), server)
  })
  afterAll(async () => {
    await server.remove()
    rmSync(directory, { recursive: true, force: true })
  })

  test('installs, upgrades, rolls back and uninstalls a chart with hooks, waiting for it', async () => {
    await succeed(helm(`install shop ${directory}/shop --wait --timeout 60s`))
    expect((await succeed(kubectl('get configmaps -o name'))).match(/configmap\/shop-/g)).toHaveLength(50)
    expect(await succeed(kubectl('get deployment shop -o jsonpath={.status.readyReplicas}'))).toBe('2')
    await succeed(helm(`upgrade shop ${directory}/shop --set replicas=3 --wait --timeout 60s`))
    expect(await succeed(kubectl('get deployment shop -o jsonpath={.status.readyReplicas}'))).toBe('3')
    await succeed(helm('rollback shop 1 --wait --timeout 60s'))
    expect(await succeed(kubectl('get deployment shop -o jsonpath={.spec.replicas}'))).toBe('2')
    expect(JSON.parse(await succeed(helm('history shop -o json')))).toHaveLength(3)
    await succeed(helm('uninstall shop --wait --timeout 60s'))
    expect(await succeed(helm('list -q'))).toBe('')
    expect((await kubectl('get configmaps -o name')).stdout).not.toContain('shop-')
  })

  test('uninstall --wait of a real resource returns once a plan has destroyed it', async () => {
    await succeed(hykube('providers install hykube/sim'))
    await succeed(helm(`install main ${directory}/network`))
    await succeed(hykube('apply --auto-approve'))
    await succeed(helm(`upgrade main ${directory}/network --wait --timeout 60s`))
    const uninstalled = helm('uninstall main --wait --timeout 60s')
    await succeed(kubectl('wait sim-network main --for jsonpath={.metadata.deletionTimestamp} --timeout 60s'))
    await succeed(hykube('apply --auto-approve'))
    expect(await succeed(uninstalled)).toContain('uninstalled')
  })

  test('uninstall --wait returns at once after hykube destroy', async () => {
    await succeed(helm(`install main ${directory}/network`))
    await succeed(hykube('apply --auto-approve'))
    await succeed(hykube('destroy --auto-approve'))
    await succeed(helm('uninstall main --wait --timeout 60s'))
    expect((await kubectl('get sim-networks -o name')).stdout).toBe('')
  })
}
