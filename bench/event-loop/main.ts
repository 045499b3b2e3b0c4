import { parseArgs } from 'node:util'
import { type Blocking, worstRequests } from './worst-requests.ts'

/** `npm run bench -- event-loop [--objects N]`: measures how long the most expensive requests block the event loop. */
const { values } = parseArgs({ options: { objects: { type: 'string', default: '100000' } } })

console.log(
  `${'request'.padEnd(32)}${'status'.padStart(7)}${'body'.padStart(9)}${'held'.padStart(10)}${'bound'.padStart(7)}`,
)
const rows = await worstRequests({ objects: Number(values.objects), large: 3 << 20 }, print)
for (const row of rows) console.log(JSON.stringify({ bench: 'event-loop', ...row }))

function print({ request, status, body, longest, bound }: Blocking): void {
  const over = longest > bound ? '  OVER' : ''
  console.log(
    `${request.padEnd(32)}${String(status).padStart(7)}${String(body).padStart(9)}${longest.toFixed(1).padStart(7)} ms${String(bound).padStart(7)}${over}`,
  )
}
