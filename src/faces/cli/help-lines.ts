/** Two columns: the second begins at one place, or on the next line where the first is too long for that. */
const WIDEST = 30;

export const aligned = (rows: readonly (readonly [string, string])[]): readonly string[] => {
  const width = Math.min(WIDEST, Math.max(...rows.map(([first]) => first.length)));
  return rows.flatMap(([first, second]) =>
    first.length <= width
      ? [`  ${first.padEnd(width)}  ${second}`]
      : [`  ${first}`, `  ${" ".repeat(width)}  ${second}`],
  );
};
