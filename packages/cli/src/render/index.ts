/** Plans, progress and tables as a person reads them. */
export { renderChange } from './change.ts'
export { renderDiagnostic } from './diagnostic.ts'
export { graphToDot, graphToMermaid, graphToSvg } from './graph/formats.ts'
export { type Graph, type GraphNode, neighbourhood } from './graph/graph.ts'
export { graphToText } from './graph/text.ts'
export { LiveView } from './live-view.ts'
export {
  canBeApplied,
  countChanges,
  furtherLine,
  hasChanges,
  renderPlan,
} from './plan.ts'
export type {
  PlanChange,
  PlanDiagnostic,
  PlanSummary,
} from './plan-view.ts'
export { isUnprintable, printable } from './printable.ts'
export { type Progress, progressLine, progressLines } from './progress.ts'
export { createStyle, type Style } from './style.ts'
export { fit, renderTable } from './table.ts'
