import type { Page } from 'playwright-core';

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: unknown; readonly failureSummary: string }[] }[];
}

/** What axe finds in the widget, as readable lines. The page must allow its script. */
export async function violations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.addScriptTag({ url: '/axe.min.js' });
  const result = await page.evaluate(() => (globalThis as unknown as { axe: { run: (context: unknown, options: unknown) => Promise<AxeResult> } }).axe.run('anamnesis-chat', { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
  return result.violations.flatMap((violation) => violation.nodes.map((node) => `${violation.id}: ${JSON.stringify(node.target)} ${node.failureSummary}`));
}
