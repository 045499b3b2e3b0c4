import { createServer } from 'node:net'

/** Fails when the port is in use, and names the next free one. It runs before anything is opened. */
export async function checkPort(host: string, port: number): Promise<void> {
  if (port === 0 || !(await isInUse(host, port))) return
  let other = port + 1
  while (other < lastPort && (await isInUse(host, other))) other++
  throw new Error(
    `port ${port} on ${host} is in use, perhaps by another server; stop that one, or use another port: --port ${other}`,
  )
}

const lastPort = 65_535

function isInUse(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    // Any other failure is reported by the listener of the server itself.
    probe.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code === 'EADDRINUSE'))
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(false)))
  })
}
