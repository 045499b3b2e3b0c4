import type { Spec } from '../scenario.ts'
import type { addresses } from './step.ts'

type Address = (typeof addresses)[number]

/** The spec of an object: each bit of the variant decides one attribute. */
export function specOf(address: Address, variant: number): Spec {
  const bit = (at: number) => ((variant >> at) & 1) === 1
  const first = bit(0)
  const lifecycle = bit(3) ? { lifecycle: { create_before_destroy: true } } : {}
  switch (address) {
    case 'sim_network.n0':
    case 'sim_network.n1':
      return {
        name: bit(2) ? '${configmap["c"].name}' : `n${first ? 1 : 0}`,
        cidr: bit(1) ? '10.0.0.0/16' : '10.1.0.0/16',
        ...(bit(3) && { provider: 'west' }),
      }
    case 'data.sim_image.d0':
      return {
        name: bit(1) ? '${sim_network.n0.name}' : bit(2) ? '${sim_network.n1.id}' : `img${first ? 1 : 0}`,
        ...(bit(3) && { depends_on: ['sim_network.n1'] }),
      }
    case 'sim_subnet.s0':
      return {
        network_id: `\${sim_network.n${first ? 1 : 0}.id}`,
        cidr: bit(1) ? '10.0.1.0/24' : '10.0.2.0/24',
        ...(bit(2) && { depends_on: ['sim_network.n1'] }),
        ...(variant % 5 === 4 ? { lifecycle: { prevent_destroy: true } } : lifecycle),
      }
    case 'sim_bucket.b0':
      return batch(variant, lifecycle)
    case 'sim_instance.i0':
    case 'sim_instance.i1':
      return {
        subnet_id: bit(2) ? 'fixed' : '${sim_subnet.s0.id}',
        image: bit(1) ? '${data.sim_image.d0.id}' : 'plain',
        tags: { s: first ? '${secret["k"].token}' : '${sim_network.n0.cidr}' },
        ...(address === 'sim_instance.i0' ? lifecycle : bit(3) && { lifecycle: { ignore_changes: ['tags'] } }),
      }
    case 'sim_null.t0':
      return {
        triggers: { a: bit(1) ? '${sim_bucket.b0[*].id.join(",")}' : '${sim_network.n0.name}' },
        ...(first && { lifecycle: { replace_triggered_by: [bit(2) ? 'sim_subnet.s0' : 'sim_instance.i0.tags'] } }),
      }
    case 'sim_null.t1':
      return bit(1)
        ? { count: '${size(sim_bucket.b0[*].id)}', triggers: { i: '${sim_bucket.b0[count.index].id}' } }
        : { triggers: { i: '${sim_instance.i0.private_ip}' }, ...(first && { depends_on: ['sim_instance.i1'] }) }
  }
}

function batch(variant: number, lifecycle: Spec): Spec {
  const more = variant % 3
  switch ((variant >> 1) % 3) {
    case 0:
      return { count: more, name: '${sim_network.n0.name}-${count.index}', ...lifecycle }
    case 1: {
      const entries = Object.fromEntries(['x', 'y', 'z'].slice(more).map((key) => [key, `v${variant >> 2}`]))
      return { for_each: entries, name: '${each.key}', tags: { v: '${each.value}' } }
    }
    default:
      return { count: '${configmap["c"].n}', name: 'b-${count.index}', tags: { t: '${secret["k"].other}' } }
  }
}
