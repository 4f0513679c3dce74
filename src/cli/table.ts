/** Columns a text takes in a terminal: Chinese characters and full-width marks take two. */
function width(text: string): number {
  let columns = 0;
  for (const character of text) columns += /[\p{Script=Han}\u3000-\u303f\uff00-\uff60]/u.test(character) ? 2 : 1;
  return columns;
}

const isNumber = (text: string): boolean => /^[-\d.,%]+(?: [a-zA-Z]+)?$/.test(text);

/** Rows as aligned text; columns of numbers stand to the right. The first row is the heading where `heading` is true. */
export function table(rows: readonly (readonly string[])[], heading = true): string {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const columns = Array.from({ length: count }, (_, column) => {
    const cells = rows.map((row) => row[column] ?? '');
    const body = heading ? cells.slice(1) : cells;
    return { width: Math.max(...cells.map(width)), right: body.length > 0 && body.every((cell) => cell === '' || isNumber(cell)) };
  });
  const line = (row: readonly string[]): string =>
    columns
      .map((column, at) => {
        const cell = row[at] ?? '';
        const gap = ' '.repeat(column.width - width(cell));
        return column.right ? gap + cell : cell + gap;
      })
      .join('  ')
      .trimEnd();
  const lines = rows.map(line);
  if (heading) lines.splice(1, 0, columns.map((column) => '-'.repeat(column.width)).join('  '));
  return lines.join('\n');
}

export function percent(rate: number): string {
  return `${(rate * 100).toFixed(1)}%`;
}
