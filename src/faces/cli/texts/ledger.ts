/** What the ledger verbs and doctor say. */
export const LEDGER = {
  imported: (records: number, ledger: string, path: string) =>
    `${records} ${records === 1 ? "record" : "records"} of the ledger ${ledger} were imported to ${path}`,
  lineTooLong: (file: string, line: number, megabytes: number) =>
    `line ${line} of ${file} is longer than ${megabytes} MiB, so this is no export of a ledger; nothing was imported`,
  backedUp: (path: string) =>
    `the ledger was copied to ${path}; keep its key (beside it, .key) apart from it`,
  allFine: "nothing is wrong",
  wrong: (count: number) => `${count} ${count === 1 ? "thing is" : "things are"} wrong`,
} as const;
