/** Text for people: plans, progress, graphs and tables. */
export { renderChange } from './change.ts'
export { graphToDot, graphToMermaid, graphToSvg } from './graph/formats.ts'
export { type Graph, type GraphNode, neighbourhood } from './graph/graph.ts'
export { graphToText } from './graph/text.ts'
export { LiveView } from './live-view.ts'
export {
  canBeApplied,
  countChanges,
  furtherLine,
  hasChanges,
  renderDriftReport,
  renderPlan,
} from './plan.ts'
export { isUnprintable, printable } from './printable.ts'
export { progressLines } from './progress.ts'
export { type StepEvent, StepLog, stepText } from './steps.ts'
export { createStyle, type Style } from './style.ts'
export { fit, renderTable } from './table.ts'
