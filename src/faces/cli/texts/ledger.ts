/** What the ledger verbs and doctor say. */
export const LEDGER = {
  imported: (records: number, ledger: string, path: string) =>
    `${records} ${records === 1 ? "record" : "records"} of the ledger ${ledger} were imported to ${path}`,
  backedUp: (path: string) =>
    `the ledger was copied to ${path}; keep its key (beside it, .key) apart from it`,
  allFine: "nothing is wrong",
  wrong: (count: number) => `${count} ${count === 1 ? "thing is" : "things are"} wrong`,
} as const;
