import { type Architecture, type Room, roomsOf } from './table.ts'

const begin = '<!-- drawn from architecture.json by `npm run architecture`; do not edit below -->'
const end = '<!-- end of the drawing -->'

/** Replaces the section between the markers of a document by the diagrams and tables. */
export function withDrawing(document: string, architecture: Architecture): string {
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from < 0 || to < from) throw new Error(`cannot draw: the document lacks the markers ${begin} and ${end}`)
  return `${document.slice(0, from)}${begin}\n\n${drawing(architecture)}\n\n${tables(architecture)}\n\n${document.slice(to)}`
}

// One diagram of the packages and one of the server's rooms; a diagram of all rooms would be unreadable.
function drawing(architecture: Architecture): string {
  const rooms = roomsOf(architecture)
  const packages = Object.keys(architecture.packages)
  const edges = packages.flatMap((name) => packageEdges(name, rooms))
  return [
    '```mermaid',
    'flowchart BT',
    ...packages.map((name) => `  ${id(name)}["${name}"]`),
    ...edges,
    '```',
    '',
    ...serverDrawing(rooms),
  ].join('\n')
}

function packageEdges(name: string, rooms: readonly Room[]): string[] {
  const targets = new Set(
    rooms.filter((room) => room.packageName === name).flatMap((room) => room.imports.map(packageOf)),
  )
  targets.delete(name)
  return [...targets].map((target) => `  ${id(name)} --> ${id(target)}`)
}

function serverDrawing(rooms: readonly Room[]): string[] {
  const server = rooms.filter((room) => room.packageName === 'server' && room.id !== 'server/app')
  const edges = server.flatMap((room) =>
    room.imports.filter((other) => other.startsWith('server/')).map((other) => `  ${id(room.id)} --> ${id(other)}`),
  )
  return [
    '```mermaid',
    'flowchart BT',
    ...server.map((room) => `  ${id(room.id)}["${room.id.slice('server/'.length)}"]`),
    ...edges,
    '```',
  ]
}

function tables(architecture: Architecture): string {
  return Object.entries(architecture.packages)
    .map(([name, { purpose, rooms }]) =>
      [
        `### ${name}: ${purpose}`,
        '',
        '| room | what it is | may import |',
        '|---|---|---|',
        ...Object.entries(rooms).map(
          ([room, row]) => `| \`${room}\` | ${row.purpose} | ${row.imports.join(', ') || '–'} |`,
        ),
      ].join('\n'),
    )
    .join('\n\n')
}

function packageOf(id: string): string {
  return id.split('/')[0]!
}

function id(name: string): string {
  return name.replaceAll(/[^a-z]/g, '_')
}
