import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeWith } from '../real-parts/index.ts'
import { client, type ProgramResult, startServer, type TestServer } from './server.ts'

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: nginx, ports: [{containerPort: 80}]}]}
`

for (const version of ['1.28', '1.32', '1.36'])
  describeWith([`kubectl-${version}`], `kubectl ${version}`, kubectlBehaves)

function kubectlBehaves(program: string): void {
  let server: TestServer
  let kubectl: (args: readonly string[] | string, options?: { input?: string }) => Promise<ProgramResult>
  const files = mkdtempSync(join(tmpdir(), 'hykube-kubectl-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(files, name), text)
    return join(files, name)
  }
  const succeed = async (args: readonly string[] | string, input?: string): Promise<string> => {
    const result = await kubectl(args, input === undefined ? {} : { input })
    expect(`${result.stderr}${result.code}`).toMatch(/0$/)
    return result.stdout
  }

  beforeAll(async () => {
    server = await startServer()
    kubectl = client(program, server)
  })
  afterAll(async () => {
    await server.remove()
    rmSync(files, { recursive: true, force: true })
  })

  describe('reads', () => {
    test('namespaces as a table', async () => {
      expect(await succeed('get namespaces')).toMatch(/^NAME\s+STATUS\s+AGE\ndefault\s+Active/)
    })

    test('everything it can know of', async () => {
      const resources = await succeed('api-resources')
      for (const name of ['configmaps', 'deployments', 'clusterroles', 'leases', 'customresourcedefinitions'])
        expect(resources).toContain(name)
      expect(await succeed('api-versions')).toContain('rbac.authorization.k8s.io/v1')
    })

    test('the version and raw paths', async () => {
      expect(await succeed('version')).toContain('Server Version: v1.36')
      expect(await succeed('get --raw /readyz')).toBe('ok')
    })
  })

  describe('writes', () => {
    test('config maps and secrets by generator, in protobuf where it speaks it', async () => {
      expect(await succeed('create configmap c --from-literal=a=b')).toBe('configmap/c created\n')
      expect(await succeed('get configmap c -o jsonpath={.data.a}')).toBe('b')
      await succeed('create secret generic s --from-literal=k=v')
      expect(await succeed('get secret s -o jsonpath={.data.k}')).toBe('dg==')
      expect((await kubectl('create configmap c')).stderr).toContain('configmaps "c" already exists')
    })

    test('labels, annotations and patches of each type', async () => {
      await succeed('create configmap p')
      await succeed('label configmap p x=y')
      await succeed('annotate configmap p n=m')
      await succeed(['patch', 'configmap', 'p', '-p', '{"data":{"strategic":"1"}}'])
      await succeed(['patch', 'configmap', 'p', '--type=merge', '-p', '{"data":{"merge":"2"}}'])
      await succeed(['patch', 'configmap', 'p', '--type=json', '-p', '[{"op":"add","path":"/data/json","value":"3"}]'])
      expect(JSON.parse(await succeed('get configmap p -o json'))).toMatchObject({
        metadata: { labels: { x: 'y' }, annotations: { n: 'm' } },
        data: { strategic: '1', merge: '2', json: '3' },
      })
      expect(await succeed('get configmap -l x=y -o name')).toBe('configmap/p\n')
      expect(await succeed('get configmap --field-selector metadata.name=p -o name')).toBe('configmap/p\n')
    })

    test('a deployment by apply, which says when nothing changed', async () => {
      const path = file('deployment.yaml', deployment)
      expect(await succeed(`apply -f ${path}`)).toBe('deployment.apps/web created\n')
      expect(await succeed(`apply -f ${path}`)).toBe('deployment.apps/web unchanged\n')
      expect(await succeed('get deployment web -o jsonpath={.spec.strategy.type}')).toBe('RollingUpdate')
    })

    test('scale, and a conflict with who scaled', async () => {
      const path = file('applied.yaml', deployment.replaceAll('name: web', 'name: scaled'))
      await succeed(`apply --server-side -f ${path}`)
      await succeed('scale deployment scaled --replicas=5')
      expect(await succeed('get deployment scaled -o jsonpath={.spec.replicas}')).toBe('5')
      const refused = await kubectl(`apply --server-side --field-manager=other -f ${path}`)
      expect(refused.stderr).toContain('.spec.replicas')
      await succeed(`apply --server-side --force-conflicts --field-manager=other -f ${path}`)
      expect(await succeed('get deployment scaled -o jsonpath={.spec.replicas}')).toBe('2')
    })

    test('a dry run, which leaves nothing', async () => {
      expect(await succeed('create configmap dry --dry-run=server')).toContain('created (server dry run)')
      expect((await kubectl('get configmap dry')).stderr).toContain('NotFound')
    })

    test('deletes', async () => {
      await succeed('create configmap gone')
      expect(await succeed('delete configmap gone')).toContain('configmap "gone" deleted')
      expect((await kubectl('delete configmap gone')).stderr).toContain('configmaps "gone" not found')
    })
  })

  describe('watches', () => {
    test('a resource, with the changes after the list', async () => {
      await succeed('create configmap watched')
      const watching = kubectl('get configmaps watched --watch -o name --request-timeout=3s')
      await succeed('label configmap watched a=1')
      expect((await watching).stdout).toMatch(/^configmap\/watched\n/)
    })
  })

  describe('access', () => {
    test('auth whoami and auth can-i answer for the caller', async () => {
      expect(await succeed('auth can-i create pods')).toBe('yes\n')
      expect((await kubectl('auth can-i create pods --as=bob')).stdout).toBe('no\n')
      expect(await succeed('auth can-i --list')).toContain('selfsubjectaccessreviews')
    })

    test('a role opens what it says, and nothing else', async () => {
      await succeed('create role reader --verb=get,list --resource=configmaps')
      await succeed('create rolebinding reader --role=reader --user=alice')
      await succeed('get configmaps --as=alice')
      const refused = await kubectl('get secrets --as=alice')
      expect(refused.stderr).toContain(
        'secrets is forbidden: User "alice" cannot list resource "secrets" in API group "" in the namespace "default"',
      )
    })

    test('nobody grants what they do not hold', async () => {
      await succeed('create clusterrole granter --verb=create --resource=roles.rbac.authorization.k8s.io')
      await succeed('create clusterrolebinding granter --clusterrole=granter --user=eve')
      const refused = await kubectl('create role taken --verb=get --resource=secrets --as=eve')
      expect(refused.stderr).toContain('is attempting to grant RBAC permissions not currently held')
    })

    test('a token of a service account is that account', async () => {
      await succeed('create serviceaccount robot')
      const token = (await succeed('create token robot')).trim()
      const refused = await kubectl([
        '--kubeconfig=/dev/null',
        `--server=${server.url}`,
        '--insecure-skip-tls-verify',
        `--token=${token}`,
        'get',
        'pods',
      ])
      expect(refused.stderr).toContain('User "system:serviceaccount:default:robot" cannot list')
    })
  })
}
