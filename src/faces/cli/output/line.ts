/**
 * One line of an output for people. CI systems obey lines that begin with `::` (GitHub Actions), so none of ours does but
 * those that are meant to.
 */
export const printedLine = (line: string): string => line.replace(/^(\s*):(?=:)/, "$1\\x3a");
