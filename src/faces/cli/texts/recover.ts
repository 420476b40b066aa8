/** Words of recover and its report. */
export const RECOVER = {
  goOn: (target: string) => `Recover ${target} so?`,
  noScope: "--drill replaces a Pod: say in which namespace one may be removed (--allow-namespace)",
  needsDrill: (flag: string) => `${flag} is about the drill; say --drill beside it`,
  sides: { normal: "Normal", failure: "Failure", recovery: "Recovery" },
  headers: ["", "Says", "Verdict", "Template", "Config", "Pods"],
  template: (isThere: boolean | null) =>
    isThere === null ? "not read" : isThere ? "the target's" : "another",
  notJudged: "not judged",
  noPods: "not recorded",
  parts: {
    rollback: "Rollback:",
    drill: "Drill:",
    bystanders: "Bystanders:",
    findings: "Judged:",
    notRestored: "Not restored:",
    firstAid: "First aid, in the cluster:",
    permanent: "The permanent fix:",
    remaining: "Remaining work:",
  },
  verify: (command: string) => ({ command, why: "judges it again" }),
  history: (command: string) => ({ command, why: "tells every call of it" }),
  notDone: (command: string) => ({ command, why: "it is green over a recovery that does not hold, too" }),
  wrote: (file: string) => `the report was written to ${file}`,
} as const;
