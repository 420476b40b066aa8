/** Words of the progress lines. */
export const PROGRESS = {
  doing: {
    create: "creating",
    update: "updating",
    destroy: "destroying",
    compensate: "compensating",
    owed: "doing what is owed",
  },
  observing: "asking what is there",
  began: (verb: string, operation: string, steps: number) =>
    `${verb} ${operation} over ${steps} ${steps === 1 ? "step" : "steps"}`,
  attempt: (count: number) => ` (attempt ${count})`,
  waiting: (why: string, atMost: string | null) =>
    `waits ${why}${atMost === null ? "" : `, ${atMost} at the most`}`,
  still: (what: string, since: string) => `still ${what}, for ${since}`,
  more: (count: number) => `and ${count} more at work`,
  drain: (signal: string, grace: string) =>
    `${signal}: nothing more is started; calls in flight have ${grace} to end. The same signal again ends them at once, and leaves their steps unresolved.`,
} as const;
